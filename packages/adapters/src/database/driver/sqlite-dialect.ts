import type { ColumnTypes, Dialect } from './dialect.js';

const COLUMN_TYPES: ColumnTypes = {
  id: { type: 'integer', primary: true, generated: 'increment' },
  big: { type: 'integer' },
  integer: 'integer',
  flag: 'integer',
  time: 'integer',
  json: 'text',
  bytes: () => ({ type: 'blob' }),
  collated: () => ({}),
};

/** The embedded SQLite. It runs on the main thread, and only one transaction runs at a time. */
export const SQLITE: Dialect = {
  name: 'sqlite',
  columnTypes: COLUMN_TYPES,
  hasOneWriter: true,
  hasPartitions: false,
  isReadByMailServers: false,
  // 100 mailboxes take 1 ms of the main thread.
  listChunkRows: 100,
  serverTime: null,
  // Eight database pages.
  probeLength: 32_768,
  // 64 database pages. The creation of a mailbox writes 18, and up to 40 when pages of indexes are split.
  probeLengthAfterRefusal: 262_144,
  forUpdate: '',
  forShare: '',
  skipLocked: '',
  // The key of a row may still be used.
  byPrimaryKey: ' NOT INDEXED',
  byIndex: (index) => (index === 'PRIMARY' ? ' NOT INDEXED' : ` INDEXED BY ${index}`),
  byUniqueKey: () => '',
  inThisOrder: '',
  limitedPart: (select, name) => `SELECT * FROM (${select}) AS ${name}`,
  insertOrIgnore: (table) => `INSERT OR IGNORE INTO ${table}`,
  onConflict: (key) => `ON CONFLICT (${key.join(', ')}) DO UPDATE SET`,
  keepOnConflict: (key) => `ON CONFLICT (${key}) DO NOTHING`,
  inserted: (column) => `excluded.${column}`,
  isSame: (left, right) => `${left} IS ${right}`,
  least: (...values) => `MIN(${values.join(', ')})`,
  greatest: (...values) => `MAX(${values.join(', ')})`,
  jsonText: (document, path) => `JSON_EXTRACT(${document}, '${path}')`,
  deleteSome: (table, condition) =>
    `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${condition} LIMIT ?)`,
  recreateTable: () => null,
};
