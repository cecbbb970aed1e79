import type { EntitySchema } from 'typeorm';
import type { Database, Statement } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** One row for each gap: the newest position that was given before a restore, and the last one that it skipped. */
export function eventGapSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('EventGapRow', 'event_gap', {
    columns: {
      afterPosition: columns.big({ name: 'after_position', primary: true }),
      lastPosition: columns.big({ name: 'last_position' }),
    },
  });
}

/**
 * Skips so many positions: the installation that the backup is of may have given them since, and its readers must not
 * take newer events for those that they have read. A restore right after another one makes the former gap longer.
 */
export async function skipPositions(database: Database, count: number): Promise<void> {
  const raised = 'UPDATE event_position SET last_position = last_position + ? WHERE id = 1';
  const gap = `SELECT COALESCE((SELECT g.after_position FROM event_gap g WHERE g.last_position = p.last_position), p.last_position) AS begins, p.last_position + ? AS ends
     FROM event_position p WHERE p.id = 1`;
  const [found] = await database.read<{ begins: number; ends: number }>(gap, [count]);
  const begins = Number(found?.begins);
  const statements: Statement[] = [
    { sql: 'DELETE FROM event_gap WHERE after_position = ?', parameters: [begins] },
    {
      sql: 'INSERT INTO event_gap (after_position, last_position) VALUES (?, ?)',
      parameters: [begins, Number(found?.ends)],
    },
    { sql: raised, parameters: [count] },
  ];
  for (const { sql, parameters } of statements) await database.write(sql, parameters);
}
