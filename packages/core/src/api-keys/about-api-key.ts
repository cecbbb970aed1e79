import { aboutPartner } from '../audit/about-partner.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import { shownOf } from '../audit/shown-of.js';
import type { DomainName } from '../domains/domain-name.js';
import { ApiKey } from './api-key.js';

export function aboutApiKey(
  { partnerId, partnerRef, tokenMask }: ApiKey,
  action: AuditAction,
  change: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry {
  return aboutPartner({ id: partnerId, ref: partnerRef }, action, { subject: tokenMask, ...change });
}

const HIDDEN = [
  'id',
  'partnerId',
  'partnerRef',
  'partnerStage',
  'tokenHash',
  'tokenMask',
  'createdAt',
  'lastUsedAt',
  'isLimited',
  'domainIds',
  'makerId',
  'successorId',
  'revision',
] as const satisfies (keyof ApiKey)[];

const shownOfOperators = shownOf(ApiKey, { hide: HIDDEN });
const shownOfOwn = shownOf(ApiKey, {
  hide: [...HIDDEN, 'domainsAllowed', 'mailboxesPerDomain', 'aliasesPerMailbox'],
});

/** The fields of a key that an audit row shows. A key that a key created has no limits of its own. */
export function shownKey(key: ApiKey, domains: readonly DomainName[] | null): Record<string, unknown> {
  return key.makerId === null
    ? { ...shownOfOperators(key), domains }
    : { made_by: key.makerId, ...shownOfOwn(key), domains };
}
