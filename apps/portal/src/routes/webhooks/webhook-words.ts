import type { Webhook, WebhookProbe } from '../../api/shapes.js';
import type { Mark } from '../../parts/status-mark.js';

/** Why a disabled endpoint gets nothing, and what to do. */
const REASONS: Record<NonNullable<Webhook['disabled_reason']>, string> = {
  failing: 'It was switched off because nothing arrived for three days. Mend its server, then switch it on.',
  gone: 'It was switched off because its server answered 410: no longer there.',
  partner: 'Somebody switched it off. Switched on, it goes on where it ended.',
  secret_unreadable: 'Its secret can no longer be read. Replace the secret, then switch it on.',
  key_ended: 'The key that made it has ended. Whoever switches it on takes it over, and it is confirmed again.',
};

const STATUSES: Record<Webhook['status'], { mark: Mark; word: string }> = {
  unconfirmed: { mark: 'wait', word: 'Not confirmed' },
  active: { mark: 'good', word: 'Active' },
  disabled: { mark: 'bad', word: 'Switched off' },
};

const OUTCOMES: Record<Exclude<WebhookProbe['outcome'], 'status'>, string> = {
  ok: 'arrived',
  timeout: 'no answer within 10 seconds',
  refused: 'no connection, or an address that is not public',
  tls: 'no trusted TLS connection',
  challenge: 'the answer did not have the challenge',
};

/** What people call an endpoint: its URL may be long, and may hold a secret. */
export function webhookName({ url }: Pick<Webhook, 'url'>): string {
  return new URL(url).host;
}

export function webhookStatus({ status }: Pick<Webhook, 'status'>): { mark: Mark; word: string } {
  return STATUSES[status];
}

/** What keeps an endpoint from getting events, in a sentence or two; null: nothing does. */
export function whyNothing({ status, disabled_reason: reason }: Pick<Webhook, 'status' | 'disabled_reason'>) {
  if (status === 'unconfirmed')
    return 'Nothing is sent before its server has answered a challenge: 2xx, and JSON with the same challenge.';
  return reason === null ? null : REASONS[reason];
}

export function outcomeText({ outcome, status }: Pick<WebhookProbe, 'outcome' | 'status'>): string {
  if (outcome === 'status') return `its server answered ${status}`;
  return OUTCOMES[outcome];
}

/** The types of events as people enter them: one on each line; an empty text is all. */
export function typesIn(text: string): string[] | null {
  const types = text.split(/[\s,]+/).filter((type) => type !== '');
  return types.length === 0 ? null : types;
}
