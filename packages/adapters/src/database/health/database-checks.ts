import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import type { Database } from '../driver/database.js';
import { withDeadline } from '../driver/deadline.js';
import type { WriteProbe } from './write-probe.js';

const RESPONSE_TIMEOUT_MS = 2 * SECOND_MS;
const MAX_SKEW_MS = 5 * SECOND_MS;

export class DatabaseCheck extends HealthCheck {
  override readonly name = 'database';

  constructor(private readonly database: Database) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      // Reads a table: a Galera node without a quorum accepts `SELECT 1`, but refuses every table.
      await withDeadline(this.database.read('SELECT name FROM installation LIMIT 1'), RESPONSE_TIMEOUT_MS);
      return null;
    } catch {
      return 'The database does not answer';
    }
  }
}

/** Checks that the database accepts writes. With a full disk it accepts only reads, and the process is not ready. */
export class DatabaseWriteCheck extends HealthCheck {
  override readonly name = 'database_writes';

  constructor(private readonly probe: WriteProbe) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      return await withDeadline(this.probe.problem(), RESPONSE_TIMEOUT_MS);
    } catch {
      return `The database has not taken a write within ${RESPONSE_TIMEOUT_MS / SECOND_MS} s`;
    }
  }
}

/** Compares the clocks of process and database: days, months and expiry must be the same on all replicas. */
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
        RESPONSE_TIMEOUT_MS,
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
