import { SilentMeters } from '@mailstead/core/meters';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import { SqlStoredCopies } from '../copies/sql-stored-copies.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { SqlPartnerFinder } from '../partners/partner-finder.js';
import { onEachDatabase } from '../testing/database-fixture.js';
import { emptyDatabases } from '../testing/empty-databases.js';
import { installFormer, migrateAsFormer } from '../testing/former-release.js';
import { migrate } from './migrate.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const FIRST_STEP = 1772324062000;
/** More than are filled at once. */
const PARTNERS = 1_201;

const { openOne, close } = emptyDatabases();
afterEach(close);

/** As a process of the former release does, which knows no words. */
async function insert(database: Database, refs: readonly string[], name: string): Promise<void> {
  await database.write(
    `INSERT INTO partner (ref, name, domain_count, last_created_at) VALUES ${refs.map(() => '(?, ?, 1, 0)').join(', ')}`,
    refs.flatMap((ref) => [ref, name]),
  );
}

async function found(database: Database, words: string[]): Promise<number | undefined> {
  return (await new SqlPartnerFinder(database).search({ words }, NOW).count())?.count;
}

onEachDatabase((kind) => {
  it('partners of the former release are found by their words after the update, also when its fill was cut off', async () => {
    const database = await openOne(kind);
    await installFormer(database);
    await migrateAsFormer(database, ({ number }) => number < FIRST_STEP);
    await insert(
      database,
      Array.from({ length: PARTNERS }, (_, index) => `P-${index}`),
      'Straße Émile',
    );
    await migrateAsFormer(database, ({ number }) => number <= FIRST_STEP);
    await database.write("INSERT INTO partner_word (partner_id, word) VALUES (2, 'cut'), (2, 'p')");
    await migrate(database);
    expect(await found(database, ['emil', 'strass', 'p'])).toBe(PARTNERS);
    expect(await found(database, ['1200'])).toBe(1);
    expect(await found(database, ['cut'])).toBe(0);
  });

  it('partners that a process of the former release creates and renames beside this one are found after the daily check, which corrects them once', async () => {
    const database = await openOne(kind);
    await migrate(database);
    await insert(database, ['one', 'two'], 'Former');
    const copies = new SqlStoredCopies(database, new SqlUnitOfWork(database), new SilentMeters(), new SilentJobLog());
    const correct = () => copies.correct({ of: 1, remainder: 0 }, NOW);
    expect([await found(database, ['former']), await correct(), await found(database, ['former'])]).toEqual([0, 2, 2]);
    expect(await correct()).toBe(0);
    await database.write("UPDATE partner SET name = 'Later' WHERE ref = 'two'");
    expect(await correct()).toBe(1);
    expect([await found(database, ['former']), await found(database, ['later'])]).toEqual([1, 1]);
  });
});
