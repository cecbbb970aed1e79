import type { Domain } from '../domains/domain.js';

export const BOUNCE_LIST_KINDS = ['permanent', 'transient', 'complaint'] as const;
export type BounceListKind = (typeof BOUNCE_LIST_KINDS)[number];

/**
 * A recipient that did not get a message, or that complained about it. All texts are bounded, without control
 * characters.
 */
export interface Bounce {
  id: number;
  /** When the bounce or complaint happened. */
  at: Date;
  recipient: string;
  /** The envelope sender; null when the provider does not give it. */
  sender: string | null;
  kind: BounceListKind;
  /** The provider's name of the kind; null when it gives none. */
  subtype: string | null;
  /** What the recipient's server said, or the kind of the complaint; null when the provider does not give it. */
  diagnostic: string | null;
  messageId: string;
}

export interface NewBounce extends Omit<Bounce, 'id'> {
  domainId: number;
  /** The partner that had the domain when the message was sent. */
  partnerId: number;
}

/** Lists the bounces and complaints of each domain for 30 days. */
export abstract class BounceLog {
  /** In the caller's unit of work. */
  abstract add(bounces: readonly NewBounce[]): Promise<void>;
  /** The bounces of the domain under its present partner, with an id below `before`, newest first. */
  abstract page(domain: Pick<Domain, 'id' | 'partnerId'>, page: { before: number; limit: number }): Promise<Bounce[]>;
  /** Deletes bounces that happened before `before`, at most `limit`. @returns the number of deleted rows. */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
