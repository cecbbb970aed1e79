import { SECOND_MS } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { EntitySchema } from 'typeorm';
import { Database } from '../driver/database.js';
import { refusalOf } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** Calls within this time share one probe. */
const EVERY_MS = SECOND_MS;

export function writeProbeSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('WriteProbeRow', 'write_probe', {
    columns: { id: columns.id(), filler: columns.exact(1_000) },
  });
}

/** Writes a row and removes it, to find out whether the database accepts writes. */
@needs(Database, UnitOfWork)
export class WriteProbe {
  private newest: { startedAt: number; answer: Promise<string | null> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @returns null when a row was written within the last second and no write was refused since; otherwise the problem
   */
  async problem(): Promise<string | null> {
    const now = performance.now();
    if (this.newest === null || now - this.newest.startedAt >= EVERY_MS) {
      this.newest = { startedAt: now, answer: this.write() };
    }
    return (await this.newest.answer) ?? this.database.refusal?.reason ?? null;
  }

  private async write(): Promise<string | null> {
    const { refusal, dialect } = this.database;
    try {
      if (refusal !== null) await this.recreateTable();
      await this.unitOfWork.run(async () => {
        const { insertId } = await this.database.write('INSERT INTO write_probe (filler) VALUES (?)', [
          'x'.repeat(refusal === null ? dialect.probeLength : dialect.probeLengthAfterRefusal),
        ]);
        await this.database.write('DELETE FROM write_probe WHERE id = ?', [insertId]);
      });
      this.database.forget(refusal);
      return null;
    } catch (error) {
      return refusalOf(error) ?? 'The database does not take a write';
    }
  }

  /**
   * Creates the probe's table again after a refused write, which needs 64 KB on the disk. On InnoDB a small row proves
   * nothing: it may fit into the space of its table while other tables cannot grow. A large row is not possible:
   * MariaDB 10.11 crashes with a failed assertion when the disk is full and a value is stored outside its row.
   */
  private async recreateTable(): Promise<void> {
    const recreateTable = this.database.dialect.recreateTable('write_probe');
    if (recreateTable === null) return;
    try {
      await this.database.write(recreateTable);
    } catch (error) {
      // A database user without the right to recreate the table relies on the small row.
      if (refusalOf(error) !== null) throw error;
    }
  }
}
