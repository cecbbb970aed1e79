import {
  type LimitMark,
  STORED_REASONS,
  type StoredReason,
  UNVERIFIED_HOURS,
} from '@mailstead/core/attention/attention';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { Batcher } from '@mailstead/core/batcher';
import { HOUR_MS } from '@mailstead/core/clock';
import type { Slice } from '@mailstead/core/counts/row-counts';
import { needs } from '@mailstead/core/needs';
import { idBlocks } from '../copies/id-blocks.js';
import { chunksOf } from '../driver/chunks.js';
import { Database, placeholders } from '../driver/database.js';
import { addReason, presentCondition, presentPeriods, reasonOf, removeReasons, storedAs } from './attention-rows.js';
import { verificationCondition } from './verification-condition.js';

const ATTENTION = { table: 'domain_attention', column: 'domain_id' };
const LIMIT_REASONS: StoredReason[] = ['daily_limit', 'monthly_limit', 'transfer_limit'];

/** The domains that a caller asks about, and when. */
interface Asked {
  domainIds: readonly number[];
  now: Date;
}

/** Plain SQL: increments write with one statement, and the sweep changes many rows with each. */
@needs(Database)
export class SqlAttentionList extends AttentionList {
  private readonly lookUps: Batcher<Asked, Map<number, StoredReason[]>>;

  constructor(private readonly database: Database) {
    super();
    this.lookUps = new Batcher((asked) => this.readAll(asked), { maxItems: 500, maxInFlight: 2 });
  }

  /** Concurrent calls share one statement, except in a unit of work. */
  override ofDomains(domainIds: readonly number[], now: Date): Promise<Map<number, StoredReason[]>> {
    const inTransaction = this.database.currentTransaction() !== undefined;
    return inTransaction ? this.reasonsOf(domainIds, now) : this.lookUps.call({ domainIds, now });
  }

  /** At the latest of the times: they differ by milliseconds. */
  private async readAll(asked: readonly Asked[]): Promise<Map<number, StoredReason[]>[]> {
    const ids = new Set(asked.flatMap(({ domainIds }) => [...domainIds]));
    const now = new Date(Math.max(...asked.map(({ now: at }) => at.getTime())));
    const found = await this.reasonsOf([...ids], now);
    return asked.map(({ domainIds }) => {
      const ofCaller = new Map<number, StoredReason[]>();
      for (const id of domainIds) {
        const reasons = found.get(id);
        if (reasons !== undefined) ofCaller.set(id, [...reasons]);
      }
      return ofCaller;
    });
  }

  private async reasonsOf(domainIds: readonly number[], now: Date): Promise<Map<number, StoredReason[]>> {
    const found = new Map<number, StoredReason[]>();
    const present = presentCondition(now);
    const isDue = verificationCondition('verified', now);
    const { dialect } = this.database;
    for (const chunk of chunksOf(domainIds)) {
      const rows = await this.database.read(
        `SELECT ${dialect.inThisOrder}a.domain_id, a.reason
           FROM domain d${dialect.byPrimaryKey} JOIN domain_attention a ON a.domain_id = d.id
          WHERE d.id IN (${placeholders(chunk)}) AND ${present.sql} AND (a.reason <> 'unverified' OR NOT ${isDue.sql})`,
        [...chunk, ...present.parameters, ...isDue.parameters],
      );
      for (const row of rows) {
        const id = Number(row.domain_id);
        found.set(id, [...(found.get(id) ?? []), reasonOf(row.reason)]);
      }
    }
    for (const [id, reasons] of found)
      found.set(
        id,
        STORED_REASONS.filter((reason) => reasons.includes(reason)),
      );
    return found;
  }

