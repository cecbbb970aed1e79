import { SECOND_MS } from '@mailstead/core/clock';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { EntitySchema } from 'typeorm';
import type { Database } from '../driver/database.js';
import { refusalOf } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** One write serves all who ask within this time. */
const EVERY_MS = SECOND_MS;

export function writeProbeSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  return rowTable('WriteProbeRow', 'write_probe', {
    columns: { id: columns.id(), filler: columns.exact(1_000) },
  });
}

/** Writes a row and removes it, to learn whether the database takes writes. */
export class WriteProbe {
  private newest: { startedAt: number; answer: Promise<string | null> } | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Null when a row was written within the last second and no write was refused since; otherwise what is wrong. */
  async problem(): Promise<string | null> {
    const now = performance.now();
    if (this.newest === null || now - this.newest.startedAt >= EVERY_MS) {
      this.newest = { startedAt: now, answer: this.write() };
    }
    return (await this.newest.answer) ?? this.database.refusal?.reason ?? null;
  }

  private async write(): Promise<string | null> {
    const refusal = this.database.refusal;
    try {
      if (refusal !== null) await this.makeAnew();
      await this.unitOfWork.run(async () => {
        const { insertId } = await this.database.write('INSERT INTO write_probe (filler) VALUES (?)', [
          'x'.repeat(this.database.dialect.probeLength),
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
   * After a refused write a small row proves nothing on InnoDB: it fits where its table has room, while other tables cannot
   * grow. The file of a table made anew has to find 64 KB on the disk. Not a large row instead: MariaDB 10.11 ends with a
   * failed assertion when the disk is full and a value is stored outside of its row.
   */
  private async makeAnew(): Promise<void> {
    const makeAnew = this.database.dialect.makeAnew('write_probe');
    if (makeAnew === null) return;
    try {
      await this.database.write(makeAnew);
    } catch (error) {
      // An account without the right to do this goes by the small row.
      if (refusalOf(error) !== null) throw error;
    }
  }
}
