import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@mailstead/core/errors';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { DataSource } from 'typeorm';
import { giveBack, giveUp, type MysqlConnection, poolSizeOf, query, takeConnection } from './mysql-driver.js';
import { ReadShares } from './read-shares.js';
import { type Reader, refuseGone } from './reader.js';
import { withRetries } from './retry.js';
import type { Statement } from './session.js';

/** The connection that a read uses, while it waits for its answer. */
interface Use {
  connection: MysqlConnection | null;
}

/** A partner's statements hold at most this part of the connections. */
const PART_OF_A_PARTNER = 4;
/** The requests of a partner that wait at most for its share: more than a browser and a few programs send at once. */
const MOST_WAITING = 200;
/** The server ends a statement this long before its answer is given up, so that nothing runs on afterwards. */
const MARGIN_MS = 100;
const SHORTEST_MS = 1;

/**
 * Reads outside a unit of work on MariaDB, on the connections of the pool. Each has one time limit for its share of the
 * connections, for a connection and for its answer, and the server knows what is left of it.
 */
export class MysqlReads {
  private readonly shares: ReadShares;

  constructor(
    private readonly dataSource: DataSource,
    private readonly limitMs: number,
  ) {
    this.shares = new ReadShares(Math.max(1, Math.floor(poolSizeOf(dataSource) / PART_OF_A_PARTNER)), MOST_WAITING);
  }

  /**
   * Runs the statements as one text. @returns the result of each @throws AppError database_unavailable, busy,
   * request_cancelled
   */
  async run(reader: Reader, statements: readonly Statement[]): Promise<unknown[]> {
    const endsAt = performance.now() + this.limitMs;
    const use: Use = { connection: null };
    // The place is held until the connection is free.
    const answer = this.shares.run(reader, this.limitMs, () =>
      // A change on another Galera node may abort even a read outside a unit of work.
      withRetries(() => this.send(reader, statements, endsAt, use)),
    );
    return await withTimeout(answer, this.limitMs, async () => {
      // An answer that arrived while the process was busy is read first.
      await nextTurn();
      // The server, which ends the statement, would have said so.
      if (use.connection !== null) giveUp(use.connection);
      throw new AppError('database_unavailable');
    });
  }

  private async send(reader: Reader, statements: readonly Statement[], endsAt: number, use: Use): Promise<unknown[]> {
    const connection = await takeConnection(this.dataSource);
    try {
      refuseGone(reader);
      const leftMs = endsAt - performance.now() - MARGIN_MS;
      if (leftMs < SHORTEST_MS) throw new AppError('database_unavailable');
      const sql = statements.map((statement) => limited(statement.sql, leftMs)).join('; ');
      const parameters = statements.flatMap((statement) => statement.parameters);
      use.connection = connection;
      const results = await query(connection, sql, parameters);
      return statements.length === 1 ? [results] : (results as unknown[]);
    } finally {
      use.connection = null;
      giveBack(connection);
    }
  }
}

/**
 * Not a session variable: the connections of the pool also run the statements of units of work, which have no limit.
 */
function limited(sql: string, ms: number): string {
  // MySQL, which does not know it, reads a comment.
  return `/*M! SET STATEMENT max_statement_time = ${(ms / 1_000).toFixed(3)} FOR */ ${sql}`;
}
