import { type Clock, HOUR_MS } from '../clock.js';
import { AppError } from '../errors.js';
import type { Session } from './session.js';

/** A session of an operator ends after this time without a request. */
const OPERATOR_IDLE_MS = HOUR_MS;

/** Says which sessions have ended by time. */
export class SessionLifetime {
  /** @param idleMs how long a session that is no operator's may be unused */
  constructor(
    private readonly clock: Clock,
    private readonly idleMs: number,
  ) {}

  hasEnded({ operatorHash, lastUsedAt, expiresAt }: Session): boolean {
    const now = this.clock.now().getTime();
    const idleMs = operatorHash === null ? this.idleMs : OPERATOR_IDLE_MS;
    return expiresAt.getTime() <= now || lastUsedAt.getTime() + idleMs <= now;
  }

  /** @throws AppError invalid_session */
  refuseEnded(session: Session): void {
    if (this.hasEnded(session)) throw new AppError('invalid_session');
  }
}
