import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { startHostileServer } from '../../../../../scripts/hostile-servers.mjs';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import { MYSQL, MYSQL_TIME } from '../driver/mysql-dialect.js';
import { openTestDatabase } from '../testing/database-fixture.js';
import { steps } from './migrations.js';

/** Times in Berlin: 02:30 of summer, and an hour later 02:30 of winter. */
const TIMES = ['2026-10-25T00:30:00.250Z', '2026-10-25T01:30:00.250Z', '2026-03-29T01:00:00Z'].map((at) =>
  Date.parse(at),
);

it('the time of statements and views is one time in the hour that the zone of the server has twice', async () => {
  const given = process.env.MAILSTEAD_TEST_MARIADB_URL;
  const server = await startHostileServer('zone');
  process.env.MAILSTEAD_TEST_MARIADB_URL = server.url;
  const opened = await openTestDatabase('mariadb');
  const { database, url } = opened;
  // As Postfix and Dovecot connect.
  const reader = await createConnection({ uri: url ?? '', connectTimeout: PATIENCE_MS });
  const ask = async (at: number, sql: string, values: unknown[] = []) => {
    const [rows] = await reader.query<RowDataPacket[]>(`SET STATEMENT timestamp = ${at / 1_000} FOR ${sql}`, values);
    return Object.values(rows[0] ?? {}).map(Number);
  };
  try {
    expect((await reader.query('SELECT @@time_zone AS zone, @@system_time_zone AS name'))[0]).toMatchObject([
      { zone: 'SYSTEM' },
    ]);
    // The former expression, to show that the server does have the hour twice.
    expect(await ask(TIMES[0] ?? 0, 'SELECT UNIX_TIMESTAMP(NOW(3)) * 1000')).toEqual([TIMES[1]]);
    await database.write('SET SESSION foreign_key_checks = 0');
    for (const at of TIMES) {
      expect(await ask(at, `SELECT ${MYSQL_TIME}`)).toEqual([at]);
      await database.write('DELETE FROM mta_domain');
      for (const [id, until] of [at - 1, at + 1].entries()) {
        await database.write(
          'INSERT INTO mta_domain (domain_id, domain, suspended, held, sends_until, retention_days, transfer_cap_mb) VALUES (?, ?, 0, 0, ?, 0, 0)',
          [id + 1, `d${id}.example`, until],
        );
      }
      for (const view of ['mta_domains', 'mta_domain_state']) {
        const held = (domain: string) => ask(at, `SELECT outbound_held FROM ${view} WHERE domain = ?`, [domain]);
        expect([await held('d0.example'), await held('d1.example')]).toEqual([[1], [0]]);
      }
    }
  } finally {
    await reader.end();
    await opened.close();
    process.env.MAILSTEAD_TEST_MARIADB_URL = given;
    await server.stop();
  }
});

it('no view of the newest schema has another time', async () => {
  const newest = new Map(
    steps(MYSQL).flatMap(({ sql }) => {
      const name = / VIEW (\w+) AS /.exec(sql)?.[1];
      return name === undefined ? [] : [[name, sql] as const];
    }),
  );
  expect(
    [...newest].filter(([, sql]) => /UNIX_TIMESTAMP|NOW\(|CURRENT_TIMESTAMP/.test(sql)).map(([name]) => name),
  ).toEqual([]);
});
