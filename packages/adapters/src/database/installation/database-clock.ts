import { Clock, DatabaseClock } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';

/**
 * Asks the server (on Galera, the node that runs the statement). The embedded database has the clock of the process.
 */
@needs(Database, Clock)
export class SqlDatabaseClock extends DatabaseClock {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async time(): Promise<Date> {
    const { serverTime } = this.database.dialect;
    if (serverTime === null) return this.clock.now();
    const [row] = await this.database.read<{ at: number }>(`SELECT ${serverTime} AS at`);
    return new Date(Number(row?.at));
  }
}
