import type { Partner, PartnerRef, PartnerStage } from './partner.js';
import type { PartnerSuspensions } from './partner-suspension.js';
import type { StopMessages } from './stop-messages.js';

/** The numbers of a partner. `keys` counts its API keys, active or not. */
export interface PartnerSummary {
  id: number;
  ref: PartnerRef;
  externalRef: string | null;
  name: string | null;
  domainsUsed: number;
  mailboxes: number;
  aliases: number;
  keys: number;
  suspensions: PartnerSuspensions;
  /** What operators tell the partner about its suspensions. */
  stopMessages: StopMessages;
  /** Null while active. */
  stage: PartnerStage | null;
  revision: number;
  brandRevision: number;
}

/** The numbers of the whole installation. Domains without a partner are in them. */
export interface InstallationTotals {
  /** Those that have a summary. */
  partners: number;
  domains: number;
  mailboxes: number;
  aliases: number;
}

export abstract class PartnerRepository {
  /**
   * Reads a partner without a lock. @param ref null is the row of "no partner". @returns null when no such partner
   * exists.
   */
  abstract find(ref: PartnerRef | null): Promise<Partner | null>;
  /**
   * Locks the partner until the end of the unit of work; creates it when `ref` is new. Null is the row of "no partner".
   */
  abstract lockOrCreate(ref: PartnerRef | null): Promise<Partner>;
  /**
   * Locks an existing partner. @throws Error when it does not exist, which is a defect: the caller has a foreign key to
   * it.
   */
  abstract lock(id: number): Promise<Partner>;
  /** Writes a locked partner, except its ref. */
  abstract save(partner: Partner): Promise<void>;
  /** Writes the words by which a locked partner is found (`wordsOfPartner`), after a change of its name. */
  abstract saveWords(partner: Partner): Promise<void>;
  /** Null for an active partner without keys and domains. */
  abstract summary(ref: PartnerRef): Promise<PartnerSummary | null>;
  /** Sums the counts that partners and domains store: no mailbox is read. */
  abstract totals(): Promise<InstallationTotals>;
}
