import { aboutPartner } from '../audit/about-partner.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import type { DomainName } from '../domains/domain-name.js';
import type { ApiKey } from './api-key.js';

export function aboutApiKey(
  { partnerId, partnerRef, tokenMask }: ApiKey,
  action: AuditAction,
  change: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry {
  return aboutPartner({ id: partnerId, ref: partnerRef }, action, { subject: tokenMask, ...change });
}

/** The fields of a key that an audit row shows. A key that a key made has no limits of its own. */
export function shownKey(key: ApiKey, domains: readonly DomainName[] | null): Record<string, unknown> {
  const limits = {
    domains_allowed: key.domainsAllowed,
    mailboxes_per_domain: key.mailboxesPerDomain,
    aliases_per_mailbox: key.aliasesPerMailbox,
  };
  return {
    ...(key.makerId === null ? limits : { made_by: key.makerId }),
    active: key.active,
    expires_at: key.expiresAt,
    name: key.name,
    scope: key.scope,
    domains,
  };
}
