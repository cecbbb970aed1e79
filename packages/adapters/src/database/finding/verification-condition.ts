import type { VerificationStatus } from '@mailstead/core/relay/verification';
import { condition } from './conditions.js';
import type { Condition } from './search-plan.js';

/** The status that `resolveDomain` returns. */
export function verificationCondition(status: VerificationStatus, now: Date): Condition {
  const own = '(SELECT v.status FROM verification v WHERE v.domain_id = d.id)';
  const ofParent = '(SELECT v.status FROM verification v WHERE v.domain_id = d.parent_id)';
  const inherited = `(COALESCE(${ofParent}, '') = 'verified' OR COALESCE(d.inherited_until, 0) > ?)`;
  return status === 'verified'
    ? condition(`(${own} = 'verified' OR ${inherited})`, now.getTime())
    : condition(`(${own} = ? AND NOT ${inherited})`, status, now.getTime());
}
