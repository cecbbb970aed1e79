import { join } from 'node:path';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { preparePrivateDatabase } from '../../private-files.js';
import { DerivedRows } from '../derived/derived-rows.js';
import { derivedTables } from '../derived/derived-tables.js';
import { Database } from './database.js';
import { MYSQL } from './mysql-dialect.js';
import { isGaleraNode, takeConnection } from './mysql-driver.js';
import { preparingDriver } from './mysql-pool.js';
import { mysqlProbe } from './mysql-probe.js';
import { sessionOf } from './mysql-settings.js';
import { connectionTo, parseMysqlUrl } from './mysql-url.js';
import { ServiceDataSource } from './service-data-source.js';
import { SQLITE } from './sqlite-dialect.js';
import { WrittenNodes } from './written-nodes.js';

export interface DatabaseOptions {
  /** `mysql://user:password@host:port/name` (MariaDB 10.6 or later); null for the embedded SQLite file. */
  url: string | null;
  /** The folder of the embedded database. */
  dataDir: string;
  poolSize: number;
  /** Whether MariaDB ends transactions that send nothing for a second, for processes that may freeze. */
  endsSilentTransactions?: boolean;
  /** False for a caller that only reads, with one statement at a time: MariaDB then takes no second one in a text. */
  sendsTogether?: boolean;
  /** Gets the sentence of a server that refuses connections, once a minute. */
  onRefused?: (sentence: string) => void;
}

/** Opens the database, but does not migrate its schema (`migrate` does). */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url !== null) {
    const dataSource = await new ServiceDataSource(MYSQL, mysqlOptions(options.url, options))
      .initialize()
      .catch(throwReason);
    const nodes = new WrittenNodes(await isGalera(dataSource));
    const derived = new DerivedRows(derivedTables(MYSQL), MYSQL);
    return new Database(dataSource, dataSource, MYSQL, mysqlProbe(options.url), nodes, derived);
  }
  const { GuardedLibsql } = await import('./guarded-libsql.js');
  preparePrivateDatabase(sqliteFile(options.dataDir));
  const writer = await new ServiceDataSource(SQLITE, sqliteOptions(options.dataDir, GuardedLibsql)).initialize();
  // It runs texts of statements alone, and needs no description of the entities.
  const reader = await new DataSource(sqliteOptions(options.dataDir, GuardedLibsql)).initialize();
  const derived = new DerivedRows(derivedTables(SQLITE), SQLITE);
  return new Database(writer, reader, SQLITE, () => Promise.resolve(true), new WrittenNodes(false), derived);
}

/** Whoever opens a database tells the server's own sentence. */
function throwReason(error: unknown): never {
  throw error instanceof AppError && error.cause !== undefined ? error.cause : error;
}

async function isGalera(dataSource: DataSource): Promise<boolean> {
  const connection = await takeConnection(dataSource);
  try {
    return isGaleraNode(connection);
  } finally {
    connection.release();
  }
}

function mysqlOptions(
  url: string,
  { poolSize, endsSilentTransactions = false, sendsTogether = true, onRefused }: DatabaseOptions,
): DataSourceOptions {
  const { user: username, ...address } = connectionTo(parseMysqlUrl(url));
  return {
    type: 'mariadb',
    driver: preparingDriver({ session: sessionOf({ endsSilentTransactions }), url, onRefused }),
    ...address,
    username,
    poolSize,
    connectTimeout: 3_000,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    supportBigNumbers: true,
    bigNumberStrings: false,
    // For `Database.together` and `readTogether`. All other methods send one statement.
    multipleStatements: sendsTogether,
    extra: {
      enableKeepAlive: true,
      keepAliveInitialDelay: 30 * SECOND_MS,
      idleTimeout: MINUTE_MS,
      // mysql2 closes no free connection while this is the size of the pool.
      maxIdle: Math.max(1, poolSize - 1),
      gracefulEnd: true,
    },
  };
}

/** The file of the embedded database. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'mailstead.sqlite');
}

function sqliteOptions(dataDir: string, driver: unknown): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    driver,
    database: sqliteFile(dataDir),
    enableWAL: true,
    timeout: deadline('embeddedWriter'),
    prepareDatabase: (connection: { pragma(source: string): unknown }) => {
      connection.pragma(`busy_timeout = ${deadline('embeddedWriter')}`);
      connection.pragma('synchronous = FULL');
    },
  } as const satisfies DataSourceOptions;
}
