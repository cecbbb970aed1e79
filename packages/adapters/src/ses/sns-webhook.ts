import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import { readTime } from '@mailstead/core/read-time';
import type { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { RelayWebhook, type WebhookOutcome, type WebhookRequest } from '@mailstead/core/relay-events/relay-webhook';
import { type Fetch, fetchText } from './bounded-fetch.js';
import type { CertificateSource } from './certificate-source.js';
import { readSesMessage } from './ses-event.js';
import { isCertificateUrl, isSignedBy, readSnsMessage, type SnsMessage } from './sns-message.js';
import { parseTopicArn, type SnsTopic } from './sns-topic.js';

/** SNS retries for an hour, but a message that is sent again from a dead-letter queue can be days old. */
const MAX_AGE_MS = 14 * DAY_MS;
const MAX_AHEAD_MS = 5 * MINUTE_MS;
const CONFIRMATION_TIMEOUT_MS = 5 * SECOND_MS;

export interface SnsWebhookOptions {
  /** The only topics whose messages are accepted (`SNS_TOPIC_ARNS`). */
  topicArns: string[];
}

/**
 * Receives SES events through SNS. A valid signature only proves that some SNS topic sent the message, so the topic is
 * compared with the settings first. Requests go only to the host that `parseTopicArn` derives from the settings. While
 * a restored database is not accepted, certificates are still fetched, because nothing may be stored before its
 * signature is verified; subscriptions are not confirmed.
 */
export class SnsWebhook extends RelayWebhook {
  private readonly topics: Map<string, SnsTopic>;

  /** @throws Error for an ARN that is not the ARN of a topic */
  constructor(
    { topicArns }: SnsWebhookOptions,
    private readonly certificates: CertificateSource,
    private readonly clock: Clock,
    private readonly gate: Pick<RestoreGate, 'refuse'>,
    private readonly fetch: Fetch = globalThis.fetch,
  ) {
    super();
    this.topics = new Map(topicArns.map((arn) => [arn, parseTopicArn(arn)]));
  }

  override async receive({ headers, body, sender }: WebhookRequest): Promise<WebhookOutcome> {
    if (headers['x-amz-sns-rawdelivery'] === 'true') {
      throw refused('Raw message delivery has no signature; switch it off in the subscription of the SNS topic');
    }
    const message = readSnsMessage(body);
    const topic = this.topics.get(message.TopicArn);
    if (topic === undefined) throw new AppError('relay_topic_unknown');
    this.checkAge(message.Timestamp);
    if (!isCertificateUrl(message.SigningCertURL, topic)) {
      throw refused('The SigningCertURL is not an address of SNS at the host of the topic');
    }
    const key = await this.certificates.publicKey(message.SigningCertURL, sender);
    if (!isSignedBy(message, key)) throw refused();
    await this.certificates.verified(message.SigningCertURL);
    return this.read(message, topic);
  }

  private checkAge(timestamp: string): void {
    const at = readTime(timestamp);
    if (at === null) throw new AppError('relay_event_malformed', { detail: 'The Timestamp is not a time' });
    const ageMs = this.clock.now().getTime() - at.getTime();
    if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) throw new AppError('relay_event_too_old');
  }

  private async read(message: SnsMessage, topic: SnsTopic): Promise<WebhookOutcome> {
    if (message.Type === 'Notification') return readNotification(message);
    if (message.Type === 'SubscriptionConfirmation') return this.confirm(message, topic);
    const reason = `The subscription to ${topic.arn} was removed; no bounces and complaints come until it is made again`;
    return { kind: 'ignored', reason };
  }

  private async confirm({ SubscribeURL = '' }: SnsMessage, topic: SnsTopic): Promise<WebhookOutcome> {
    const url = URL.canParse(SubscribeURL) ? new URL(SubscribeURL) : null;
    // Compares the start of `href` up to the slash, which would contain a user or a port.
    if (url === null || !url.href.startsWith(`https://${topic.host}/?`)) {
      throw refused('The SubscribeURL is not at the host of the topic');
    }
    // It would change the topic, which belongs to the living installation.
    this.gate.refuse();
    try {
      await fetchText(url.href, this.fetch, CONFIRMATION_TIMEOUT_MS);
    } catch (cause) {
      throw new AppError('relay_unavailable', {
        detail: 'The subscription cannot be confirmed now; send again',
        cause,
      });
    }
    return { kind: 'confirmed', reason: `The subscription to ${topic.arn} is confirmed` };
  }
}

/** Ignores plain text, such as SES's `Successfully validated SNS topic for Amazon SES event publishing.` */
function readNotification({ MessageId, Message }: SnsMessage): WebhookOutcome {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Message);
  } catch {
    return { kind: 'ignored', reason: `SNS message of plain text: ${Message.trim().slice(0, 100)}` };
  }
  return readSesMessage(MessageId, parsed);
}

function refused(detail?: string): AppError {
  return new AppError('relay_signature_invalid', detail === undefined ? {} : { detail });
}
