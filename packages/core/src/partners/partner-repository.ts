import type { Partner, PartnerRef } from './partner.js';

/** What a partner has and uses. `keys` counts its API keys, active or not. */
export interface PartnerSummary {
  id: number;
  ref: PartnerRef;
  domainsUsed: number;
  mailboxes: number;
  aliases: number;
  keys: number;
}

export abstract class PartnerRepository {
  /** Without a lock. @param ref null is the row of "no partner". @returns null when no such partner was made yet. */
  abstract find(ref: PartnerRef | null): Promise<Partner | null>;
  /** Locks the partner until the end of the unit of work; makes it when `ref` is new. Null is the row of "no partner". */
  abstract lockOrCreate(ref: PartnerRef | null): Promise<Partner>;
  /** Locks an existing partner. @throws Error when there is none: the caller holds a foreign key to it. */
  abstract lock(id: number): Promise<Partner>;
  /** Writes `domainCount` and `lastCreatedAt` of a locked partner. */
  abstract save(partner: Partner): Promise<void>;
  abstract summary(ref: PartnerRef): Promise<PartnerSummary | null>;
  /** Ordered by `ref`, those after `afterRef`. Partners without a key and without a domain do not exist any more. */
  abstract summaries(afterRef: string, limit: number): Promise<PartnerSummary[]>;
}
