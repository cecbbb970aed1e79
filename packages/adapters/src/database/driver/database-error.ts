import { AppError } from '@mailstead/core/errors';
import { ChangedBeforeLock } from '@mailstead/core/unit-of-work';

const RETRIED = new Set([
  'ROW_CHANGED',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
]);
const DUPLICATE = new Set(['ER_DUP_ENTRY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
/** MariaDB's codes for a table, column, index or key that exists, or that is gone. */
const ALREADY_DONE = new Set([
  'ER_TABLE_EXISTS_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_DUP_CONSTRAINT_NAME',
  'ER_CANT_DROP_FIELD_OR_KEY',
  'ER_BAD_TABLE_ERROR',
]);
/** MariaDB reports a foreign key whose name exists as a table that it cannot create. */
const DUPLICATE_FOREIGN_KEY = /errno: 121\b/;
/** Codes for a database that cannot be reached, is stopping, or cannot write. */
const UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'POOL_CLOSED',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_CON_COUNT_ERROR',
  'ER_NORMAL_SHUTDOWN',
  'ER_ACCESS_DENIED_ERROR',
]);
/**
 * The prefixes of SQLite's codes for the same. Each prefix has many codes: SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC, …
 */
const SQLITE_UNAVAILABLE = /^SQLITE_(IOERR|READONLY|CANTOPEN|BUSY|LOCKED|PROTOCOL|NOMEM)(_|$)/;
const DISK_FULL = new Set(['SQLITE_FULL', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL']);
/**
 * MariaDB reports ENOSPC and EDQUOT under many error numbers (3, 1026, 1030, …), but always with one of these texts.
 */
const NO_SPACE = /(errcode|errno|error):? (28|122)\b|no space left on device|disk quota exceeded/i;
/**
 * Error numbers of a database that refuses writes. The driver has no names for some, or other names on MariaDB than on
 * MySQL.
 */
const READ_ONLY_NUMBERS = new Set([
  1036, // A table that was opened read-only
  1290, // --read-only
  1792, // A read-only transaction
  1836, // A read-only server
]);
const SQLITE_REFUSES_WRITES = /^SQLITE_(IOERR|READONLY)(_|$)/;
const CONNECTION_KILLED = 1927;
const UNAVAILABLE_NUMBERS = new Set([
  1047, // A Galera node that is not ready, or has no quorum, refuses every statement on tables.
  1180, // The commit failed in the cluster; whether the others have it is unknown.
  1317, // The statement was interrupted.
  CONNECTION_KILLED,
  1969, // The statement took longer than `max_statement_time`.
]);
const CLOSED_CONNECTION =
  /closed state|connection is closed|Connection lost|Pool is closed|Queue limit reached|database connection is not open/i;
/** Codes for a connection that ended; the server rolls back its transaction. */
const LOST_CONNECTION = new Set([
  'ECONNRESET',
  'EPIPE',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'ER_CONNECTION_KILLED',
]);
const NO_QUORUM = /not connected to Primary Component|WSREP has not yet prepared node/i;

/** A connection was lost before its COMMIT was sent, so nothing of the transaction is kept. */
export class LostBeforeCommit extends Error {
  constructor(cause: unknown) {
    super('The transaction ended with its connection', { cause });
  }
}

/** @returns whether the error means that the connection ended, whatever the server did with the statement */
export function isLostConnection(error: unknown): boolean {
  if (LOST_CONNECTION.has(databaseErrorCode(error)) || databaseErrorNumber(error) === CONNECTION_KILLED) return true;
  return error instanceof Error && /closed state|connection is closed|Connection lost/i.test(error.message);
}

/** @returns the driver's code of an error, or the empty string */
export function databaseErrorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const own = 'code' in error ? error.code : undefined;
  const inner = 'driverError' in error ? databaseErrorCode(error.driverError) : '';
  return inner !== '' ? inner : typeof own === 'string' ? own : '';
}

/** @returns the server's number of an error, or 0 */
function databaseErrorNumber(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  const inner = 'driverError' in error ? databaseErrorNumber(error.driverError) : 0;
  return inner !== 0 ? inner : 'errno' in error && typeof error.errno === 'number' ? error.errno : 0;
}

/**
 * @returns true for a deadlock, a lock time-out, a row that another process changed, or a connection that was lost
 * before the commit: a retry may succeed
 */
export function isRetriedError(error: unknown): boolean {
  if (error instanceof ChangedBeforeLock || error instanceof LostBeforeCommit) return true;
  return RETRIED.has(databaseErrorCode(error));
}

export function isDuplicateError(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return DUPLICATE.has(code) || (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(String(error)));
}

/** @returns true when a statement that changes the schema failed because the schema has the change already */
export function isAlreadyDoneError(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return ALREADY_DONE.has(code) || (code === 'ER_CANT_CREATE_TABLE' && DUPLICATE_FOREIGN_KEY.test(String(error)));
}

/** @returns AppError `disk_full` or `database_unavailable` for an error that means it; otherwise the same error */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return new AppError('disk_full', { cause: error });
  const code = databaseErrorCode(error);
  const away =
    UNAVAILABLE.has(code) ||
    SQLITE_UNAVAILABLE.test(code) ||
    READ_ONLY_NUMBERS.has(databaseErrorNumber(error)) ||
    UNAVAILABLE_NUMBERS.has(databaseErrorNumber(error)) ||
    (error instanceof Error && (CLOSED_CONNECTION.test(error.message) || NO_QUORUM.test(error.message)));
  return away ? new AppError('database_unavailable', { cause: error }) : error;
}

/** @returns a sentence that explains why the database refuses writes; null for every other error */
export function refusalOf(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause !== undefined) return refusalOf(cause);
  if (isDiskFull(error)) return 'The disk of the database is full';
  const code = databaseErrorCode(error);
  const isReadOnly = READ_ONLY_NUMBERS.has(databaseErrorNumber(error)) || SQLITE_REFUSES_WRITES.test(code);
  return isReadOnly ? `The database does not write (${code})` : null;
}

function isDiskFull(error: unknown): boolean {
  const code = databaseErrorCode(error);
  return DISK_FULL.has(code) || (/^E[ER]_/.test(code) && error instanceof Error && NO_SPACE.test(error.message));
}
