import { Clock, DatabaseClock, SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { withDeadline } from '../driver/deadline.js';
import { EmbeddedClock } from './embedded-clock.js';

/** The most by which the clocks of a process and of the database may differ. */
const MAX_SKEW_MS = 5 * SECOND_MS;

/**
 * Compares the clocks of process and database: days, months and expiry must be the same on all replicas. On the
 * embedded database, which has no second clock, a wrong clock stops only jobs and schedules, so it is a warning.
 */
@needs(Database, Clock, DatabaseClock, EmbeddedClock)
export class ClockCheck extends HealthCheck {
  override readonly name = 'clock';
  override readonly isWarning: boolean;

  constructor(
    { dialect }: Pick<Database, 'dialect'>,
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
    private readonly embedded: EmbeddedClock,
  ) {
    super();
    this.isWarning = dialect.serverTime === null;
  }

  override async problem(): Promise<string | null> {
    try {
      return (await this.examine()).wrong;
    } catch {
      return 'The time of the database cannot be read';
    }
  }

  /** @returns the time of the database, and what is wrong with the clock. @throws AppError database_unavailable */
  async examine(): Promise<{ at: Date; wrong: string | null }> {
    const asked = this.clock.now().getTime();
    const at = await withDeadline(this.databaseClock.time(), deadline('databaseHealth'));
    if (this.isWarning) return { at, wrong: await this.embedded.wrong(MAX_SKEW_MS) };
    const skewMs = Math.abs(at.getTime() - asked);
    const wrong =
      skewMs > MAX_SKEW_MS
        ? `The clocks of this process and of the database are ${Math.round(skewMs / 1_000)} s apart`
        : null;
    return { at, wrong };
  }
}
