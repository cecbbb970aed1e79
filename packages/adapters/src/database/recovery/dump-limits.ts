import { deadline } from '@mailstead/core/deadlines';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { connectionTo, parseMysqlUrl } from '../driver/mysql-url.js';

const NO_LIMIT = 2n ** 64n - 1n;

/**
 * `mariadb-dump` takes these settings from the server, and cannot set them: with a limit it would leave out rows and
 * columns without an error.
 *
 * @throws Error when a session of the server may not read everything
 */
export async function refuseLimitedDump(url: string): Promise<void> {
  const connection = await createConnection({
    ...connectionTo(parseMysqlUrl(url)),
    connectTimeout: deadline('databaseRead'),
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  try {
    const [rows] = await connection.query<RowDataPacket[]>(
      'SELECT @@sql_select_limit AS most_rows, @@sql_big_selects AS may_be_big',
    );
    const [row] = rows;
    if (BigInt(row?.most_rows) >= NO_LIMIT && Number(row?.may_be_big) === 1) return;
    throw new Error(
      'The database server limits what a session reads, so a backup would not be whole: take sql_select_limit, max_join_size and sql_big_selects out of its configuration and init_connect',
    );
  } finally {
    connection.destroy();
  }
}
