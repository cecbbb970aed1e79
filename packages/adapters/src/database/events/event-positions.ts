import { EventPositions } from '@mailstead/core/events/event-positions';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { EntitySchema } from 'typeorm';
import { Database, type Parameter, placeholders, type Row, type Statement } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** One row: the last position, where the feed begins, and the last audit row from before the upgrade. */
export function eventPositionSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('EventPositionRow', 'event_position', {
    columns: {
      id: columns.integer({ primary: true }),
      lastPosition: columns.big({ name: 'last_position' }),
      firstKept: columns.big({ name: 'first_kept' }),
      beforeAuditId: columns.big({ name: 'before_audit_id' }),
    },
  });
}

/** Plain SQL: every process runs it several times a second while events are written. */
@needs(Database, UnitOfWork)
export class SqlEventPositions extends EventPositions {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async give(limit: number): Promise<number> {
    if ((await this.withoutPosition(1)).length === 0) return 0;
    return this.unitOfWork.run(async () => {
      const { forUpdate } = this.database.dialect;
      const [row] = await this.database.read(`SELECT last_position FROM event_position WHERE id = 1${forUpdate}`);
      const last = Number(row?.last_position);
      // Not a locking read: it would wait for transactions that append, and give their events a position before the
      // commit.
      const ids = (await this.withoutPosition(limit)).map(({ id }) => Number(id));
      if (ids.length === 0) return 0;
      const raise = 'UPDATE event_position SET last_position = ? WHERE id = 1';
      await this.database.finish([stored(ids, last), { sql: raise, parameters: [last + ids.length] }]);
      return ids.length;
    });
  }

  override async oldestWithout(): Promise<Date | null> {
    const [oldest] = await this.withoutPosition(1);
    return oldest === undefined ? null : new Date(Number(oldest.changed_at));
  }

  /** In the order of the ids, which is the order of the index. */
  private withoutPosition(limit: number): Promise<Row[]> {
    return this.database.read(
      `SELECT id, changed_at FROM audit_log${this.database.dialect.byIndex('ix_audit_position')}
       WHERE position IS NULL AND id > (SELECT before_audit_id FROM event_position WHERE id = 1) ORDER BY id LIMIT ?`,
      [limit],
    );
  }
}

/** Finds the rows by their primary key, so that it locks no others. */
function stored(ids: number[], last: number): Statement {
  const positions = ids.flatMap((id, index): Parameter[] => [id, last + index + 1]);
  const cases = ids.map(() => 'WHEN ? THEN ?').join(' ');
  const sql = `UPDATE audit_log SET position = CASE id ${cases} END WHERE id IN (${placeholders(ids)})`;
  return { sql, parameters: [...positions, ...ids] };
}
