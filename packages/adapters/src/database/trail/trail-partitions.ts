import type { DaySpan } from '@mailstead/core/trail/trail-store';
import { type TrailPart, TrailTables } from './trail-tables.js';

const PARTITIONS =
  "SELECT partition_name AS name FROM information_schema.partitions WHERE table_schema = DATABASE() AND table_name = 'trail' AND partition_name IS NOT NULL";
/** Seconds for which a change waits for transactions that use the table. Others wait behind it. */
const WAIT_S = 2;
const MAX_TRIES = 5;

/**
 * The table `trail` of MariaDB with a partition for each day, `d20601`. What has no partition yet is in `rest`, so an
 * insert does not depend on the run that makes partitions; that run moves what is there.
 */
export class TrailPartitions extends TrailTables {
  override async daysOf({ first, last }: DaySpan): Promise<TrailPart[]> {
    const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => last - index);
    return days.map((day) => this.part({ first: day, last: day }));
  }

  override async togetherOf(days: DaySpan): Promise<TrailPart[]> {
    return [this.part(days)];
  }

  override async forWriting(): Promise<string> {
    return 'trail';
  }

  /** Another process may do the same at the same time: what counts is what there is after an error. */
  override async keep(days: DaySpan): Promise<number> {
    let dropped = 0;
    for (let left = MAX_TRIES; ; left -= 1) {
      try {
        await this.divide(days);
        dropped += await this.drop(days);
        return dropped;
      } catch (error) {
        if (left === 1) throw error;
      }
    }
  }

  private part(days: DaySpan): TrailPart {
    return { ...days, table: 'trail', by: (index) => this.database.dialect.byIndex(`ix_trail_${index}`) };
  }

  /** Divides `rest`: the days that are kept, and before them a partition of what is older. */
  private async divide({ first, last }: DaySpan): Promise<void> {
    const newest = Math.max(0, ...(await this.divided()));
    const from = Math.max(newest + 1, first - 1);
    if (from > last) return;
    const days = Array.from({ length: last - from + 1 }, (_, index) => from + index);
    const parts = days.map((day) => `PARTITION d${day} VALUES LESS THAN (${day + 1})`);
    await this.database.write(
      `ALTER TABLE trail WAIT ${WAIT_S} REORGANIZE PARTITION rest INTO (${[...parts, 'PARTITION rest VALUES LESS THAN MAXVALUE'].join(', ')})`,
    );
  }

  private async drop({ first }: DaySpan): Promise<number> {
    const old = (await this.divided()).filter((day) => day < first);
    if (old.length === 0) return 0;
    await this.database.write(
      `ALTER TABLE trail WAIT ${WAIT_S} DROP PARTITION ${old.map((day) => `d${day}`).join(', ')}`,
    );
    return old.length;
  }

  private async divided(): Promise<number[]> {
    const rows = await this.database.read(PARTITIONS);
    return rows.flatMap(({ name }) => (/^d\d+$/.test(String(name)) ? [Number(String(name).slice(1))] : []));
  }
}
