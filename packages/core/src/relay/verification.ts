import { DAY_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { DnsRecord } from './dns-records.js';
import { DKIM_FOUND, type RelayIdentity, type RelayProvider } from './relay-provider.js';

export const VERIFICATION_STATUSES = ['unverified', 'pending', 'verified', 'failed'] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** The delays of the checks after the start of a verification; afterwards the 2-hour poll checks the domain. */
const CHECK_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS];

/** How long a read configuration set counts, because somebody may change it at the provider. */
export const CONFIGURATION_READ_EVERY_MS = 30 * DAY_MS;

/** What an identity must have at the provider. */
export interface WantedOfIdentity {
  /** `RelayProvider.configurationSet` */
  configurationSet: string | null;
  /** Whether it must be in a tenant once it is verified. */
  inTenant: boolean;
}

/** @returns what the settings of the provider want */
export function wantedOf({
  configurationSet,
  tenants,
}: Pick<RelayProvider, 'configurationSet' | 'tenants'>): WantedOfIdentity {
  return { configurationSet, inTenant: tenants !== null };
}

const NOTHING: WantedOfIdentity = { configurationSet: null, inTenant: false };

export type VerificationTransition = 'verified' | 'failed' | 'lost' | null;

/** The relay verification of one domain: the last state that the provider returned, and our ownership challenge. */
export class Verification {
  readonly domainId!: number;
  status!: VerificationStatus;
  /** `RelayIdentity.providerStatus` of the last provider response. */
  providerStatus!: string;
  /** The DNS records of the last provider response; empty until the provider has created them. */
  records!: DnsRecord[];
  startedAt!: Date | null;
  /** When the domain last became verified; null when it never was. */
  verifiedAt!: Date | null;
  /** When the provider returned that a verified domain is no longer verified; otherwise null. */
  lostAt!: Date | null;
  lastCheckedAt!: Date | null;
  /** When the provider was last called for a reader of the status; see `VerificationRepository.claimCheck`. */
  readonly lastAskedAt!: Date | null;
  lastError!: string | null;
  /** When the next separate check is due; null when only the poll checks the domain. */
  nextCheckAt!: Date | null;
  checkAttempt!: number;
  /** The token of our challenge: `_mailstead-challenge.<domain> TXT "token=<this>"`. */
  readonly ownershipToken!: string;
  /** True when `OWNERSHIP_REQUIRED` is set, or for a name that another partner had before. */
  readonly ownershipRequired!: boolean;
  ownershipSeenAt!: Date | null;
  /** The configuration set that the identity had when the provider was last asked; null for none, and before. */
  configurationSet!: string | null;
  /** When the identity's configuration set is next read at the provider; null before the identity exists there. */
  alignAt!: Date | null;
  /** The partner in whose tenant the provider has confirmed the identity; null for none. */
  tenantOf!: number | null;
  /** Since when the provider misses the DNS records of the verified identity; null when it finds them. */
  atRiskSince!: Date | null;
  /** When `domain.verification_at_risk` was last written; null when it never was. */
  atRiskAnnouncedAt!: Date | null;

  private constructor() {}

  static create(values: Pick<Verification, 'domainId' | 'ownershipToken' | 'ownershipRequired'>): Verification {
    return Object.assign(new Verification(), {
      status: 'unverified',
      providerStatus: 'not_started',
      records: [],
      startedAt: null,
      verifiedAt: null,
      lostAt: null,
      lastCheckedAt: null,
      lastAskedAt: null,
      lastError: null,
      nextCheckAt: null,
      checkAttempt: 0,
      ownershipSeenAt: null,
      configurationSet: null,
      alignAt: null,
      tenantOf: null,
      atRiskSince: null,
      atRiskAnnouncedAt: null,
      ...values,
    } satisfies Partial<Verification>);
  }

  /** Starts or restarts the verification. A verified domain stays verified until the provider returns another state. */
  start(now: Date): void {
    if (this.status !== 'verified') {
      this.status = 'pending';
      this.tenantOf = null;
    }
    this.startedAt = now;
    this.checkAttempt = 0;
    this.lastError = null;
    this.lastCheckedAt = null;
    this.nextCheckAt = null;
  }

  /** Whether the provider was called since the verification was (re)started. */
  get hasBeenChecked(): boolean {
    return (
      this.lastCheckedAt !== null && this.startedAt !== null && this.lastCheckedAt.getTime() >= this.startedAt.getTime()
    );
  }

