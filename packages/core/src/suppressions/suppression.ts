import { DAY_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { token } from '../needs.js';
import type { PartnerRef } from '../partners/partner.js';
import type { SuppressedAddress } from './suppression-address.js';

export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'manual'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/**
 * The state of a lift that the relay provider has not confirmed. Meanwhile the suppression is listed without effect.
 */
export type LiftState = 'pending' | 'failed';

/** How long an event of the relay suppresses its recipient. What a caller made stays until it is deleted. */
export const SUPPRESSED_MS = { bounce: 90 * DAY_MS, complaint: 365 * DAY_MS } as const;

/** The `domainId` of a suppression for all domains of a partner: no id of a domain, and unlike null unique. */
export const WHOLE_PARTNER = 0;

export interface SuppressionOptions {
  /** The most rows of a partner, those of its deleted domains included. */
  maxPerPartner: number;
}
export const SuppressionOptions = token<SuppressionOptions>('SuppressionOptions');
export const SUPPRESSION_OPTIONS: SuppressionOptions = { maxPerPartner: 100_000 };

/** An address to which a domain, or every domain of a partner, does not send. */
export class Suppression {
  readonly id!: number;
  /** The partner that has the domain. */
  readonly partnerId!: number;
  /** Read with the suppression. */
  readonly partnerRef!: PartnerRef | null;
  /** `WHOLE_PARTNER`, or the domain. Rows of a deleted domain stay under its id until its name is forgotten. */
  readonly domainId!: number;
  /** Read with the suppression; null for all domains of the partner. */
  readonly domain!: DomainName | null;
  readonly address!: SuppressedAddress;
  readonly reason!: SuppressionReason;
  readonly note!: string | null;
  /** When it began. */
  readonly since!: Date;
  /** Null: never. */
  readonly expiresAt!: Date | null;
  /**
   * The address as the relay provider has it, whose letters may be capital; null: as `address`, and of one that was
   * made by hand, that no event was about it.
   */
  readonly spelling!: string | null;
  /** Null: it is not lifted. */
  readonly lift!: LiftState | null;

  private constructor() {}

  static create(values: Omit<Suppression, 'id' | 'spelling' | 'lift'>): Suppression {
    return Object.assign(new Suppression(), { id: 0, spelling: null, lift: null }, values);
  }
}
