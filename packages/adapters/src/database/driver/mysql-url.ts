import { parseServerUrl, WrongPart } from '../../server-url.js';

const EXAMPLE = 'mysql://user:password@host:3306/database';

/** Where a database is, as the pool, the probe and MariaDB's programs take it. */
export interface MysqlAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** @throws WrongPart for a text that is no DATABASE_URL */
export function parseMysqlUrl(url: string): MysqlAddress {
  const { account, host, port, rest } = parseServerUrl(url, ['mysql', 'mariadb'], EXAMPLE);
  const database = /^\/([A-Za-z0-9_-]+)$/.exec(rest)?.[1];
  if (database === undefined) {
    throw new WrongPart(
      `must be like ${EXAMPLE}: the database must have a name of A-Z a-z 0-9 _ - and nothing after it`,
    );
  }
  return { host, port: port ?? 3_306, user: account?.user ?? '', password: account?.password ?? '', database };
}
