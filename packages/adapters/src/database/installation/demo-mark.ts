import { needs } from '@mailstead/core/needs';
import { Database } from '../driver/database.js';
import { InstallationRow, readInstallation } from './installation.js';

const NAME = 'demo';

/** `unfinished`: the invented things exist, but not all of their settings and counts. */
type DemoState = 'unfinished' | 'finished';

/** The row of `installation` that says that all data of the database is invented. */
@needs(Database)
export class DemoMark {
  constructor(private readonly database: Database) {}

  /** Null for a database that is not a demo's. */
  async read(): Promise<DemoState | null> {
    const value = await readInstallation(this.database, NAME);
    if (value === null) return null;
    return value === 'finished' ? value : 'unfinished';
  }

  /** Part of the running unit of work. */
  async write(value: DemoState): Promise<void> {
    const insert = this.database.manager.createQueryBuilder().insert().into(InstallationRow);
    await insert.values({ name: NAME, value }).orUpdate(['value'], ['name']).execute();
  }
}