  override async addLimits(marks: readonly LimitMark[]): Promise<void> {
    if (marks.length === 0) return;
    const { dialect } = this.database;
    // Ordered, so that two transactions lock the rows in the same order. A domain that was deleted gets none.
    const sorted = marks.toSorted((left, right) => left.domainId - right.domainId);
    for (const chunk of chunksOf(sorted, ({ domainId, reason, period }) => [domainId, reason, period])) {
      const given = chunk.map(() => 'SELECT ? AS domain_id, ? AS reason, ? AS period').join(' UNION ALL ');
      await this.database.write(
        `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
         SELECT g.domain_id, g.reason, d.partner_id, g.period FROM (${given}) AS g JOIN domain d ON d.id = g.domain_id WHERE 1 = 1
         ${dialect.onConflict(['domain_id', 'reason'])} period = ${dialect.inserted('period')}`,
        chunk.flatMap(({ domainId, reason, period }) => [domainId, reason, period]),
      );
    }
  }

  override async setLimits(domainId: number, reasons: readonly StoredReason[], now: Date): Promise<void> {
    await removeReasons(this.database, domainId, LIMIT_REASONS);
    const periodOf = await presentPeriods(this.database, now);
    await this.addLimits(reasons.map((reason) => ({ domainId, reason, period: periodOf(reason) })));
  }

  override addWaiting(domainId: number): Promise<boolean> {
    return addReason(this.database, domainId, 'mail_waiting');
  }

  override async addHighSuppressions(domainId: number, day: string): Promise<boolean> {
    const reason = storedAs('suppressions_high');
    // The caller has locked the domain.
    const [row] = await this.database.read('SELECT period FROM domain_attention WHERE domain_id = ? AND reason = ?', [
      domainId,
      reason,
    ]);
    if (row !== undefined && String(row.period) >= day) return false;
    const { dialect } = this.database;
    await this.database.write(
      `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
       SELECT d.id, ?, d.partner_id, ? FROM domain d WHERE d.id = ?
       ${dialect.onConflict(['domain_id', 'reason'])} period = ${dialect.inserted('period')}`,
      [reason, day, domainId],
    );
    return true;
  }

  override async sweep(slice: Slice, now: Date): Promise<number> {
    return (await this.removePassed(slice, now)) + (await this.addUnverified(now));
  }

  private get insert(): string {
    return this.database.dialect.insertOrIgnore('domain_attention');
  }

  /** Readers leave out what has passed, so a slice an hour is enough. */
  private async removePassed(slice: Slice, now: Date): Promise<number> {
    const isDue = verificationCondition('verified', now);
    const present = presentCondition(now);
    let removed = 0;
    for await (const { after, last } of idBlocks(this.database, slice, ATTENTION)) {
      const rows = await this.database.read(
        `SELECT a.domain_id, a.reason FROM domain_attention a LEFT JOIN domain d ON d.id = a.domain_id
          WHERE a.domain_id > ? AND a.domain_id <= ?
            AND (d.id IS NULL OR NOT ${present.sql} OR (a.reason = 'unverified' AND ${isDue.sql}))`,
        [after, last, ...present.parameters, ...isDue.parameters],
      );
      for (const { domain_id: id, reason } of rows) await removeReasons(this.database, Number(id), [String(reason)]);
      removed += rows.length;
    }
    return removed;
  }

  private async addUnverified(now: Date): Promise<number> {
    const isDue = verificationCondition('verified', now);
    const since = now.getTime() - UNVERIFIED_HOURS * HOUR_MS;
    const { affected } = await this.database.write(
      `${this.insert} (domain_id, reason, partner_id, period)
       SELECT d.id, 'unverified', d.partner_id, '' FROM verification v JOIN domain d ON d.id = v.domain_id
        WHERE v.status IN ('unverified', 'pending', 'failed') AND COALESCE(v.lost_at, d.created_at) <= ? AND NOT ${isDue.sql}
          AND NOT EXISTS (SELECT 1 FROM domain_attention a WHERE a.domain_id = d.id AND a.reason = 'unverified')`,
      [since, ...isDue.parameters],
    );
    return affected;
  }
}
