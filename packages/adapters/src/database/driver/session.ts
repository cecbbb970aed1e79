export type Parameter = string | number | boolean | null | Buffer | Parameter[];

export interface Statement {
  /** One SQL statement with `?` placeholders. */
  sql: string;
  parameters: Parameter[];
}

/** The result of a write. */
export interface Written {
  affected: number;
  /** The first generated id of an insert. */
  insertId: number;
}

/** The use of one connection for a transaction, or for one write outside a transaction. */
export interface Session {
  /** @returns the rows */
  read(sql: string, parameters: Parameter[]): Promise<unknown>;
  write(sql: string, parameters: Parameter[]): Promise<Written>;
  /** Runs statements in order, in one round trip if the database supports it. @returns the result of each */
  together(statements: readonly Statement[]): Promise<unknown[]>;
  /** Must be called before the first statement of a transaction. */
  begin(): Promise<void> | void;
  /** Runs the last statements of a transaction and commits, in one round trip if the database supports it. */
  finish(statements: readonly Statement[]): Promise<void>;
  /** Does nothing after `finish`. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Returns the connection to the pool. */
  release(): void;
  /** Closes the connection, because the state of its transaction is unknown. */
  discard(): void;
}
