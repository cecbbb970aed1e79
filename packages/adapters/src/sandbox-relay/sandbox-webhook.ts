import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { RelayWebhook, type WebhookOutcome, type WebhookRequest } from '@mailstead/core/relay-events/relay-webhook';
import { readSesMessage } from '../ses/ses-event.js';

const SECRET_PREFIX = 'whsec_';
const TOLERANCE_MS = 5 * MINUTE_MS;
const MAX_ID_LENGTH = 255;

export interface SandboxWebhookOptions {
  /** `whsec_` and base64 (`RELAY_WEBHOOK_SECRET`). */
  secret: string;
}

/** Accepts events in the JSON of SES, signed with a shared secret (Standard Webhooks, symmetric signature `v1`). */
export class SandboxWebhook extends RelayWebhook {
  private readonly key: Buffer;

  /** @throws Error for a secret of another form */
  constructor(
    { secret }: SandboxWebhookOptions,
    private readonly clock: Clock,
  ) {
    super();
    this.key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    if (!secret.startsWith(SECRET_PREFIX) || this.key.length === 0) {
      throw new Error('The secret of relay events must be whsec_ and base64');
    }
  }

  override async receive({ headers, body }: WebhookRequest): Promise<WebhookOutcome> {
    const id = headers['webhook-id'] ?? '';
    const timestamp = headers['webhook-timestamp'] ?? '';
    if (!/^\d{1,12}$/.test(timestamp) || !/^[\x21-\x7e]+$/.test(id) || id.length > MAX_ID_LENGTH) {
      throw new AppError('relay_signature_invalid', {
        detail: 'The headers webhook-id, webhook-timestamp and webhook-signature are missing or wrong',
      });
    }
    const expected = createHmac('sha256', this.key).update(`${id}.${timestamp}.`).update(body).digest();
    if (!isAmong(expected, headers['webhook-signature'] ?? '')) throw new AppError('relay_signature_invalid');
    const ageMs = this.clock.now().getTime() - Number(timestamp) * SECOND_MS;
    if (Math.abs(ageMs) > TOLERANCE_MS) throw new AppError('relay_event_too_old');
    return readSesMessage(id, parseJson(body));
  }
}

/**
 * The header may have several signatures, `v1,<base64> v1,<base64>`: a sender that rotates its secret signs with both.
 */
function isAmong(expected: Buffer, header: string): boolean {
  return header.split(' ').some((entry) => {
    const [version, signature = ''] = entry.split(',');
    const given = Buffer.from(signature, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('relay_event_malformed', { detail: 'The relay event is not JSON', cause });
  }
}
