import { readFileSync } from 'node:fs';
import type { Connection, RowDataPacket } from 'mysql2/promise';

/** @returns the id of MariaDB's process, which runs on this machine */
export async function processOf(database: Connection): Promise<number> {
  const [rows] = await database.query<RowDataPacket[]>("SHOW VARIABLES LIKE 'pid_file'");
  return Number(readFileSync(String(rows[0]?.Value), 'utf8'));
}
