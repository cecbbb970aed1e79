import { AppError } from '../errors.js';
import type { ClientScope } from '../operators/caller.js';
import type { PartnerRef, PartnerStage } from '../partners/partner.js';

/** The limits of a key; 0 is unlimited. */
export interface KeyLimits {
  domainsAllowed: number;
  mailboxesPerDomain: number;
  aliasesPerMailbox: number;
}

const TOKEN = /^[A-Za-z0-9._~+=-]{16,255}$/;

/**
 * The fewest different characters of a token. It keeps out tokens that are guessed first, such as one repeated letter.
 */
export const MIN_TOKEN_VARIETY = 8;

/** @returns the number of different characters of a text. */
export function varietyOf(text: string): number {
  return new Set(text).size;
}

/** What `isUsableToken` asks for. */
export const TOKEN_RULE =
  'must have 16 to 255 characters of A-Z a-z 0-9 . _ ~ + = -, at least 8 different ones, and not only digits';

/**
 * Whether a token can be used for a new API key: 16–255 characters of `A-Za-z0-9._~+=-`, at least 8 different ones, and
 * not only digits, because paths name keys by numeric ids too.
 */
export function isUsableToken(token: string): boolean {
  return TOKEN.test(token) && !/^\d+$/.test(token) && varietyOf(token) >= MIN_TOKEN_VARIETY;
}

/** The most domains that a key can be limited to. With ten digits an id, their list fits what MySQL concatenates. */
export const MAX_KEY_DOMAINS = 90;

/** The masked token that may be shown: `abcd…wxyz`. */
export function maskToken(token: string): string {
  return `${token.slice(0, 4)}…${token.slice(-4)}`;
}

/**
 * The credential of a partner. The token is not stored: the key is found by the SHA-256 of the token, and lists show
 * the mask. A key that a key created is valid only while its maker is, and has the limits of the key that an operator
 * created (`KeyChain`).
 */
export class ApiKey implements KeyLimits {
  readonly id!: number;
  readonly partnerId!: number;
  readonly partnerRef!: PartnerRef;
  /** The stage of its partner's suspension, read with the key; null while the partner is active. */
  readonly partnerStage!: PartnerStage | null;
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
  /** At most 128 characters; null: none. */
  name!: string | null;
  scope!: ClientScope;
  /** Whether the key is limited to some domains; `domainIds` is not null then. Changed by `limitTo`. */
  isLimited!: boolean;
  /**
   * The domains that the key is limited to; null: all domains of the partner. An empty list is no domain: the rows of
   * the list go with the domains. Stored in a table of its own.
   */
  domainIds!: readonly number[] | null;
  /** The key that created this one; null: an operator. The rotation of the maker changes it. */
  readonly makerId!: number | null;
  /**
   * The id of the key by which the last rotation replaced it, which may be deleted by now; null: it was never rotated.
   */
  successorId!: number | null;
  /** See `raiseRevision`. */
  revision!: number;

  private constructor() {}

  static create(
    values: Omit<
      ApiKey,
      | 'id'
      | 'lastUsedAt'
      | 'isLimited'
      | 'successorId'
      | 'revision'
      | 'partnerStage'
      | 'refuseUnusable'
      | 'limitTo'
      | 'isEnded'
    > &
      Partial<Pick<ApiKey, 'partnerStage'>>,
  ): ApiKey {
    const computed = { id: 0, lastUsedAt: null, isLimited: values.domainIds !== null, successorId: null, revision: 1 };
    return Object.assign(new ApiKey(), { partnerStage: null }, values, computed);
  }

  /** @param domainIds null: all domains of the partner */
  limitTo(domainIds: readonly number[] | null): void {
    this.domainIds = domainIds;
    this.isLimited = domainIds !== null;
  }

  isEnded(now: Date): boolean {
    return this.expiresAt !== null && this.expiresAt <= now;
  }

  /** @throws AppError api_key_inactive, api_key_expired */
  refuseUnusable(now: Date): void {
    if (!this.active) throw new AppError('api_key_inactive');
    if (this.isEnded(now)) throw new AppError('api_key_expired');
  }
}
