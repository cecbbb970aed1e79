import type { PartnerRef } from '../partners/partner.js';

/** What a domain used under a partner and a plan, in a month or on a day. */
export interface UsageRow {
  /** Null for a domain of no partner. */
  partnerRef: PartnerRef | null;
  /** The name of the domain, which may be deleted. */
  domain: string;
  /** The references that the domain had on the last of the days. */
  externalRef: string | null;
  billingRef: string | null;
  /** Null without a plan. */
  plan: string | null;
  /** The first and the last UTC day, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** The days that count for this partner: those on which it was the last to hold the name. */
  days: number;
  /** The highest number of mailboxes on one of these days, and the sum of each day's highest number. */
  mailboxesMax: number;
  mailboxDays: number;
  /** Megabytes of stored mail, likewise; null when no day has a sample. */
  storageMbMax: number | null;
  storageMbDays: number | null;
  /** Outside recipients of sent messages. */
  sent: number;
  /** Bytes of received, sent and read mail, and the received part of them. */
  bytes: number;
  bytesIn: number;
  /** Permanent bounces. */
  bounces: number;
}

/** The rows to read: of a month or of a day, of one partner (id) or of all (null). */
export interface UsageQuery {
  period: { month: string } | { day: string };
  partnerId: number | null;
}

/** The rows of some names, in the order of the names. */
export interface UsageChunk {
  rows: UsageRow[];
  /** What to read the next chunk with; null when nothing follows. */
  next: string | null;
}

/** Reads the usage of ended days, for invoices. Nothing is locked. */
export abstract class UsageReport {
  /**
   * Reads the next rows: those of at most `limit` names, or at most `limit` rows of a month whose days are no longer
   * kept. A month has one row for each name, partner and plan, the same before and after its days are summed, also
   * when that happens between two chunks.
   *
   * @param after empty at the beginning, then `next` of the chunk before
   */
  abstract read(query: UsageQuery, after: string, limit: number): Promise<UsageChunk>;
}
