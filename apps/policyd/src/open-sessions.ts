import { sessionKey } from './policy/recipient-memory.js';

/** An SMTP session, from the connection of the mail server to the milter on, which is before the login. */
export interface OpenedSession {
  /** By `OpenSessions.now`. */
  began: number;
  /** Null when the client is not known. */
  key: string | null;
}

/**
 * When each open SMTP session began. Requests of the policy protocol do not say it: they find their session by the
 * client's address and port. There are at most as many as the milter has connections.
 */
export class OpenSessions {
  private readonly byClient = new Map<string, OpenedSession>();

  /** @param now milliseconds of a clock that is never set back */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** Of two sessions with the same client, such as of two servers, the later one is found. */
  add(began: number, clientAddress: string, clientPort: string): OpenedSession {
    const session = { began, key: sessionKey(clientAddress, clientPort) };
    if (session.key !== null) this.byClient.set(session.key, session);
    return session;
  }

  remove(session: OpenedSession): void {
    if (session.key !== null && this.byClient.get(session.key) === session) this.byClient.delete(session.key);
  }

  /** When the session of a client began; undefined when that is not known. */
  beganOf(clientAddress: string | undefined, clientPort: string | undefined): number | undefined {
    const key = sessionKey(clientAddress, clientPort);
    return key === null ? undefined : this.byClient.get(key)?.began;
  }
}
