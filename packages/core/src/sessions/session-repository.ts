import type { KeyChain } from '../api-keys/key-chain.js';
import type { FoundLink } from '../portal-links/portal-link-repository.js';
import type { Session, SessionOwner } from './session.js';

/** A session with everything that decides who its caller is. */
export interface FoundSession {
  session: Session;
  /** The key of the session, with its makers. */
  chain: KeyChain | null;
  /** The link of the session; null also when its domain has moved. */
  link: FoundLink | null;
}

export abstract class SessionRepository {
  /**
   * Finds a session by the SHA-256 of its cookie. All rows are read after the call begins and are not cached;
   * concurrent calls share a statement.
   */
  abstract findByHash(tokenHash: string): Promise<FoundSession | null>;
  /** Stores a session, and ends others of its owner beyond the bound (`sessionBoundOf`). */
  abstract add(session: Session, owner: SessionOwner): Promise<Session>;
  /** The stored sessions of the owner, oldest first; some may have ended. */
  abstract list(owner: SessionOwner): Promise<Session[]>;
  /** Ends one session of the owner. @returns false when the owner has no such session */
  abstract remove(owner: SessionOwner, id: number): Promise<boolean>;
  /** Ends all sessions of the owner. */
  abstract removeAll(owner: SessionOwner): Promise<void>;
  /**
   * Stores when the session was used. Returns at once; the time is written with the next batch, a few seconds later.
   */
  abstract touch(session: Session, at: Date): void;
  /** Deletes at most `limit` sessions that expired. @returns the number of deleted rows */
  abstract deleteExpired(now: Date, limit: number): Promise<number>;
}
