import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import { RETRY_DELAYS_MS } from '@mailstead/core/notifications/retry-schedule';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { claimMs } from '@mailstead/core/webhooks/deliver-webhooks';
import {
  type ClaimedWalk,
  type FailedDelivery,
  type WalkStep,
  WebhookBacklog,
} from '@mailstead/core/webhooks/webhook-backlog';
import { WebhookEndpoint } from '@mailstead/core/webhooks/webhook-endpoint';
import { WebhookEndpoints } from '@mailstead/core/webhooks/webhook-endpoints';
import { chunksOf } from '../driver/chunks.js';
import { Database, placeholders, type Row } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { endpointOf } from './sql-webhook-endpoints.js';

/** An endpoint that fails and is behind is walked again after this time. */
const FAILING_PAUSE_MS = 5 * SECOND_MS;
/** Pauses are shorter than this, also when the clock of another process is ahead by minutes. */
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;
/** What waits longer than its attempt has to is due. */
const LONG_WAIT = `is_held = 0 AND next_at > ? + CASE attempts ${[...RETRY_DELAYS_MS].map(() => 'WHEN ? THEN ?').join(' ')} ELSE 0 END`;

/** Plain SQL: the queue of all deliveries. */
@needs(Database, UnitOfWork, WebhookEndpoints)
export class SqlWebhookBacklog extends WebhookBacklog {
  private readonly table: Table<WebhookEndpoint>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly endpoints: WebhookEndpoints,
  ) {
    super();
    this.table = new Table(database, WebhookEndpoint);
  }

  override async tell(limit: number, now: Date): Promise<boolean> {
    const known = await this.ends('');
    if (known === null) return false;
    return this.unitOfWork.run(async () => {
      const ends = await this.ends(this.database.dialect.forUpdate);
      if (ends === null) return false;
      const rows = await this.database.read(
        `SELECT position, partner_id FROM audit_log${this.database.dialect.byIndex('ix_audit_position')}
         WHERE position > ? ORDER BY position LIMIT ?`,
        [ends.from, limit],
      );
      const last = rows.at(-1);
      const reached = last === undefined ? ends.last : Number(last.position);
      await this.wake(rows, ends.from, now);
      await this.database.write('UPDATE webhook_feed SET position = ? WHERE id = 1', [reached]);
      return rows.length === limit;
    });
  }

  override async told(): Promise<number> {
    const [row] = await this.database.read('SELECT position FROM webhook_feed WHERE id = 1');
    return Number(row?.position);
  }

  override claim(now: Date, until: Date, limit: number, failing: boolean): Promise<WebhookEndpoint[]> {
    return this.unitOfWork.run(async () => {
      const { dialect } = this.database;
      const rows = await this.database.read(
        `SELECT ${this.table.columns('e')}, (SELECT p.ref FROM partner p WHERE p.id = e.partner_id) AS partner_ref
         FROM webhook_endpoint e
         WHERE e.wake_at <= ? AND (e.claimed_until IS NULL OR e.claimed_until <= ?)
           AND e.failing_since IS ${failing ? 'NOT NULL' : 'NULL'}
         ORDER BY e.wake_at LIMIT ?${dialect.skipLocked}`,
        [now.getTime(), now.getTime(), limit],
      );
      const found = rows.map((row) => endpointOf(this.table, row));
      const ids = found.map(({ id }) => id);
      if (ids.length > 0) {
        await this.database.write(`UPDATE webhook_endpoint SET claimed_until = ? WHERE id IN (${placeholders(ids)})`, [
          until.getTime(),
          ...ids,
        ]);
      }
      return found;
    });
  }

  override async endLongWaits(now: Date): Promise<void> {
    const latest = now.getTime() + LONGEST_PAUSE_MS;
    const latestClaim = latest + claimMs();
    const isLong = [latest, ...[...RETRY_DELAYS_MS].flat()];
    const waiting = await this.database.read(
      `SELECT DISTINCT endpoint_id AS id FROM webhook_delivery WHERE ${LONG_WAIT}`,
      isLong,
    );
    for (const { id } of waiting) {
      await this.database.write(`UPDATE webhook_delivery SET next_at = ? WHERE endpoint_id = ? AND ${LONG_WAIT}`, [
        now.getTime(),
        Number(id),
        ...isLong,
      ]);
    }
    const resting = await this.database.read(
      `SELECT id FROM webhook_endpoint WHERE claimed_until > ? OR (wake_at > ?
         AND (status = 'unconfirmed' OR is_behind = 1 OR redeliver_after IS NOT NULL))`,
      [latestClaim, latest],
    );
    const ids = [...new Set([...waiting, ...resting].map(({ id }) => Number(id)))];
    for (const chunk of chunksOf(ids.sort((one, other) => one - other))) {
      await this.database.write(
        `UPDATE webhook_endpoint SET wake_at = CASE WHEN wake_at > ? THEN ? ELSE wake_at END,
           claimed_until = CASE WHEN claimed_until > ? THEN NULL ELSE claimed_until END
         WHERE id IN (${placeholders(chunk)})`,
        [latest, now.getTime(), latestClaim, ...chunk],
      );
    }
  }

  override async due(id: number, now: Date, limit: number): Promise<FailedDelivery[]> {
    const rows = await this.database.read(
      `SELECT position, attempts FROM webhook_delivery WHERE endpoint_id = ? AND is_held = 0 AND next_at <= ?
       ORDER BY next_at, position LIMIT ?`,
      [id, now.getTime(), limit],
    );
    return rows.map((row) => ({ position: Number(row.position), attempts: Number(row.attempts) }));
  }

  override async waiting(id: number, atMost: number): Promise<number> {
    const [row] = await this.database.read(
      'SELECT COUNT(*) AS count FROM (SELECT 1 FROM webhook_delivery WHERE endpoint_id = ? LIMIT ?) AS some_rows',
      [id, atMost],
    );
    return Number(row?.count);
  }

  override store(walk: ClaimedWalk, step: WalkStep): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const endpoint = await this.lockClaimed(walk);
      if (endpoint === null) return false;
      const goesOn = endpoint.deliversLike(walk.endpoint);
      if (!goesOn && step.attempts.length === 0) return false;
      const { id } = endpoint;
      const isElsewhere = endpoint.url !== walk.endpoint.url;
      const failingSince = isElsewhere ? endpoint.failingSince : step.failingSince;
      const isDone = step.readTo !== null && step.readTo >= (await this.told());
      await this.database.write(
        `UPDATE webhook_endpoint SET cursor_at = ?, is_behind = ?, failing_since = ?, redeliver_after = ?,
           redeliver_until = ? WHERE id = ?`,
        [
          Math.max(endpoint.cursor, step.cursor ?? 0),
          isDone || !endpoint.isBehind ? 0 : 1,
          failingSince?.getTime() ?? null,
          ...redeliveryAfter(endpoint, step),
          id,
        ],
      );
      const failed = isElsewhere ? step.failed.filter(({ attempts }) => attempts === 1) : step.failed;
      await this.storeFailed(id, { ...step, failed });
      await this.endpoints.addAttempts(id, step.attempts);
      return goesOn;
    });
  }

  override async changed(walks: readonly ClaimedWalk[]): Promise<ReadonlySet<number>> {
    const ids = walks.map(({ endpoint }) => endpoint.id);
    const rows = await this.database.read(
      `SELECT ${this.table.columns('e')}, e.claimed_until FROM webhook_endpoint e WHERE e.id IN (${placeholders(ids)})`,
      ids,
    );
    const found = new Map(
      rows
        .map((row) => [endpointOf(this.table, row), Number(row.claimed_until)] as const)
        .map((each) => [each[0].id, each]),
    );
    const goesOn = ({ endpoint, until }: ClaimedWalk) => {
      const [now, claimedUntil] = found.get(endpoint.id) ?? [];
      return now !== undefined && claimedUntil === until.getTime() && now.deliversLike(endpoint);
    };
    return new Set(walks.filter((walk) => !goesOn(walk)).map(({ endpoint }) => endpoint.id));
  }

  override async shorten({ endpoint, until: claimedUntil }: ClaimedWalk, until: Date): Promise<void> {
    await this.database.write('UPDATE webhook_endpoint SET claimed_until = ? WHERE id = ? AND claimed_until = ?', [
      until.getTime(),
      endpoint.id,
      claimedUntil.getTime(),
    ]);
  }

  override release(walk: ClaimedWalk, now: Date): Promise<void> {
    return this.unitOfWork.run(async () => {
      const endpoint = await this.lockClaimed(walk);
      if (endpoint === null) return;
      const wakeAt = await this.nextWalk(endpoint, now.getTime());
      await this.database.write('UPDATE webhook_endpoint SET claimed_until = NULL, wake_at = ? WHERE id = ?', [
        wakeAt,
        endpoint.id,
      ]);
    });
  }

  /** @returns the endpoint of a walk as it is now; null when it was deleted, or the claim has passed to others */
  private async lockClaimed({ endpoint, until }: ClaimedWalk): Promise<WebhookEndpoint | null> {
    const [row] = await this.database.read(
      `SELECT ${this.table.columns('e')}
       FROM webhook_endpoint e WHERE e.id = ? AND e.claimed_until = ?${this.database.dialect.forUpdate}`,
      [endpoint.id, until.getTime()],
    );
    return row === undefined ? null : endpointOf(this.table, row);
  }

  private async nextWalk(endpoint: WebhookEndpoint, now: number): Promise<number | null> {
    const { id, status, challengeAt, isBehind, redeliverAfter, failingSince } = endpoint;
    if (status === 'disabled') return null;
    if (status === 'unconfirmed') return challengeAt?.getTime() ?? null;
    const [row] = await this.database.read(
      'SELECT MIN(next_at) AS at FROM webhook_delivery WHERE endpoint_id = ? AND is_held = 0',
      [id],
    );
    const retryAt = row === undefined || row.at === null ? null : Number(row.at);
    if (!isBehind && redeliverAfter === null) return retryAt;
    const goOnAt = failingSince === null ? now : now + FAILING_PAUSE_MS;
    return retryAt === null ? goOnAt : Math.min(retryAt, goOnAt);
  }

  /**
   * Where telling goes on, and the highest position. Null when no active endpoint would hear of anything.
   *
   * @param lock at the end of the SELECT
   */
  private async ends(lock: string): Promise<{ from: number; last: number } | null> {
    const [feed] = await this.database.read(`SELECT position FROM webhook_feed WHERE id = 1${lock}`);
    const [row] = await this.database.read(
      `SELECT last_position, (SELECT MIN(cursor_at) FROM webhook_endpoint WHERE status = 'active') AS lowest
       FROM event_position WHERE id = 1`,
    );
    if (row === undefined || row.lowest === null) return null;
    // What is below the cursors of all is for none of them.
    const from = Math.max(Number(feed?.position), Number(row.lowest));
    const last = Number(row.last_position);
    return from < last ? { from, last } : null;
  }

  private async wake(rows: readonly Row[], from: number, now: Date): Promise<void> {
    const { dialect } = this.database;
    const partners = [...new Set(rows.map((row) => row.partner_id))].filter((id) => id !== null).map(Number);
    // Not in the condition: a row that a walk has locked would be judged by what it was before, and passed over.
    const unless = (column: string, value: string) =>
      `${column} = CASE WHEN is_behind = 1 THEN ${column} ELSE ${value} END`;
    // MariaDB assigns from left to right, so that `is_behind` is the last one.
    const sql = `UPDATE webhook_endpoint SET ${unless('cursor_at', dialect.greatest('cursor_at', '?'))},
      ${unless('wake_at', dialect.least('COALESCE(wake_at, ?)', '?'))}, is_behind = 1 WHERE status = 'active'`;
    const values = [from, now.getTime(), now.getTime()];
    if (rows.length > 0) await this.database.write(`${sql} AND partner_id IS NULL`, values);
    if (partners.length > 0) {
      await this.database.write(`${sql} AND partner_id IN (${placeholders(partners)})`, [...values, ...partners]);
    }
  }

  private async storeFailed(id: number, { failed, ended }: WalkStep): Promise<void> {
    const over = [...ended, ...failed.filter(({ nextAt }) => nextAt === null).map(({ position }) => position)];
    if (over.length > 0) {
      const sql = `DELETE FROM webhook_delivery WHERE endpoint_id = ? AND position IN (${placeholders(over)})`;
      await this.database.write(sql, [id, ...over]);
    }
    const { dialect } = this.database;
    const assign = (column: string) => `${column} = ${dialect.inserted(column)}`;
    const change = `${dialect.onConflict(['endpoint_id', 'position'])} ${assign('attempts')}, ${assign('next_at')}`;
    for (const { position, attempts, nextAt } of failed) {
      if (nextAt === null) continue;
      const isFirst = attempts === 1;
      await this.database.write(
        `${isFirst ? dialect.insertOrIgnore('webhook_delivery') : 'INSERT INTO webhook_delivery'}
           (endpoint_id, position, attempts, next_at, is_held) VALUES (?, ?, ?, ?, 0) ${isFirst ? '' : change}`,
        [id, position, attempts, nextAt.getTime()],
      );
    }
  }
}

function redeliveryAfter(endpoint: WebhookEndpoint, { redeliverAfter }: WalkStep): [number | null, number | null] {
  if (redeliverAfter === -1) return [null, null];
  return [redeliverAfter ?? endpoint.redeliverAfter, endpoint.redeliverUntil];
}
