import type { Slice } from '../../counts/row-counts.js';
import type { DomainName } from '../../domains/domain-name.js';
import type { DnsLack } from './dns-lacks.js';
import type { Lacks } from './judge-look.js';

/** When a domain is looked at, and what the looks at it have found. */
export interface Look extends Lacks {
  domainId: number;
  dueAt: Date;
  /** `held` by the brake: what is suspected does not count; `released`: it counts when the next look finds it too. */
  hold: 'held' | 'released' | null;
}

/** A domain that is due. */
export interface DueLook extends Pick<Look, 'domainId' | 'dueAt'> {
  name: DomainName;
  partnerId: number;
}

/** Why something that domains lack is not told, for the operator. */
export interface LooksStanding {
  /** How many domains are held by the brake. */
  held: number;
  /** Why no domain is looked at, a sentence; null when they are. */
  problem: string | null;
}

/** Stores the looks of the domains that need any record, and what all looks share. */
export abstract class DnsLooks {
  /** Makes the domains due at `at`, unless they are due earlier, in the unit of work of the caller. */
  abstract plan(domainIds: readonly number[], at: Date): Promise<void>;
  /** The same for a domain and those that are linked to it. */
  abstract planLinked(parentId: number, at: Date): Promise<void>;
  /**
   * Makes due within a day the domains of a slice that have no look, and are verified, or open with a mailbox or an
   * alias. @returns the number of domains
   */
  abstract planMissing(slice: Slice, now: Date): Promise<number>;
  /** When the first domain is due; null when none is. */
  abstract firstDue(): Promise<Date | null>;
  /** Up to `limit` due domains, some of each of the partners after `afterPartnerId`; none when these have none. */
  abstract due(afterPartnerId: number, now: Date, limit: number): Promise<DueLook[]>;
  /** Makes a due domain due at `until`, in case its look is interrupted. @returns false when another one took it */
  abstract claim(due: DueLook, until: Date): Promise<boolean>;
  abstract find(domainId: number): Promise<Look | null>;
  /** Locks the row until the end of the unit of work. The domain must be locked first. */
  abstract lock(domainId: number): Promise<Look | null>;
  /** Stores the look, and whether `dns_missing` is a reason of the domain for attention. */
  abstract save(look: Look): Promise<void>;
  /** Deletes the look of a domain that needs no record, and the reason. */
  abstract forget(domainId: number): Promise<void>;
  /** What each of the domains lacks; one that lacks nothing is left out. */
  abstract lacksOf(domainIds: readonly number[]): Promise<Map<number, DnsLack[]>>;
  /** Begins a round, or goes on with it until `until`. @returns false while another one runs */
  abstract holdRound(round: string, now: Date, until: Date): Promise<boolean>;
  /** Ends a round. @param problem that of `LooksStanding` */
  abstract endRound(round: string, problem: string | null): Promise<void>;
  /** Counts one more domain that begins to lack something on `day`. @returns false when there are `most` already */
  abstract admit(day: string, most: number): Promise<boolean>;
  abstract standing(): Promise<LooksStanding>;
  /** Releases the domains that are held, and makes them due at `at`. @returns the number of domains */
  abstract release(at: Date): Promise<number>;
  /** The number of all domains. */
  abstract domainCount(): Promise<number>;
}
