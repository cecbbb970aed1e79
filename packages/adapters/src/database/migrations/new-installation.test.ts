import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database, Row } from '../driver/database.js';
import { onEachDatabase } from '../testing/database-fixture.js';
import { describeSchema } from '../testing/described-schema.js';
import { emptyDatabases, expectNewestSchema, installUntilKilled } from '../testing/empty-databases.js';
import { migrateAsFormer, runFormerSteps } from '../testing/former-release.js';
import { migrate } from './migrate.js';
import { steps } from './migrations.js';
import { installNewest, readSchema, schemaFile } from './new-installation.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

const { version } = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../../../package.json', import.meta.url)), 'utf8'),
) as { version: string };

/** Runs every step, as an installation of the first release has in the end. */
async function openStepped(kind: 'sqlite' | 'mariadb'): Promise<Database> {
  const database = await openOne(kind);
  const numberOfLast = Number(readSchema(database.dialect.name).lastStep.slice(-13));
  await runFormerSteps(database, ({ number }) => number < numberOfLast);
  await migrate(database);
  return database;
}

/** `npm run schema` writes the file anew. */
async function writeSchema(database: Database): Promise<void> {
  const all = steps(database.dialect);
  const { objects, rows } = await describeSchema(database);
  rows.delete('migration');
  const lastViews = new Map(all.flatMap(({ sql }) => [[/VIEW (\w+) AS/.exec(sql)?.[1] ?? '', sql] as const]));
  const created = [...objects].map(([name, sql]) => lastViews.get(name) ?? sql);
  const table = String(objects.get('migration'));
  const head = `-- The schema of release ${version}, up to the step ${all.at(-1)?.name}. Written by \`npm run schema\`.`;
  const statements = [
    table.replace('CREATE TABLE', 'CREATE TABLE IF NOT EXISTS'),
    ...created.filter((sql) => sql !== table),
    ...[...rows].map(([name, found]) => insertOf(name, found)),
  ];
  writeFileSync(schemaFile(database.dialect.name), `${head}\n\n${statements.map((sql) => `${sql};\n`).join('\n')}`);
}

function insertOf(table: string, rows: Row[]): string {
  const literal = (value: unknown) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value));
  const values = rows.map((row) => `  (${Object.values(row).map(literal).join(', ')})`);
  return `INSERT INTO ${table} (${Object.keys(rows[0] ?? {}).join(', ')}) VALUES\n${values.join(',\n')}`;
}

onEachDatabase((kind) => {
  it('a new installation has the schema, the rows and the recorded steps of one that ran all steps', async () => {
    const stepped = await openStepped(kind);
    if (process.env.MAILSTEAD_WRITE_SCHEMA === 'yes') await writeSchema(stepped);
    const created = await openOne(kind);
    expect(await migrate(created)).toBe(steps(created.dialect).length);
    expect(await describeSchema(created)).toEqual(await describeSchema(stepped));
    expect(await migrate(created)).toBe(0);
  });

  it('a process that is killed in the middle of a new installation leaves a database that the next start installs', async () => {
    const whole = await openOne(kind);
    await migrate(whole);
    const { statements } = readSchema(whole.dialect.name);
    const database = await openOne(kind);
    for (const count of [2, 3, 5, statements.length >> 1, statements.length + 2])
      await installUntilKilled(database, count);
    expect(await migrate(database)).toBe(steps(database.dialect).length);
    expect(await describeSchema(database)).toEqual(await describeSchema(whole));
  });

  it('a new installation that fails says why, and the next start does it', async () => {
    const database = await openOne(kind);
    const [name, again] = kind === 'sqlite' ? ['ix_alias_domain', 'already'] : ['mda_users', 'is not of type'];
    await database.writer.query(`CREATE TABLE ${name} (wrong INTEGER)`);
    await expect(migrate(database)).rejects.toThrow(new RegExp(`^The schema cannot be created: .*${again}`));
    await database.writer.query(`DROP TABLE ${name}`);
    expect(await migrate(database)).toBe(steps(database.dialect).length);
    await expectNewestSchema(database);
  });
});

it('an installation whose first step was killed in the former release goes on step by step', async () => {
  const database = await openOne('mariadb');
  await migrateAsFormer(database, () => false);
  for (const { sql } of steps(database.dialect).slice(0, 1)) await database.writer.query(sql);
  const runner = database.writer.createQueryRunner();
  expect(await installNewest(database, runner)).toBe(0);
  await runner.release();
  expect(await migrateAsFormer(database, ({ index }) => index < 10)).toBe(10);
  expect(await database.read('SELECT name FROM migration')).toHaveLength(10);
});

it('the schemas are those of this release', () => {
  for (const dialect of ['mysql', 'sqlite'] as const) {
    expect(readFileSync(schemaFile(dialect), 'utf8')).toMatch(`-- The schema of release ${version}, up to the step `);
  }
});
