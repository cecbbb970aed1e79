import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { HealthCheck } from '@mailstead/core/health-check';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { withDeadline } from '../driver/deadline.js';
import { WriteProbe } from './write-probe.js';

@needs(Database)
export class DatabaseCheck extends HealthCheck {
  override readonly name = 'database';

  constructor(private readonly database: Database) {
    super();
  }

  override async problem(): Promise<string | null> {
    try {
      // Reads a table: a Galera node without a quorum accepts `SELECT 1`, but refuses every table.
      await withDeadline(this.database.read('SELECT name FROM installation LIMIT 1'), deadline('databaseHealth'));
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
      return await withDeadline(this.probe.problem(), deadline('databaseHealth'));
    } catch {
      return `The database has not taken a write within ${deadline('databaseHealth') / SECOND_MS} s`;
    }
  }
}
