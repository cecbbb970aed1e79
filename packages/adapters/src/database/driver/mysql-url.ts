import type { ConnectionOptions } from 'mysql2';
import { parseServerUrl, WrongPart } from '../../server-url.js';
import { type MysqlTls, parseMysqlTls, sslOptionsOf } from './mysql-tls.js';

const EXAMPLE = 'mysql://user:password@host:3306/database';

/** Where a database is, as the pool, the probe and MariaDB's programs take it. */
export interface MysqlAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Null: connections are not encrypted. */
  tls: MysqlTls | null;
}

/**
 * Also reads the file that the URL names, so a later change of it has no effect on what is open.
 *
 * @throws WrongPart for a text that is no DATABASE_URL
 */
export function parseMysqlUrl(url: string): MysqlAddress {
  const { account, host, port, rest } = parseServerUrl(url, ['mysql', 'mariadb'], EXAMPLE);
  const [, database, query = null] = /^\/([A-Za-z0-9_-]+)(?:\?(.*))?$/s.exec(rest) ?? [];
  if (database === undefined) {
    throw new WrongPart(
      `must be like ${EXAMPLE}: the database must have a name of A-Z a-z 0-9 _ - and after it nothing but ?ssl-mode=`,
    );
  }
  return {
    host,
    port: port ?? 3_306,
    user: account?.user ?? '',
    password: account?.password ?? '',
    database,
    tls: parseMysqlTls(query, host),
  };
}

/** The options of the driver for a connection. */
export function connectionTo({ tls, ...address }: MysqlAddress): Omit<MysqlAddress, 'tls'> & ConnectionOptions {
  return tls === null ? address : { ...address, ssl: sslOptionsOf(tls) };
}
