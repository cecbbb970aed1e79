import type { ColumnTypes, Dialect } from './dialect.js';

/** The driver returns large integers as text. */
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
  bytes: (length) => ({ type: 'varbinary', length }),
  collated: (charset, collation) => ({ charset, collation }),
};

/**
 * SQL expression: the clock of the server (on Galera, of the node) that runs the statement, epoch milliseconds. It has
 * one value in the hour that a zone with summer time has twice, also in the sessions of Postfix and Dovecot, which have
 * the zone of the server.
 */
export const MYSQL_TIME = "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)";

/** MariaDB and MySQL. */
export const MYSQL: Dialect = {
  name: 'mysql',
  columnTypes: COLUMN_TYPES,
  hasOneWriter: false,
  hasPartitions: true,
  isReadByMailServers: true,
  // 500 rows take 1 ms in this process, and each chunk takes a round trip.
  listChunkRows: 500,
  serverTime: MYSQL_TIME,
  probeLength: 1,
  probeLengthAfterRefusal: 1,
  forUpdate: ' FOR UPDATE',
  forShare: ' LOCK IN SHARE MODE',
  skipLocked: ' FOR UPDATE SKIP LOCKED',
  byPrimaryKey: ' FORCE INDEX (PRIMARY)',
  byIndex: (index) => ` FORCE INDEX (${index})`,
  byUniqueKey: (key) => ` FORCE INDEX (${key})`,
  inThisOrder: 'STRAIGHT_JOIN ',
  // A subselect would be written to a temporary table, which takes as long as the reading of twenty rows.
  limitedPart: (select) => `(${select})`,
  insertOrIgnore: (table) => `INSERT IGNORE INTO ${table}`,
  onConflict: () => 'ON DUPLICATE KEY UPDATE',
  keepOnConflict: (key) => `ON DUPLICATE KEY UPDATE ${key} = VALUES(${key})`,
  inserted: (column) => `VALUES(${column})`,
  isSame: (left, right) => `${left} <=> ${right}`,
  least: (...values) => `LEAST(${values.join(', ')})`,
  greatest: (...values) => `GREATEST(${values.join(', ')})`,
  jsonText: (document, path) => `JSON_VALUE(${document}, '${path}')`,
  deleteSome: (table, condition) => `DELETE FROM ${table} WHERE ${condition} LIMIT ?`,
  recreateTable: (table) => `TRUNCATE TABLE ${table}`,
};
