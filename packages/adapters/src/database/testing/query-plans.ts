import { type Database, type Parameter, type Statement, textOrNull } from '../driver/database.js';

export interface QueryPlan {
  table: string;
  type: string;
  rows: number;
  /** The indexes among which the optimizer chooses; it looks each range up in each of them. */
  candidates: string[];
}

/** Runs the work. @returns the query plans of all its reads, on MariaDB @throws Error when it reads nothing */
export async function queryPlansOf(database: Database, work: () => Promise<unknown>): Promise<QueryPlan[]> {
  const read = database.read.bind(database);
  const together = database.together.bind(database);
  const readTogether = database.readTogether.bind(database);
  const statements: [string, Parameter[]][] = [];
  database.read = (sql: string, parameters: Parameter[]) => {
    statements.push([sql, parameters]);
    return read(sql, parameters);
  };
  const noted = (several: readonly (Statement | null)[]) => {
    for (const statement of several) if (statement !== null) statements.push([statement.sql, statement.parameters]);
    return several;
  };
  database.together = (several) => together(noted(several));
  database.readTogether = (several) => readTogether(noted(several));
  await work();
  Object.assign(database, { read, together, readTogether });
  if (statements.length === 0) throw new Error('The work reads nothing');
  const plans = await Promise.all(statements.map(([sql, parameters]) => read(`EXPLAIN ${sql}`, parameters)));
  return plans.flat().map((row) => ({
    table: String(row.table),
    type: String(row.type),
    rows: rowsOf(row.rows),
    candidates: (textOrNull(row.possible_keys) ?? '').split(',').filter((key) => key !== ''),
  }));
}

/** With a rowid filter, MariaDB writes the rows as `12 (3%)`. */
function rowsOf(rows: unknown): number {
  return typeof rows === 'string' ? Number.parseInt(rows, 10) : Number(rows);
}
