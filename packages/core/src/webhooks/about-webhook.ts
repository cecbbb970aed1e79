import type { AuditEntry } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';

/** What audit rows show of an endpoint: not the path of its URL, which may be a secret, and no cursor. */
export function shownWebhook({ url, types, description, status, disabledReason }: WebhookEndpoint) {
  return { url: new URL(url).origin, types, description, status, disabled_reason: disabledReason };
}

export function aboutWebhook(
  endpoint: WebhookEndpoint,
  action: AuditAction,
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry {
  const { id, partnerId, partnerRef } = endpoint;
  return { action, partnerId, partnerRef, domainId: null, domain: null, subject: `webhook:${id}`, before, after };
}
