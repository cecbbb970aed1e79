export type Parameter = string | number | boolean | null | Parameter[];

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
  begin(): Promise<unknown>;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
  /** Gives the connection back. */
  release(): void;
  /** Closes the connection: nobody knows what it is in the middle of. */
  discard(): void;
}
