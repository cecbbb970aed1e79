/** Longer than any session: ten years. */
export const MAX_SESSION_AGE_MS = 315_360_000_000;

/**
 * The SMTP session that sends a message, by its age. Ages are compared instead of times, because the clocks of the mail
 * server and of the database may differ.
 */
export class OpenSession {
  private readonly began: number;

  /**
   * @param ageMs milliseconds since the session began, at this moment
   * @param ticks milliseconds of a clock that is never set back
   */
  constructor(
    ageMs: number,
    private readonly ticks: () => number = () => performance.now(),
  ) {
    this.began = ticks() - ageMs;
  }

  /**
   * Whether the session began before the right to log in was last taken away.
   *
   * @param revokedForMs milliseconds since then, read before this call; null for never
   */
  isRevoked(revokedForMs: number | null): boolean {
    return revokedForMs !== null && this.ticks() - this.began >= revokedForMs;
  }
}
