import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import type { Database } from '../driver/database.js';
import { withDeadline } from '../driver/deadline.js';
import type { WriteProbe } from './write-probe.js';

const ANSWER_WITHIN_MS = 2 * SECOND_MS;
const MAX_SKEW_MS = 5 * SECOND_MS;

export class DatabaseCheck extends HealthCheck {
  override readonly name = 'database';

  constructor(private readonly database: Database) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      // A table: a Galera node without a quorum answers `SELECT 1`, and refuses every table.
      await withDeadline(this.database.read('SELECT name FROM installation LIMIT 1'), ANSWER_WITHIN_MS);
      return null;
    } catch {
      return 'The database does not answer';
    }
  }
}

/** Reads go on where writes are refused, as on a full disk; a process that only reads does not serve. */
export class DatabaseWriteCheck extends HealthCheck {
  override readonly name = 'database_writes';

  constructor(private readonly probe: WriteProbe) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      return await withDeadline(this.probe.problem(), ANSWER_WITHIN_MS);
    } catch {
      return `The database has not taken a write within ${ANSWER_WITHIN_MS / SECOND_MS} s`;
    }
  }
}

/** Replicas that disagree about the time would disagree about days, months and expiry. */
export class ClockCheck extends HealthCheck {
  override readonly name = 'clock';

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async problem(): Promise<string | null> {
    const { serverTime } = this.database.dialect;
    if (serverTime === null) return null;
    try {
      const asked = this.clock.now().getTime();
      const rows = await withDeadline(
        this.database.read<{ at: number }>(`SELECT ${serverTime} AS at`),
        ANSWER_WITHIN_MS,
      );
      const skewMs = Math.abs(Number(rows[0]?.at) - asked);
      return skewMs > MAX_SKEW_MS
        ? `The clocks of this process and of the database are ${Math.round(skewMs / 1_000)} s apart`
        : null;
    } catch {
      return 'The time of the database cannot be read';
    }
  }
}
