import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { TrailOwner, TrailRow } from './trail-row.js';
import type { TrailDirection, TrailState } from './trail-step.js';

/** Days since 1970 (UTC), both included. */
export interface DaySpan {
  first: number;
  last: number;
}

/** Who has a domain now. */
export interface DomainOwner extends TrailOwner {
  name: DomainName;
  /** When it began to have it. */
  since: Date;
  /** Whether its mail is delivered here. Mail to a domain that is not confirmed yet leaves as to any other. */
  isOpen: boolean;
}

/** Who had a domain name until it was moved or deleted. */
export interface FormerOwner extends TrailOwner {
  since: Date;
  until: Date;
}

export interface TrailFilter {
  domain?: DomainName | undefined;
  mailbox?: string | undefined;
  recipient?: string | undefined;
  messageId?: string | undefined;
  direction?: TrailDirection | undefined;
  state?: TrailState | undefined;
  /** Whether rows of other partners may lie between those of the scope, so that its own are walked through. */
  isShared?: boolean | undefined;
  /** The first moment. */
  since: Date;
  /** The first moment that is not included. */
  until: Date;
}

/** The refused messages of a domain, or of a mailbox here, in a span of one day. */
export interface RefusedRows extends Pick<TrailFilter, 'since' | 'until'> {
  domain?: DomainName;
  mailbox?: string;
  direction: TrailDirection;
}

/** A row without its steps. */
export type ListedTrail = Omit<TrailRow, 'steps'>;

export interface FoundTrail {
  rows: ListedTrail[];
  /** The id after which the list goes on; null at its end. */
  next: string | null;
  /** Number of rows that it looked at. */
  looked: number;
  /** Whether one of these is of the partner of the scope, which may not see it all the same. */
  hasOwn: boolean;
}

/** Whether what a caller reads is all there is. */
export interface TrailStanding {
  /** The most that a mail server's reports are behind, seconds. */
  behindS: number;
  /** The time of the first row that was not kept; null when all were. */
  gapsSince: Date | null;
}

/** Keeps the trails of messages by day, so that whole days can be dropped. */
export abstract class TrailStore {
  /**
   * Lets other reports about the same hosts wait until the end of the unit of work, so that two of them do not create
   * the same row.
   *
   * @param behindS by host, how long ago the newest step of its report happened, seconds
   */
  abstract lockHosts(behindS: ReadonlyMap<string, number>, at: Date): Promise<void>;
  /** Notes that rows of these partners are missing, each with the time of one of them. */
  abstract noteGaps(gaps: ReadonlyMap<number, Date>): Promise<void>;
  /** @param since reports before it say nothing about now */
  abstract readStanding(scope: PartnerScope, since: Date): Promise<TrailStanding>;
  /** When each of these hosts last reported; those that never did are left out. At most 100. */
  abstract lastReports(hosts: readonly string[]): Promise<Map<string, Date>>;
  /** Whether any mail server reported trails in the last 30 days. */
  abstract hasReports(): Promise<boolean>;
  /** Reads and locks the rows with these keys, each with the first day on which its row may be. */
  abstract lockRows(keys: ReadonlyMap<string, number>, days: DaySpan): Promise<TrailRow[]>;
  /** Reads and locks the rows with these ids of the relay. */
  abstract lockRelayed(relayIds: readonly string[], days: DaySpan): Promise<TrailRow[]>;
  /** Inserts rows, and changes those that exist. */
  abstract save(rows: readonly TrailRow[]): Promise<void>;
  /** Reads who has these domains now; absent ones are left out. */
  abstract ownersOf(names: readonly DomainName[]): Promise<Map<DomainName, DomainOwner>>;
  /**
   * Reads who had these names and ceased to after that time. Spans may be missing: those of a partner that created the
   * name again are not kept.
   */
  abstract formerOwnersOf(names: readonly DomainName[], after: Date): Promise<Map<DomainName, FormerOwner[]>>;
  /**
   * When a partner ceased to have a domain name, or another began to have it, whichever was earlier. 1970: it never had
   * the name in the last 90 days. Null: it has the name now.
   */
  abstract heldUntil(name: DomainName, partnerId: number): Promise<Date | null>;
  /** Counts the refused ones among the newest 20,000 rows of the span, and at most `limit` of them. */
  abstract countRefused(rows: RefusedRows, limit: number): Promise<number>;
  /**
   * Reads the rows before the id `before` (null: the newest), newest first, at most `limit` of them, and looks at a
   * limited number of rows. Rows outside the scope are no rows.
   */
  abstract search(scope: PartnerScope, filter: TrailFilter, before: string | null, limit: number): Promise<FoundTrail>;
  abstract find(scope: PartnerScope, id: string): Promise<TrailRow | null>;
  /**
   * Drops the days before the span, and makes what the days of the span need. Several processes may do so at the same
   * time. @returns the number of dropped days
   */
  abstract keepDays(days: DaySpan): Promise<number>;
  /** Forgets gaps of days that are no longer kept. */
  abstract forgetGaps(before: Date): Promise<number>;
  /** Deletes hosts that reported nothing since. */
  abstract forgetHosts(before: Date): Promise<number>;
  /** Reads the references of partners; null is that of no partner. */
  abstract refsOf(partnerIds: readonly number[]): Promise<Map<number, PartnerRef | null>>;
  /** Notes that an operator reads rows of a partner in an hour. @returns false when it was noted before */
  abstract noteReading(operator: string, partnerId: number, hour: Date): Promise<boolean>;
  /** Forgets who read before this hour. */
  abstract forgetReadings(before: Date): Promise<number>;
}
