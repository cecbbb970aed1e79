import { DAY_MS, HOUR_MS } from '../clock.js';

/** What a session ends with: an API key, a token of the settings (by its SHA-256), or a portal link. */
export type SessionOwner =
  | { kind: 'key'; id: number }
  | { kind: 'operator'; tokenHash: string }
  | { kind: 'link'; id: number; use: 'dns' | 'manage' };

/** The most sessions of a key, an operator or a `manage` link. A further one ends the oldest. */
const SESSIONS_PER_OWNER = 20;
/** The most sessions of a `dns` link, which many people may have. A further one ends the one that is unused longest. */
const SESSIONS_PER_DNS_LINK = 500;

/** How long a session of each kind lives at the most. */
const LONGEST_MS = { key: 7 * DAY_MS, operator: 10 * HOUR_MS, dns: 7 * DAY_MS, manage: 12 * HOUR_MS };

/** A login of the portal. Its cookie is found by the SHA-256 of its value, which is not stored. */
export class Session {
  readonly id!: number;
  /** SHA-256 of the cookie's value, 64 hex digits. */
  readonly tokenHash!: string;
  /** The owner: exactly one of the three is not null. */
  readonly keyId!: number | null;
  readonly operatorHash!: string | null;
  readonly linkId!: number | null;
  readonly createdAt!: Date;
  /** Written in batches, up to a few seconds late. */
  readonly lastUsedAt!: Date;
  /** When it ends, however much it is used. */
  readonly expiresAt!: Date;

  private constructor() {}

  /** @param latest when it ends at the latest, beside the limit of its kind */
  static open(tokenHash: string, owner: SessionOwner, now: Date, latest?: Date): Session {
    const longest = LONGEST_MS[owner.kind === 'link' ? owner.use : owner.kind];
    return Object.assign(new Session(), {
      id: 0,
      tokenHash,
      keyId: owner.kind === 'key' ? owner.id : null,
      operatorHash: owner.kind === 'operator' ? owner.tokenHash : null,
      linkId: owner.kind === 'link' ? owner.id : null,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(Math.min(now.getTime() + longest, latest?.getTime() ?? Number.POSITIVE_INFINITY)),
    });
  }
}

/** How many sessions an owner may have, and whether a further one ends the oldest or the one that is unused longest. */
export function sessionBoundOf(owner: SessionOwner): { most: number; ends: 'oldest' | 'unused longest' } {
  return owner.kind === 'link' && owner.use === 'dns'
    ? { most: SESSIONS_PER_DNS_LINK, ends: 'unused longest' }
    : { most: SESSIONS_PER_OWNER, ends: 'oldest' };
}
