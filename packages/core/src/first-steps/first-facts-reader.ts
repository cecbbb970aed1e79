import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { FirstFacts } from './first-steps.js';

/** Reads what exists in a scope, at a cost that does not depend on how much there is. */
export abstract class FirstFactsReader {
  /**
   * The domain is, among the domains of the scope, the newest verified one that has a mailbox, else the newest verified
   * one, else the newest unverified one, those with a mailbox first. Only some of the domains with a mailbox are looked
   * at, so another domain may be returned where most of these are not verified.
   *
   * @param partnerRef narrows the scope; a partner outside of the scope has nothing, like one that does not exist
   */
  abstract read(scope: PartnerScope, partnerRef: PartnerRef | undefined, now: Date): Promise<FirstFacts>;
}
