import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';

export interface SessionOptions {
  /** Whether the server ends transactions that send nothing for a second. Tests hold some longer. */
  endsSilentTransactions: boolean;
}

/**
 * A frozen process keeps the locks of its transaction. The server ends a transaction that sends nothing for this time,
 * so that the requests of other processes do not wait for it.
 */
const SILENT_TRANSACTION_S = 1;

/** @returns the statement that sets a session when its connection is opened */
export function sessionOf({ endsSilentTransactions }: SessionOptions): string {
  const lockWait = Math.ceil(deadline('databaseTurn') / SECOND_MS);
  const settings = {
    sql_mode: "'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    innodb_lock_wait_timeout: lockWait,
  };
  const ofMariadb = {
    tx_isolation: "'READ-COMMITTED'",
    ...(endsSilentTransactions ? { idle_transaction_timeout: SILENT_TRANSACTION_S } : {}),
  };
  // MySQL, which lacks these variables, reads a comment, and MariaDB one for MySQL.
  return `SET SESSION ${listOf(settings)}/*M!, ${listOf(ofMariadb)} *//*!50720 , transaction_isolation = 'READ-COMMITTED' */`;
}

function listOf(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}
