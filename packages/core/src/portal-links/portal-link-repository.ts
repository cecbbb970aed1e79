import type { KeyLimits } from '../api-keys/api-key.js';
import type { KeyChain } from '../api-keys/key-chain.js';
import type { Page } from '../page.js';
import type { PartnerRef, PartnerStage } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { PortalLink } from './portal-link.js';

/** A link with everything that decides who enters with it. Its domain still is its partner's. */
export interface FoundLink {
  link: PortalLink;
  partnerStage: PartnerStage | null;
  /** The key that made the link, with its makers; null when an operator made it. */
  chain: KeyChain | null;
  /** The lowest limits of the partner's keys, for a `manage` link of an operator; null: it has no active key. */
  lowestLimits: KeyLimits | null;
}

/**
 * Stores portal links. Those of a deleted domain and of a deleted key are deleted with it, and their sessions with
 * them.
 */
export abstract class PortalLinkRepository {
  /** Finds a link by the SHA-256 of its code, unless its domain has moved. */
  abstract findByCode(codeHash: string): Promise<FoundLink | null>;
  /** Locks the row until the end of the unit of work. @returns false when there is no such link */
  abstract lockByCode(codeHash: string): Promise<boolean>;
  /** Locks a link of a domain in the scope. */
  abstract lock(scope: PartnerScope, id: number): Promise<PortalLink | null>;
  abstract page(
    filter: { scope: PartnerScope; partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<PortalLink[]>;
  /**
   * The lowest limits of the active keys of the partner that an operator created, each limit by itself; null without
   * such a key.
   */
  abstract lowestLimits(partnerId: number, now: Date): Promise<KeyLimits | null>;
  /** Counts the links of the key that have not expired. */
  abstract countOpenOfKey(keyId: number, now: Date): Promise<number>;
  abstract add(link: PortalLink): Promise<PortalLink>;
  /** Stores when it was first used. */
  abstract saveUse(link: PortalLink): Promise<void>;
  abstract remove(link: PortalLink): Promise<void>;
  /** Deletes at most `limit` links that expired before `before`. @returns the number of deleted rows */
  abstract deleteExpired(before: Date, limit: number): Promise<number>;
}
