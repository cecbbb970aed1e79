import type { AuditRow } from '../audit/audit-log.js';
import type { BlockReason } from '../domains/domain.js';
import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerSuspensions } from '../partners/partner-suspension.js';
import type { StopMessages } from '../partners/stop-messages.js';

/** The newest rows of the audit log of a domain, and of a partner, that `StopRecords` looks at. */
export const STOP_RECORD_ROWS = 2_000;

export interface StoppedDomains {
  /** The partner, when it is suspended; otherwise null. */
  suspendedPartner: PartnerRef | null;
  /** The sending domain, and its linked parent. */
  domains: readonly { id: number; name: DomainName }[];
}

/** What is stored about the state of a domain beside the facts of a verdict. */
export interface RecordedDomain {
  blockedReason: BlockReason | null;
  blockedAt: Date | null;
  /** See `Domain.bounceWindowStart`. */
  bounceWindowStart: Date | null;
  /** What operators tell the partner. */
  messages: StopMessages;
  createdAt: Date;
  verifiedAt: Date | null;
}

/** A change that may have begun or ended a stop. */
export type StopChange = Pick<
  AuditRow,
  'at' | 'action' | 'domain' | 'domainId' | 'partnerRef' | 'before' | 'after' | 'actorKind' | 'actor'
>;

export interface StopRecord {
  /** By id; a domain that was deleted meanwhile is absent. */
  domains: ReadonlyMap<number, RecordedDomain>;
  /** Of the partner that has the domains, in the order of the causes. */
  suspensions: PartnerSuspensions;
  /** Of these suspensions. */
  messages: StopMessages;
  /** Whether a reached transfer cap also defers incoming mail. */
  capDefersIncoming: boolean;
  /** Newest first. Those of the partner's suspension have no domain. */
  changes: readonly StopChange[];
}

/** What is stored about why the mail of a domain is stopped, and since when. */
export abstract class StopRecords {
  /** One round trip to the database. Of each name and partner at most `STOP_RECORD_ROWS` rows are looked at. */
  abstract read(stopped: StoppedDomains): Promise<StopRecord>;
  /** `StopRecord.capDefersIncoming` alone. */
  abstract capDefersIncoming(): Promise<boolean>;
}
