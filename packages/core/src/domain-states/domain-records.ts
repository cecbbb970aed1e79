import type { DomainName } from '../domains/domain-name.js';
import type { DomainWithParent } from '../domains/domain-repository.js';
import type { LedgerFacts } from '../outbound/outbound-ledger.js';
import type { PartnerScope } from '../partners/partner-scope.js';

/** A domain, and what decides its state beside the reasons that are stored with it. */
export interface DomainRecord {
  found: DomainWithParent;
  /** Also those of other domains, which were read for other callers at the same time. */
  facts: LedgerFacts;
}

/** Reads domains with what decides their states. */
export abstract class DomainRecords {
  /** As `DomainRepository.findWithParent`, and with the counters of the periods at `now`. */
  abstract find(scope: PartnerScope, name: DomainName, now: Date): Promise<DomainRecord | null>;
}
