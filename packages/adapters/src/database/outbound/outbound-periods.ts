import { utcDay, utcMonth } from '@mailstead/core/clock';
import { closedAt, type OutboundEpochs } from '@mailstead/core/outbound/outbound-period';
import { OutboundPeriods, type OutboundRows } from '@mailstead/core/outbound/outbound-periods';
import type { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Database, type Parameter, placeholders } from '../driver/database.js';
import { toEpochs } from './outbound-rows.js';

const TABLES = {
  increments: { table: 'outbound_increment', column: 'counted_at', bound: (before: Date) => before.getTime() },
  senders: { table: 'outbound_sender', column: 'day', bound: utcDay },
  days: { table: 'outbound_day', column: 'day', bound: utcDay },
} as const satisfies Record<OutboundRows, { table: string; column: string; bound: (before: Date) => Parameter }>;

/** Counters that share a month and an epoch, and therefore a fate. */
interface Cohort {
  month: string;
  monthEpoch: number;
}

export class TypeormOutboundPeriods extends OutboundPeriods {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super();
  }

  override async raiseDayEpoch(day: string): Promise<number> {
    const { dayEpoch } = await this.lockEpochs();
    await this.database.write('UPDATE outbound_epoch SET day_epoch = day_epoch + 1 WHERE id = 1');
    return this.countRows('day >= ? AND day_epoch = ?', [day, dayEpoch]);
  }

  override async raiseMonthEpoch(now: Date): Promise<number> {
    const { monthEpoch, monthStartedAt } = await this.lockEpochs();
    // A period never ends before it began, also when a clock is behind the one that began it.
    const startedAt = Math.max(now.getTime(), monthStartedAt.getTime());
    await this.database.write(
      'UPDATE outbound_epoch SET month_epoch = month_epoch + 1, month_started_at = ? WHERE id = 1',
      [startedAt],
    );
    return this.countRows('month_epoch = ?', [monthEpoch]);
  }

  override countDay(day: string): Promise<number> {
    return this.countRows('day = ?', [day]);
  }

  override async *freezeClosed(now: Date, { perChunk }: { perChunk: number }): AsyncGenerator<number> {
    const epochs = await this.epochs('');
    const cohorts = await this.database.read(
      'SELECT month_epoch, month FROM outbound_counter WHERE month_epoch >= 0 GROUP BY month_epoch, month ORDER BY month_epoch, month',
    );
    for (const row of cohorts) {
      const cohort = { month: String(row.month), monthEpoch: Number(row.month_epoch) };
      const isClosed = cohort.monthEpoch < epochs.monthEpoch || cohort.month < utcMonth(now);
      if (isClosed) yield* this.freezeCohort(cohort, closedAt(cohort, epochs), perChunk);
    }
  }

  override async deleteOld(rows: OutboundRows, before: Date, limit: number): Promise<number> {
    const { table, column, bound } = TABLES[rows];
    const sql = this.database.dialect.deleteSome(table, `${column} < ?`);
    const { affected } = await this.unitOfWork.run(() => this.database.write(sql, [bound(before), limit]));
    return affected;
  }

  /** Finds the counters without a lock, so that no increment waits for the search, then locks and checks them. */
  private async *freezeCohort(cohort: Cohort, periodEnd: Date, perChunk: number): AsyncGenerator<number> {
    for (let after = 0; ; ) {
      const found = await this.database.read(
        'SELECT domain_id FROM outbound_counter WHERE month_epoch = ? AND month = ? AND domain_id > ? ORDER BY domain_id LIMIT ?',
        [cohort.monthEpoch, cohort.month, after, perChunk],
      );
      const last = found.at(-1);
      if (last === undefined) return;
      yield await this.freeze(
        found.map((row) => Number(row.domain_id)),
        cohort,
        periodEnd,
      );
      after = Number(last.domain_id);
    }
  }

  private freeze(ids: number[], { month, monthEpoch }: Cohort, periodEnd: Date): Promise<number> {
    // By the primary key: a lock that came through the other index would meet the increments' in the wrong order.
    const byId = this.database.dialect.byPrimaryKey;
    const where = `WHERE domain_id IN (${placeholders(ids)}) AND month_epoch = ? AND month = ?`;
    const parameters = [...ids, monthEpoch, month];
    return this.unitOfWork.run(async () => {
      const [row] = await this.database.read(
        `SELECT COUNT(*) AS closed FROM outbound_counter${byId} ${where}${this.database.forUpdate}`,
        parameters,
      );
      await this.database.finish([
        {
          sql: `INSERT INTO outbound_history (domain_id, period_start, period_end, sent, bytes, bounces, complaints)
                SELECT domain_id, period_start, ?, sent_month, bytes_month, bounces_month, complaints_month
                  FROM outbound_counter${byId} ${where} ORDER BY domain_id`,
          parameters: [periodEnd.getTime(), ...parameters],
        },
        {
          sql: `UPDATE outbound_counter${byId} SET month = '', month_epoch = -1, period_start = 0, sent_month = 0, bytes_month = 0, bounces_month = 0, complaints_month = 0 ${where}`,
          parameters,
        },
      ]);
      return Number(row?.closed);
    });
  }

  /** Exclusive: no increment is under way while it is held, and the ones after it belong to the new epoch. */
  private lockEpochs(): Promise<OutboundEpochs> {
    return this.epochs(this.database.forUpdate);
  }

  private async epochs(lock: string): Promise<OutboundEpochs> {
    const rows = await this.database.read(
      `SELECT day_epoch, month_epoch, month_started_at FROM outbound_epoch WHERE id = 1${lock}`,
    );
    return toEpochs(rows[0]);
  }

  /** A day and a month are set exactly while something is counted on them, so the index alone has the number. */
  private async countRows(where: string, parameters: Parameter[]): Promise<number> {
    const [row] = await this.database.read(
      `SELECT COUNT(*) AS counters FROM outbound_counter WHERE ${where}`,
      parameters,
    );
    return Number(row?.counters);
  }
}
