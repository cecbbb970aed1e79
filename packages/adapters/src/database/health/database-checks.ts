import { SECOND_MS } from '@mailstead/core/clock';
import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { withDeadline } from '../driver/deadline.js';
import { WriteProbe } from './write-probe.js';

const RESPONSE_TIMEOUT_MS = 2 * SECOND_MS;

@needs(Database)
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
@needs(WriteProbe)
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
