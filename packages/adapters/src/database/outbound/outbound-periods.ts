import { utcDay, utcMonth } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { closedAt, type OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { OutboundPeriods, type OutboundRows } from '@mailstead/core/outbound/outbound-periods';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Database, type Parameter } from '../driver/database.js';
import {
  type Cohort,
  countCounters,
  findCounters,
  freezeCounters,
  readCohorts,
  readEpochs,
  resetDay,
  resetMonth,
} from './period-statements.js';

const TABLES = {
  increments: { tables: ['outbound_counted_id'], column: 'counted_at', bound: Number },
  senders: { tables: ['outbound_sender'], column: 'day', bound: utcDay },
  days: { tables: ['outbound_day', 'outbound_partner_day'], column: 'day', bound: utcDay },
} satisfies Record<OutboundRows, { tables: string[]; column: string; bound: (before: Date) => Parameter }>;

@needs(Database, UnitOfWork)
export class SqlOutboundPeriods extends OutboundPeriods {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async resetDay(day: string): Promise<number> {
    const { dayEpoch } = await this.lockEpochs();
    await resetDay(this.database);
    return countCounters(this.database, 'day >= ? AND day_epoch = ?', [day, dayEpoch]);
  }

  override async resetMonth(now: Date): Promise<number> {
    const { monthEpoch, monthStartedAt } = await this.lockEpochs();
    // A period must not end before it began, even if this clock is behind the clock that started it.
    await resetMonth(this.database, Math.max(now.getTime(), monthStartedAt.getTime()));
    return countCounters(this.database, 'month_epoch = ?', [monthEpoch]);
  }

  override countDay(day: string): Promise<number> {
    return countCounters(this.database, 'day = ?', [day]);
  }

  override async *freezeClosed(now: Date, { perChunk }: { perChunk: number }): AsyncGenerator<number> {
    const epochs = await readEpochs(this.database, '');
    for (const cohort of await readCohorts(this.database)) {
      const isClosed = cohort.monthEpoch < epochs.monthEpoch || cohort.month < utcMonth(now);
      if (isClosed) yield* this.freezeCohort(cohort, closedAt(cohort, epochs), perChunk);
    }
  }

  override async deleteOld(rows: OutboundRows, before: Date, limit: number): Promise<number> {
    const { tables, column, bound } = TABLES[rows];
    for (const table of tables) {
      const sql = this.database.dialect.deleteSome(table, `${column} < ?`);
      const { affected } = await this.unitOfWork.run(() => this.database.write(sql, [bound(before), limit]));
      if (affected > 0) return affected;
    }
    return 0;
  }

  /** Finds the counters without a lock, then locks and checks them. */
  private async *freezeCohort(cohort: Cohort, periodEnd: Date, perChunk: number): AsyncGenerator<number> {
    for (let after = 0; ; ) {
      const found = await findCounters(this.database, cohort, after, perChunk);
      const last = found.at(-1);
      if (last === undefined) return;
      yield await this.freeze(found, cohort, periodEnd);
      after = last;
    }
  }

  private freeze(ids: number[], cohort: Cohort, periodEnd: Date): Promise<number> {
    const { lock, keep, clear } = freezeCounters(this.database.dialect, ids, cohort, periodEnd);
    return this.unitOfWork.run(async () => {
      const [row] = await this.database.read(lock.sql, lock.parameters);
      await this.database.finish([keep, clear]);
      return Number(row?.closed);
    });
  }

  /** Exclusive lock: no increment runs until the unit of work ends, and later increments belong to the new epoch. */
  private lockEpochs(): Promise<OutboundEpochs> {
    return readEpochs(this.database, this.database.dialect.forUpdate);
  }
}
