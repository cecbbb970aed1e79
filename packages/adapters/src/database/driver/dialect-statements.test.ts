import { systemActor } from '@mailstead/core/operators/actor';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { foundInTwos } from '@mailstead/core/testing/repository-world';
import { SqlAuditLog } from '../audit/audit-log.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import type { Database, Parameter } from './database.js';
import { isDuplicateError } from './database-error.js';

const AT = new FixedClock().now();
const ACTOR = systemActor('tests');

/** What statements and columns do is the same on both databases, although their text is not. */
onEachDatabase((kind) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ({ database } = opened);
  });
  afterAll(() => opened.close());

  /** The value of an expression; a number where the driver returns a large one as text. */
  const value = async (sql: string, ...parameters: Parameter[]) =>
    (await database.read(`SELECT ${sql} AS v`, parameters))[0]?.v;
  const stored = async () =>
    (await database.read('SELECT name, value FROM installation WHERE name LIKE ? ORDER BY name', ['t:%'])).map(
      (row) => `${String(row.name)}=${String(row.value)}`,
    );
  const insert = (name: string, to: string) =>
    database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [name, to]);

  describe('a statement', () => {
    beforeEach(async () => {
      await database.write('DELETE FROM installation WHERE name LIKE ?', ['t:%']);
      for (const name of ['t:a', 't:b', 't:c']) await insert(name, '1');
    });

    it('counts the rows that it found, also those that it did not change', async () => {
      const { affected } = await database.write('UPDATE installation SET value = ? WHERE name LIKE ?', ['1', 't:%']);
      expect(affected).toBe(3);
      const { affected: none } = await database.write("UPDATE installation SET value = '1' WHERE name = 't:absent'");
      expect(none).toBe(0);
    });

    it('inserts only rows that do not exist, and counts only these', async () => {
      const sql = `${database.dialect.insertOrIgnore('installation')} (name, value) VALUES ('t:a', '2'), ('t:d', '2')`;
      expect((await database.write(sql)).affected).toBe(1);
      expect(await stored()).toEqual(['t:a=1', 't:b=1', 't:c=1', 't:d=2']);
    });

    it('inserts rows, and writes the given columns of those that exist', async () => {
      const { dialect } = database;
      await database.write(
        `INSERT INTO installation (name, value) VALUES ('t:a', '2'), ('t:d', '2')
         ${dialect.onConflict(['name'])} value = ${dialect.inserted('value')}`,
      );
      expect(await stored()).toEqual(['t:a=2', 't:b=1', 't:c=1', 't:d=2']);
      await database.write(
        `INSERT INTO installation (name, value) VALUES ('t:a', '3'), ('t:e', '3') ${dialect.keepOnConflict('name')}`,
      );
      expect(await stored()).toEqual(['t:a=2', 't:b=1', 't:c=1', 't:d=2', 't:e=3']);
    });

    it('refuses a row whose key exists', async () => {
      expect(await insert('t:a', '2').catch(isDuplicateError)).toBe(true);
      expect(await stored()).toEqual(['t:a=1', 't:b=1', 't:c=1']);
    });

    it('deletes at most the given number of rows, and counts them', async () => {
      for (const name of ['t:x', 't:y', 't:z']) {
        await database.write("INSERT INTO idempotency (key_hash, body_hmac, created_at) VALUES (?, 'deleted', ?)", [
          name,
          AT.getTime(),
        ]);
      }
      const sql = database.dialect.deleteSome('idempotency', "body_hmac = 'deleted'");
      expect((await database.write(sql, [2])).affected).toBe(2);
      expect((await database.write(sql, [2])).affected).toBe(1);
      expect((await database.write(sql, [2])).affected).toBe(0);
    });

    it('takes a text of a path of a document, and nothing where there is none', async () => {
      const document = JSON.stringify({ domain: 'ünï "x" 🦊', deep: { n: 1 } });
      const { dialect } = database;
      expect(await value(dialect.jsonText('?', '$.domain'), document)).toBe('ünï "x" 🦊');
      expect(String(await value(dialect.jsonText('?', '$.deep.n'), document))).toBe('1');
      expect(await value(dialect.jsonText('?', '$.absent'), document)).toBeNull();
      expect(await value(dialect.jsonText('?', '$.absent'), null)).toBeNull();
    });

    it('takes the least and the greatest of several values, and null when one is null', async () => {
      const { dialect } = database;
      expect(Number(await value(dialect.least('?', '?', '?'), 3, 1, 2))).toBe(1);
      expect(Number(await value(dialect.greatest('?', '?', '?'), 3, 1, 2))).toBe(3);
      expect(await value(dialect.least('1', 'NULL'))).toBeNull();
      expect(await value(dialect.greatest('1', 'NULL'))).toBeNull();
    });

    it('adds up the largest numbers that a counter holds without an error of rounding', async () => {
      const half = (Number.MAX_SAFE_INTEGER - 1) / 2;
      const [row] = await database.read(
        'SELECT SUM(n) AS sum FROM (SELECT CAST(? AS SIGNED) AS n UNION ALL SELECT CAST(? AS SIGNED)) AS numbers',
        [half, half + 1],
      );
      expect(Number(row?.sum)).toBe(Number.MAX_SAFE_INTEGER);
    });
  });

  describe('a stored value', () => {
    const audit = () => new SqlAuditLog(database);
    const entry = (subject: string, more: object = {}) => ({
      action: 'domain.update' as const,
      partnerId: null,
      partnerRef: null,
      domainId: null,
      domain: null,
      subject,
      ...more,
    });
    const found = (filter: Parameters<SqlAuditLog['search']>[0]) => foundInTwos(audit().search(filter));

    it.each([
      ['letters outside the plane of most letters', '𠮷野家 👩‍👩‍👧‍👦'],
      ['255 emoji', '🦊'.repeat(255)],
      ['quotes, backslashes and wildcards', `'"\\%_\\'`],
      ['combined letters, which are not composed', 'e\u0301 é'],
    ])('of %s is read as it was written, and found by itself', async (_, text) => {
      const document = { text, list: [text, null, 1.5, Number.MAX_SAFE_INTEGER], empty: {} };
      await audit().append(ACTOR, AT, entry(text, { before: document, after: document }));
      const rows = await found({ subjects: [text] });
      expect(rows).toMatchObject([{ subject: text, before: document, after: document, at: AT }]);
    });

    it('differs from one in another case, or with another accent', async () => {
      for (const subject of ['Ünï', 'ünï', 'Uni']) await audit().append(ACTOR, AT, entry(subject));
      for (const subject of ['Ünï', 'ünï', 'Uni'])
        expect(await found({ subjects: [subject] })).toMatchObject([{ subject }]);
    });

    it('of a time has its milliseconds, also beyond 32 bits of seconds and before 1970', async () => {
      for (const time of ['2026-03-15T12:00:00.001Z', '2106-02-07T06:28:16.999Z', '1969-12-31T23:59:59.999Z']) {
        const at = new Date(time);
        await audit().append(ACTOR, at, entry(time));
        const until = new Date(at.getTime() + 1);
        expect(await found({ subjects: [time], since: at, until })).toMatchObject([{ at }]);
        expect(await found({ subjects: [time], since: until })).toEqual([]);
        expect(await found({ subjects: [time], until: at })).toEqual([]);
      }
    });
  });
});
