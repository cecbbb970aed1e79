import type { Clock } from '../clock.js';
import { signedHeaders } from './sign-webhook.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import type { WebhookSecrets } from './webhook-secrets.js';
import type { SendResult, WebhookSender } from './webhook-sender.js';

/** The secrets that sign for an endpoint now; null when the present one does not open. */
export function openSecrets(
  { id, secret, formerSecret, formerUntil }: WebhookEndpoint,
  secrets: WebhookSecrets,
  now: Date,
): readonly string[] | null {
  const present = secrets.open(secret, id);
  if (present === null) return null;
  const isBoth = formerSecret !== null && formerUntil !== null && formerUntil > now;
  const former = isBoth ? secrets.open(formerSecret, id) : null;
  return former === null ? [present] : [present, former];
}

/** Posts signed bodies to one endpoint. */
export class EndpointPoster {
  constructor(
    private readonly sender: WebhookSender,
    private readonly clock: Clock,
    private readonly endpoint: WebhookEndpoint,
    private readonly keys: readonly string[],
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param name what `webhook-id` has before the id of the endpoint: the position of an event, or a name of its own
   * @returns null when the process stops
   */
  post(name: string, body: string, readBytes = 0): Promise<SendResult | null> {
    const headers = signedHeaders(`${name}-${this.endpoint.id}`, this.clock.now(), body, this.keys);
    return this.sender.post(this.endpoint.url, headers, body, { readBytes, signal: this.signal });
  }
}
