import { createHash } from 'node:crypto';
import type { Dialect } from '../driver/dialect.js';
import { MYSQL } from '../driver/mysql-dialect.js';
import { SQLITE } from '../driver/sqlite-dialect.js';
import { addColumn, addIndex, exact, text, time } from './alterations.js';
import { steps } from './migrations.js';
import { type Migration, type Statement, stepsOf } from './step.js';

const LAST_OF_5_1 = 1772323345002;
/** The last step of release 5.0. */
const LAST_OF_5_0 = 1772323310000;

const TWO: Statement[] = [
  ['First', 'SELECT 1'],
  ['Second', 'SELECT 2'],
];

function namesOf(...list: Migration[]): string[] {
  return stepsOf(list, 'mysql').map(({ name }) => name);
}

it.each<{ dialect: Dialect; count: number; names: string; texts: string }>([
  { dialect: MYSQL, count: 212, names: 'dea69d9f5c6ddcd9', texts: '5ffabf9409cb8bd8' },
  { dialect: SQLITE, count: 231, names: '55286066f3d4d0d3', texts: '64d379b93ffa2cc4' },
])(
  'the steps of release 5.0 keep their names, their order and their statements on $dialect.name',
  ({ dialect, count, names, texts }) => {
    const former = steps(dialect).filter(({ number }) => number <= LAST_OF_5_0);
    const hashOf = (parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
    expect(former).toHaveLength(count);
    expect(hashOf(former.map(({ name }) => name))).toBe(names);
    expect(hashOf(former.map(({ sql }) => sql.replaceAll(/\s+/g, ' ')))).toBe(texts);
  },
);

it('the statements of a migration are numbered from its number on', () => {
  expect(namesOf({ at: 1772323251000, statements: TWO })).toEqual(['First1772323251000', 'Second1772323251001']);
});

it('the start fails when the number of a migration is not above that of each statement before it', () => {
  const first = { at: 1772323251000, statements: TWO };
  expect(namesOf(first, { at: 1772323251002, statements: TWO })).toHaveLength(4);
  for (const at of [1772323250999, 1772323251000, 1772323251001]) {
    expect(() => namesOf(first, { at, statements: TWO })).toThrow(
      `The migration ${at} must have a number above 1772323251001, the last one before it`,
    );
  }
});

it('a migration of one database has no step in the other one, and its number counts there too', () => {
  const first: Migration = { at: 1772323251000, only: 'sqlite', statements: TWO };
  expect(namesOf(first)).toEqual([]);
  expect(() => namesOf(first, { at: 1772323251000, statements: TWO })).toThrow('must have a number above');
});

it('a column is added to both databases with the type of the entity schemas', () => {
  expect(addColumn('mailbox', 'note', text(500))).toEqual({
    mysql: [
      [
        'AddMailboxNote',
        'ALTER TABLE `mailbox` ADD `note` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
      ],
    ],
    sqlite: [['AddMailboxNote', 'ALTER TABLE "mailbox" ADD COLUMN "note" varchar(500)']],
  });
  expect(addColumn('api_key', 'scope', exact(8, { default: 'manage' }))).toEqual({
    mysql: [
      [
        'AddApiKeyScope',
        "ALTER TABLE `api_key` ADD `scope` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'manage'",
      ],
    ],
    sqlite: [['AddApiKeyScope', `ALTER TABLE "api_key" ADD COLUMN "scope" varchar(8) NOT NULL DEFAULT ('manage')`]],
  });
  expect(addColumn('job', 'at', time({ default: 0, nullable: true })).mysql).toEqual([
    ['AddJobAt', 'ALTER TABLE `job` ADD `at` bigint NULL DEFAULT 0'],
  ]);
});

it('a migration that takes something away first stores the oldest release that can live without it', () => {
  const steps = stepsOf([{ at: 1772323251000, servedFrom: '5.2.0', statements: TWO }], 'sqlite');
  expect(steps.map(({ number }) => number)).toEqual([1772323251000, 1772323251001, 1772323251002]);
  expect(steps[0]?.sql).toBe("UPDATE installation SET value = '5.2.0' WHERE name = 'served_from'");
});

it('each migration since release 5.1 that takes something away says which releases can live without it', () => {
  const taking = steps(MYSQL).filter(
    ({ number, sql }) => number > LAST_OF_5_1 && /\b(DROP (TABLE|COLUMN)|DROP `|RENAME|MODIFY|CHANGE )/i.test(sql),
  );
  const marked = steps(MYSQL).filter(({ name }) => name.startsWith('RaiseServedFrom'));
  expect(taking.filter(({ number }) => !marked.some((mark) => mark.number < number))).toEqual([]);
});

it('an index is added to both databases', () => {
  expect(addIndex('ix_job_turn', 'job', ['state', 'id'], 'UNIQUE ')).toEqual({
    mysql: [['IndexIxJobTurn', 'CREATE UNIQUE INDEX `ix_job_turn` ON `job` (`state`, `id`)']],
    sqlite: [['IndexIxJobTurn', 'CREATE UNIQUE INDEX "ix_job_turn" ON "job" ("state", "id")']],
  });
});
