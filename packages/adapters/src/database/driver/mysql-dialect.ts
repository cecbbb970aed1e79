import type { ColumnTypes, Dialect } from './dialect.js';

/** The driver answers large integers as text. */
const number = {
  from: (value: unknown) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};

const COLUMN_TYPES: ColumnTypes = {
  id: { type: 'bigint', primary: true, generated: 'increment', transformer: number },
  big: { type: 'bigint', transformer: number },
  integer: 'int',
  flag: 'tinyint',
  time: 'bigint',
  json: 'mediumtext',
  collated: (charset, collation) => ({ charset, collation }),
};

/** Epoch milliseconds by the clock of the server, or of the node that runs the statement. */
export const MYSQL_TIME = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/** MariaDB and MySQL. */
export const MYSQL: Dialect = {
  name: 'mysql',
  columnTypes: COLUMN_TYPES,
  hasOneWriter: false,
  isReadByMailServers: true,
  // The server works elsewhere: 500 cost this process 1 ms, and each chunk a round trip.
  listChunkRows: 500,
  serverTime: MYSQL_TIME,
  probeLength: 1,
  forUpdate: ' FOR UPDATE',
  forShare: ' LOCK IN SHARE MODE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  byPrimaryKey: ' FORCE INDEX (PRIMARY)',
  byIndex: (index) => ` FORCE INDEX (${index})`,
  insertOrIgnore: (table) => `INSERT IGNORE INTO ${table}`,
  onConflict: () => 'ON DUPLICATE KEY UPDATE',
  keepOnConflict: (key) => `ON DUPLICATE KEY UPDATE ${key} = VALUES(${key})`,
  inserted: (column) => `VALUES(${column})`,
  least: (...values) => `LEAST(${values.join(', ')})`,
  greatest: (...values) => `GREATEST(${values.join(', ')})`,
  deleteSome: (table, condition) => `DELETE FROM ${table} WHERE ${condition} LIMIT ?`,
  makeAnew: (table) => `TRUNCATE TABLE ${table}`,
};