  /**
   * Whether the provider has reported that it found the DKIM records: also while the ownership record is not seen, and
   * while it misses records that it found before.
   */
  get isDkimConfirmed(): boolean {
    if (this.status === 'verified') return true;
    return this.status === 'pending' && this.hasBeenChecked && this.providerStatus === DKIM_FOUND;
  }

  /**
   * Stores the provider's state. For a time-out call `postpone` instead.
   *
   * @param wanted an identity without it is due to get it
   * @returns the transition
   */
  applyIdentity(identity: RelayIdentity, now: Date, wanted = NOTHING): VerificationTransition {
    this.lastCheckedAt = now;
    this.providerStatus = identity.providerStatus;
    this.records = identity.records;
    this.lastError = identity.reason;
    if (identity.atRisk === null) this.atRiskSince = null;
    this.configurationSet = identity.configurationSet;
    const isAligned =
      identity.configurationSet === wanted.configurationSet &&
      (this.tenantOf !== null || !wanted.inTenant || identity.status !== 'verified');
    this.alignAt = nextAlignAt(isAligned, now);
    if (identity.status === 'verified') return this.markVerified(now);
    if (this.status === 'verified') return this.markLost(identity.status, now);
    return identity.status === 'failed' ? this.markFailed(identity.reason ?? 'The provider gave up', now) : null;
  }

  /**
   * Stores that the provider misses the records of the verified domain. @param reason of the time since when it misses
   * them
   *
   * @returns whether this is new, and was not announced within a day
   */
  noteRisk(missedSince: Date | null, reason: (since: Date) => string, now: Date): boolean {
    const isNew = this.atRiskSince === null;
    this.atRiskSince ??= missedSince ?? now;
    this.lastError = reason(this.atRiskSince);
    if (!isNew) return false;
    if (this.atRiskAnnouncedAt !== null && now.getTime() < this.atRiskAnnouncedAt.getTime() + DAY_MS) return false;
    this.atRiskAnnouncedAt = now;
    return true;
  }

  markFailed(reason: string, now: Date): VerificationTransition {
    this.lastCheckedAt = now;
    this.lastError = reason;
    this.nextCheckAt = null;
    this.atRiskSince = null;
    if (this.status === 'failed') return null;
    const wasVerified = this.status === 'verified';
    this.status = 'failed';
    this.tenantOf = null;
    if (!wasVerified) return 'failed';
    this.lostAt = now;
    return 'lost';
  }

  /**
   * Stores a failure that says nothing about the domain (a time-out): the status is not changed, and the next check is
   * planned.
   */
  postpone(reason: string, now: Date): void {
    // What the provider last said about the records is worth more than that it says nothing now.
    if (this.atRiskSince === null) this.lastError = reason;
    if (this.status === 'pending') this.planNextCheck(now);
  }

  /**
   * Plans the check after the one of now. A check before the planned time, for a reader of the status, changes no plan.
   */
  planNextCheck(now: Date): void {
    if (this.nextCheckAt !== null && now.getTime() < this.nextCheckAt.getTime()) return;
    const delayMs = CHECK_DELAYS_MS[this.checkAttempt];
    this.checkAttempt += 1;
    this.nextCheckAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
  }

  private markVerified(now: Date): VerificationTransition {
    if (this.ownershipRequired && this.ownershipSeenAt === null) {
      this.lastError = 'The ownership record was not seen yet';
      return null;
    }
    this.nextCheckAt = null;
    this.lostAt = null;
    if (this.status === 'verified') return null;
    this.status = 'verified';
    this.verifiedAt = now;
    return 'verified';
  }

  private markLost(status: 'pending' | 'failed', now: Date): VerificationTransition {
    this.status = status;
    // The identity may have been made anew, and is then in no tenant.
    this.tenantOf = null;
    this.lostAt = now;
    return 'lost';
  }
}

/** @param isAligned whether the identity has the configuration set and the tenant that it must have */
function nextAlignAt(isAligned: boolean, now: Date): Date {
  return isAligned ? new Date(now.getTime() + CONFIGURATION_READ_EVERY_MS) : now;
}

interface Inheritable {
  status: VerificationStatus;
}

/**
 * Whether a domain may send: it is verified, its linked parent is verified, or the grace after the loss of its verified
 * parent has not ended.
 */
export function isEffectivelyVerified(
  own: Inheritable,
  parent: Inheritable | null,
  inheritedUntil: Date | null,
  now: Date,
): boolean {
  if (own.status === 'verified' || parent?.status === 'verified') return true;
  return inheritedUntil !== null && now.getTime() < inheritedUntil.getTime();
}
