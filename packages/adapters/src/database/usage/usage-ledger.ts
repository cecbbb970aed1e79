import { DatabaseClock, utcDay } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import {
  type LockedUsage,
  type MeasuredDomain,
  type SnapshotChunk,
  UsageLedger,
} from '@mailstead/core/usage/usage-ledger';
import { Database, placeholders, type Row, textOrNull } from '../driver/database.js';
import { closeEnded } from './close-usage.js';
import { sumNext } from './usage-months.js';

@needs(Database, UnitOfWork, DatabaseClock)
export class SqlUsageLedger extends UsageLedger {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: DatabaseClock,
  ) {
    super();
  }

  override async openDay(domain: LockedUsage, now: Date): Promise<void> {
    const isOpenOn = (day: string) => domain.usageDay !== null && domain.usageDay >= day;
    if (isOpenOn(utcDay(now))) return;
    // A day that the clock of this process says has ended may not have ended yet.
    const at = await this.clock.time();
    const today = utcDay(at);
    if (isOpenOn(today)) return;
    await closeEnded(this.database, [domain.id], at);
    domain.usageDay = today;
  }

  override async closeEndedDays(after: number, limit: number, now: Date): Promise<SnapshotChunk> {
    const found = await this.database.read('SELECT id, usage_day FROM domain WHERE id > ? ORDER BY id LIMIT ?', [
      after,
      limit,
    ]);
    const last = found.length < limit ? null : Number(found.at(-1)?.id);
    const today = utcDay(now);
    const open = found.filter((row) => isOpen(row, today)).map(idOf);
    if (open.length === 0) return { last, domains: 0, days: 0 };
    return this.unitOfWork.run(async () => {
      const locked = await this.lockOpen(open, today);
      const days = locked.length === 0 ? 0 : await closeEnded(this.database, locked, now);
      return { last, domains: locked.length, days };
    });
  }

  override async domainsAfter(after: number, limit: number): Promise<MeasuredDomain[]> {
    const rows = await this.database.read('SELECT id, name, partner_id FROM domain WHERE id > ? ORDER BY id LIMIT ?', [
      after,
      limit,
    ]);
    return rows.map((row) => ({
      id: idOf(row),
      name: String(row.name),
      partnerId: Number(row.partner_id),
    }));
  }

  override async storeStorage(day: string, storageMb: ReadonlyMap<MeasuredDomain, number>): Promise<void> {
    await this.unitOfWork.run(async () => {
      for (const [{ name, partnerId }, megabytes] of storageMb) {
        await this.database.write(
          'UPDATE usage_day SET storage_mb = ? WHERE day = ? AND name = ? AND partner_id = ? AND held = 1',
          [megabytes, day, name, partnerId],
        );
      }
    });
  }

  override async deleteBefore(month: string, limit: number): Promise<number> {
    const { dialect } = this.database;
    const deleted = async (sql: string) =>
      (await this.unitOfWork.run(() => this.database.write(sql, [month, limit]))).affected;
    const days = await deleted(dialect.deleteSome('usage_day', 'month < ?'));
    return days > 0 ? days : deleted(dialect.deleteSome('usage_month', 'month < ?'));
  }

  override async oldestMonthOfDays(): Promise<string | null> {
    const [row] = await this.database.read('SELECT MIN(month) AS month FROM usage_day');
    return textOrNull(row?.month);
  }

  override sumDays(month: string, names: number, now: Date): Promise<number> {
    return this.unitOfWork.run(() => sumNext(this.database, month, names, now));
  }

  /** Locks those of the domains whose days nobody has closed meanwhile, through the primary key as all changes do. */
  private async lockOpen(ids: readonly number[], today: string): Promise<number[]> {
    const { byPrimaryKey, forUpdate } = this.database.dialect;
    const rows = await this.database.read(
      `SELECT id, usage_day FROM domain${byPrimaryKey} WHERE id IN (${placeholders(ids)}) ORDER BY id${forUpdate}`,
      [...ids],
    );
    return rows.filter((row) => isOpen(row, today)).map(idOf);
  }
}

/** Whether a domain has days that ended before today and are not closed. */
function isOpen({ usage_day: day }: Row, today: string): boolean {
  const first = textOrNull(day);
  return first === null || first < today;
}

function idOf({ id }: Row): number {
  return Number(id);
}
