import { AppError } from '../errors.js';
import type { PartnerRef } from '../partners/partner.js';

/** The limits of a key; 0 is unlimited. */
export interface KeyLimits {
  domainsAllowed: number;
  mailboxesPerDomain: number;
  aliasesPerMailbox: number;
}

const TOKEN = /^[A-Za-z0-9._~+=-]{16,255}$/;

/**
 * Whether a token can be used for a new API key: 16–255 characters of `A-Za-z0-9._~+=-`, and not only digits, because paths
 * name keys by numeric ids too.
 */
export function isUsableToken(token: string): boolean {
  return TOKEN.test(token) && !/^\d+$/.test(token);
}

/** The masked token that may be shown: `abcd…wxyz`. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

/**
 * The credential of a partner. The token is not stored: the key is found by the SHA-256 of the token, and lists show the
 * mask.
 */
export class ApiKey implements KeyLimits {
  readonly id!: number;
  readonly partnerId!: number;
  readonly partnerRef!: PartnerRef;
  /** SHA-256 of the token, 64 hex digits. */
  readonly tokenHash!: string;
  readonly tokenMask!: string;
  domainsAllowed!: number;
  mailboxesPerDomain!: number;
  aliasesPerMailbox!: number;
  active!: boolean;
  /** Null: the key does not expire. */
  expiresAt!: Date | null;
  readonly createdAt!: Date;
  /** Written in batches, up to a few seconds late. */
  readonly lastUsedAt!: Date | null;

  private constructor() {}

  static create(values: Omit<ApiKey, 'id' | 'lastUsedAt' | 'refuseUnusable'>): ApiKey {
    return Object.assign(new ApiKey(), { id: 0, lastUsedAt: null }, values);
  }

  /** @throws AppError api_key_inactive, api_key_expired */
  refuseUnusable(now: Date): void {
    if (!this.active) throw new AppError('api_key_inactive');
    if (this.expiresAt !== null && this.expiresAt <= now) throw new AppError('api_key_expired');
  }
}
