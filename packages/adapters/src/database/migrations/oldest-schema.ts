import type { Database } from '../driver/database.js';

/** The last step of release 5.1. */
const LAST_OF_5_1 = 'IndexIxApiKeyName1772323345002';

const HAS_STEPS = {
  mysql:
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'migration'",
  sqlite: "SELECT name FROM sqlite_master WHERE name = 'migration'",
};
/** The row of an installation that was begun and not finished (`new-installation.ts`). */
const OF_BEGUN = 'NewInstallation';

/**
 * Refuses an installation that release 5.1 has not migrated to its end: what 5.1 copied and counted after its update
 * (partners of rows, texts of names, days, ids of increments) this release expects to be there.
 *
 * @throws Error for the operator
 */
export async function refuseOldSchema(database: Database): Promise<void> {
  if ((await database.read(HAS_STEPS[database.dialect.name])).length === 0) return;
  const rows = await database.read('SELECT name FROM migration WHERE name <> ?', [OF_BEGUN]);
  if (rows.length === 0 || rows.some(({ name }) => name === LAST_OF_5_1)) return;
  throw new Error(
    'The database is of a release before 5.1. Update to release 5.1 first and run it for a day (docs/upgrading.md); nothing was changed.',
  );
}
