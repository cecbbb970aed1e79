import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';

export interface SessionOptions {
  /**
   * Whether the server ends transactions that send nothing for a second, and connections that nobody uses. Tests hold
   * some longer, and so does a restore.
   */
  endsSilentTransactions: boolean;
}

type Settings = Record<string, string | number>;

/** The largest number of rows, and so none. */
const NO_LIMIT = '18446744073709551615';

/** What every statement relies on, whatever the server is set to. Never DEFAULT, which is the server's. */
const SETTINGS: Settings = {
  sql_mode: "'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  character_set_client: "'utf8mb4'",
  character_set_results: "'utf8mb4'",
  // Sets the character set of the connection too.
  collation_connection: "'utf8mb4_bin'",
  time_zone: "'+00:00'",
  autocommit: 1,
  completion_type: 0,
  foreign_key_checks: 1,
  unique_checks: 1,
  sql_safe_updates: 0,
  sql_auto_is_null: 0,
  sql_select_limit: NO_LIMIT,
  sql_big_selects: 1,
  group_concat_max_len: 1_048_576,
  max_sort_length: 1_024,
  div_precision_increment: 4,
  default_storage_engine: "'InnoDB'",
  // Some errors are known by their texts.
  lc_messages: "'en_US'",
};

const OF_MARIADB: Settings = {
  tx_isolation: "'READ-COMMITTED'",
  tx_read_only: 0,
  check_constraint_checks: 1,
  // Seconds; without an end. `MysqlReads` gives each read its own.
  max_statement_time: 0,
  max_recursive_iterations: 4_294_967_295,
  idle_readonly_transaction_timeout: 0,
  idle_write_transaction_timeout: 0,
};

const OF_MYSQL: Settings = {
  transaction_isolation: "'READ-COMMITTED'",
  transaction_read_only: 0,
  max_execution_time: 0,
  cte_max_recursion_depth: 4_294_967_295,
};

/**
 * A frozen process keeps the locks of its transaction. The server ends a transaction that sends nothing for this time,
 * so that the requests of other processes do not wait for it. MySQL has no such variable.
 */
const SILENT_TRANSACTION_S = 1;

/**
 * The pool closes a connection that was free for a minute. When a firewall forgot it, or the process is gone without a
 * word, the server would keep it for hours, and refuse new ones in the end.
 */
const UNUSED_CONNECTION_S = 180;

/** @returns the one statement that sets a session when its connection is opened */
export function sessionOf({ endsSilentTransactions }: SessionOptions): string {
  const all = {
    ...SETTINGS,
    innodb_lock_wait_timeout: lockWaitS(),
    lock_wait_timeout: lockWaitS(),
    ...(endsSilentTransactions ? { wait_timeout: UNUSED_CONNECTION_S } : {}),
  };
  const ofMariadb = { ...OF_MARIADB, idle_transaction_timeout: endsSilentTransactions ? SILENT_TRANSACTION_S : 0 };
  // Each server reads what only the other one knows as a comment.
  return `SET SESSION ${assigned(all)} /*M!, ${assigned(ofMariadb)} */ /*!80003 , ${assigned(OF_MYSQL)} */`;
}

/** How long a statement waits for a row, or for a table that another one changes, seconds. */
export function lockWaitS(): number {
  return Math.ceil(deadline('databaseTurn') / SECOND_MS);
}

function assigned(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ');
}
