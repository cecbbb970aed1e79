import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import type { Database, Parameter, Statement } from '../driver/database.js';
import { GuardedLibsql, type GuardedStatement } from '../driver/guarded-libsql.js';

/**
 * What a database reads: on MariaDB the pages that InnoDB asks its buffer pool for, and the rows; on SQLite the steps
 * of its virtual machine.
 */
export interface ReadCost {
  /** Runs the work twice. @returns the smaller cost, and the result */
  of<Result>(work: () => Promise<Result>): Promise<{ cost: number; result: Result }>;
  close(): Promise<void>;
}

/**
 * On a server without other clients. Rows alone would not do: they leave out those that an index condition skips. Pages
 * alone would not, because one page of an index has hundreds of rows.
 */
export async function pagesAndRowsOf(url: string): Promise<ReadCost> {
  const connection = await createConnection({ uri: url, connectTimeout: PATIENCE_MS });
  const read = async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      "SHOW GLOBAL STATUS WHERE Variable_name = 'Innodb_buffer_pool_read_requests' OR Variable_name IN ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev')",
    );
    if (rows.length !== 4) throw new Error('The server does not count pages and rows');
    return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
  };
  return {
    of: (work) =>
      lessOfTwo(async () => {
        const before = await read();
        const result = await work();
        return { cost: (await read()) - before, result };
      }),
    close: () => connection.end(),
  };
}

/** Runs each statement of the work again on a connection of its own, whose table `sqlite_stmt` counts the steps. */
export function stepsOf(database: Database, file: string): ReadCost {
  const connection = new GuardedLibsql(file);
  const counted = connection.prepare('SELECT SUM(nstep) AS steps FROM sqlite_stmt WHERE sql = ?');
  const prepared = new Map<string, GuardedStatement>();
  const stepsFor = ({ sql, parameters }: Statement): number => {
    const statement = prepared.get(sql) ?? connection.prepare(sql);
    prepared.set(sql, statement);
    const before = stepsUntilNow(sql);
    statement.all(...parameters);
    return stepsUntilNow(sql) - before;
  };
  const stepsUntilNow = (sql: string) => Number((counted.all(sql) as { steps: number | null }[])[0]?.steps);
  return {
    of: async (work) => {
      const { statements, result } = await readBy(database, work);
      return { cost: statements.reduce((sum, statement) => sum + stepsFor(statement), 0), result };
    },
    close: async () => connection.close(),
  };
}

/**
 * Runs each statement of the work again on a connection of its own, whose session counts the rows that it reads: those
 * of tables, indexes and temporary tables, and the entries of an index that its condition skips. Other clients of the
 * server do not change the number.
 */
export async function rowsOf(database: Database, url: string): Promise<ReadCost> {
  const connection = await createConnection({ uri: url });
  const rowsUntilNow = async () => {
    const [rows] = await connection.query<RowDataPacket[]>(
      "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Handler_icp_attempts'",
    );
    if (rows.length < 9) throw new Error('The server does not count rows');
    return rows.reduce((sum, { Value: value }) => sum + Number(value), 0);
  };
  // What the statement that counts reads itself.
  const begun = await rowsUntilNow();
  const own = (await rowsUntilNow()) - begun;
  return {
    of: async (work) => {
      const { statements, result } = await readBy(database, work);
      const before = await rowsUntilNow();
      for (const { sql, parameters } of statements) await connection.query(sql, parameters);
      return { cost: (await rowsUntilNow()) - before - own, result };
    },
    close: () => connection.end(),
  };
}

/** Runs the work. @returns its result, and the statements that read for it */
async function readBy<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<{ statements: Statement[]; result: Result }> {
  const statements: Statement[] = [];
  const read = database.read.bind(database);
  const together = database.together.bind(database);
  const readTogether = database.readTogether.bind(database);
  const note = (several: readonly (Statement | null)[]) => {
    for (const statement of several) if (statement !== null) statements.push(statement);
  };
  Object.assign(database, {
    read: (sql: string, parameters: Parameter[] = []) => {
      note([{ sql, parameters }]);
      return read(sql, parameters);
    },
    together: (several: readonly (Statement | null)[]) => {
      note(several);
      return together(several);
    },
    readTogether: (several: readonly (Statement | null)[]) => {
      note(several);
      return readTogether(several);
    },
  });
  try {
    return { result: await work(), statements };
  } finally {
    Object.assign(database, { read, together, readTogether });
  }
}

async function lessOfTwo<Result>(
  measure: () => Promise<{ cost: number; result: Result }>,
): Promise<{ cost: number; result: Result }> {
  const [first, second] = [await measure(), await measure()];
  return first.cost < second.cost ? first : second;
}
