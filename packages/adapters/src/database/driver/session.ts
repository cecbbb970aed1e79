export type Parameter = string | number | boolean | null | Parameter[];

export interface Statement {
  /** One statement with placeholders. */
  sql: string;
  parameters: Parameter[];
}

/** What a write did. */
export interface Written {
  affected: number;
  /** The first generated id of an insert. */
  insertId: number;
}

/** One connection for as long as it is somebody's: a transaction's, or a lone write's. */
export interface Session {
  /** @returns the rows. */
  read(sql: string, parameters: Parameter[]): Promise<unknown>;
  write(sql: string, parameters: Parameter[]): Promise<Written>;
  /** Runs statements in order, in one round trip where the database can. @returns the result of each. */
  together(statements: readonly Statement[]): Promise<unknown[]>;
  /** Before the first statement of a transaction. */
  begin(): Promise<void> | void;
  /** Runs the last statements of a transaction and commits it, in one round trip where the database can. */
  finish(statements: readonly Statement[]): Promise<void>;
  /** After `finish` there is nothing left to commit. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Gives the connection back. */
  release(): void;
  /** Closes the connection: nobody knows what it is in the middle of. */
  discard(): void;
}
