import type { AttentionReason, StoredReason } from '../attention/attention.js';
import type { Flow } from '../domains/flow.js';
import type { OutboundStatus } from '../outbound/outbound-settings.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { PlanName } from '../plans/plan.js';
import type { VerificationStatus } from '../relay/verification.js';
import type { CountedSearch, Search } from '../search.js';
import type { Domain, InboundState } from './domain.js';
import type { DomainName } from './domain-name.js';
import type { DomainSummary, DomainWithParent } from './domain-repository.js';

/** Conditions that are undefined are not checked. */
export interface DomainFilter {
  partnerRef?: PartnerRef | undefined;
  begins?: DomainBeginnings | undefined;
  status?: Domain['status'] | undefined;
  /** The status that `resolveDomain` returns. */
  verificationStatus?: VerificationStatus | undefined;
  outboundStatus?: OutboundStatus | undefined;
  inbound?: InboundState | undefined;
  plan?: PlanName | undefined;
  parent?: DomainName | undefined;
  externalRef?: string | undefined;
  /** True: only domains with a reason for attention (`attention.ts`). */
  attention?: true | undefined;
  /** Only domains with this reason. */
  attentionReason?: AttentionReason | undefined;
  /**
   * Only domains that may be in one of these flows (`overallFlow`): all that are, and others. The states themselves are
   * decided by `DomainStates`.
   */
  flows?: readonly Flow[] | undefined;
}

/** A domain meets it when one of these begins so. Null: nothing does. */
export interface DomainBeginnings {
  /** One of the texts of `searchedTextsOf`. */
  name: string | null;
  externalRef: string | null;
  /** The reference of the partner. */
  partnerRef: PartnerRef | null;
}

/** A found domain; `id` is that of the domain. `storedReasons`: see `attentionOf`. */
export type FoundDomain = DomainWithParent & { id: number; storedReasons: readonly StoredReason[] };

/** How many domains of one reason are counted, and how many rows of it are looked at. */
export const COUNTED_DOMAINS = 20_000;
/** How many domains of each reason are shown. */
export const FIRST_DOMAINS = 5;

/** The domains that need attention for one reason. */
export interface NeedingDomains {
  reason: AttentionReason;
  count: number;
  /** Whether there may be more than were counted. */
  more: boolean;
  /** The oldest ones, at most `FIRST_DOMAINS`; of suspended partners the oldest domain of each. */
  first: FoundDomain[];
}

/** Finds domains by what is known about them. A domain outside the scope, also as a parent, counts as absent. */
export abstract class DomainFinder {
  abstract summaries(scope: PartnerScope, filter: DomainFilter, now: Date): CountedSearch<DomainSummary>;
  abstract domains(scope: PartnerScope, filter: DomainFilter, now: Date): CountedSearch<FoundDomain>;
  /**
   * The same domains, for one who reads up to `MAX_LOOKED_AT` of them: when no more meet one of the conditions, their
   * ids are read at once. A first page costs more, and all pages together less.
   */
  abstract manyDomains(scope: PartnerScope, filter: DomainFilter, now: Date): Search<FoundDomain>;
  /** The reasons that domains have at present, in the order of `ATTENTION_REASONS`. */
  abstract needing(scope: PartnerScope, filter: Pick<DomainFilter, 'partnerRef'>, now: Date): Promise<NeedingDomains[]>;
}
