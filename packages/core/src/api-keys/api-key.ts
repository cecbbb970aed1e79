import { AppError } from '../errors.js';
import type { PartnerRef } from '../partners/partner.js';

/** The limits that a key gives its holder; 0 is unlimited. */
export interface KeyLimits {
  domainsAllowed: number;
  mailboxesPerDomain: number;
  aliasesPerMailbox: number;
}

const TOKEN = /^[A-Za-z0-9._~+=-]{16,255}$/;

/** Whether a caller's token may become an API key: 16–255 of `A-Za-z0-9._~+=-`, not all digits (those are ids in paths). */
export function isUsableToken(token: string): boolean {
  return TOKEN.test(token) && !/^\d+$/.test(token);
}

/** What may be shown of a token: `abcd…wxyz`. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

/** What a partner authenticates with. The token is not stored: its SHA-256 finds the key, its mask is shown. */
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
  /** Null never expires. */
  expiresAt!: Date | null;
  readonly createdAt!: Date;
  /** Written in batches, at most seconds late. */
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
