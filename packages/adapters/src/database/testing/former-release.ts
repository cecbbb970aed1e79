import { formerRelease } from '@mailstead/core/testing/former-releases';
import type { Database } from '../driver/database.js';
import { migrate } from '../migrations/migrate.js';
import { steps } from '../migrations/migrations.js';

/**
 * Migrates as a former release did: it has only these steps, and runs them one after another. A list without the last
 * step of `schema/*.sql` gets no installation the newest schema at once.
 *
 * @returns the number of steps that were run
 */
export async function migrateAsFormer(
  database: Database,
  isKnown: (step: { number: number; index: number }) => boolean,
  pauseMs = 0,
): Promise<number> {
  const { writer } = database;
  const { migrations } = writer;
  const known = steps(database.dialect).map(({ number }, index) => isKnown({ number, index }));
  Object.assign(writer, { migrations: migrations.filter((_, index) => known[index]) });
  try {
    return await migrate(database, pauseMs);
  } finally {
    Object.assign(writer, { migrations });
  }
}

/**
 * Leaves what `migrateAsFormer` leaves, in a fraction of the time, because nothing is recorded before the last step.
 * For a test of what comes after these steps.
 */
export async function runFormerSteps(
  database: Database,
  isKnown: (step: { number: number; index: number }) => boolean,
): Promise<void> {
  const known = steps(database.dialect).filter(({ number }, index) => isKnown({ number, index }));
  const [first] = known;
  if (first === undefined) return;
  // TypeORM makes the table of the steps.
  await migrateAsFormer(database, ({ number }) => number === first.number);
  const recorded = new Set((await database.read('SELECT name FROM migration')).map(({ name }) => name));
  const missing = known.filter(({ name }) => !recorded.has(name));
  if (missing.length === 0) return;
  const runner = database.writer.createQueryRunner();
  if (database.dialect.name === 'sqlite') await runner.startTransaction();
  for (const { sql, fill } of missing) {
    await runner.query(sql);
    await fill?.(runner);
  }
  const rows = missing.map(({ number, name }) => `(${number}, '${name}')`);
  await runner.query(`INSERT INTO migration (timestamp, name) VALUES ${rows.join(', ')}`);
  if (runner.isTransactionActive) await runner.commitTransaction();
  await runner.release();
}

/**
 * Gives an empty database the schema that the newest of the former releases gives to a new installation, and records
 * its steps.
 *
 * @returns the name of its last step
 */
export async function installFormer({ dialect, writer }: Database): Promise<string> {
  const [head = '', ...statements] = formerRelease().file(`${dialect.name}.sql`).toString().split(';\n');
  const [comment = '', first = ''] = head.split('\n\n');
  const lastStep = /up to the step (\w+)/.exec(comment)?.[1] ?? '';
  const runner = writer.createQueryRunner();
  if (dialect.name === 'mysql') await runner.query('SET FOREIGN_KEY_CHECKS = 0');
  for (const sql of [first, ...statements.slice(0, -1)]) await runner.query(sql.trim());
  const names = writer.migrations.map(({ name }) => String(name));
  const rows = names.slice(0, names.indexOf(lastStep) + 1).map((name) => `(${name.slice(-13)}, '${name}')`);
  await runner.query(`INSERT INTO migration (timestamp, name) VALUES ${rows.join(', ')}`);
  if (dialect.name === 'mysql') await runner.query('SET FOREIGN_KEY_CHECKS = 1');
  await runner.release();
  return lastStep;
}
