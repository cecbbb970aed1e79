import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import { type DisabledReason, WebhookEndpoint } from '@mailstead/core/webhooks/webhook-endpoint';
import {
  type AttemptOutcome,
  type NewAttempt,
  type TurnRule,
  type WebhookAttempt,
  WebhookEndpoints,
} from '@mailstead/core/webhooks/webhook-endpoints';
import { Database, type Parameter } from '../driver/database.js';
import { Table } from '../driver/table.js';

const FAILED_KEPT = 1_000;
const SUCCEEDED_KEPT = 50;
const KEPT_MS = 30 * DAY_MS;

/** Plain SQL: the times of walks are columns that the entity has not, and rows are upserted. */
@needs(Database)
export class SqlWebhookEndpoints extends WebhookEndpoints {
  private readonly table: Table<WebhookEndpoint>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, WebhookEndpoint);
  }

  override add(endpoint: WebhookEndpoint): Promise<WebhookEndpoint> {
    return this.table.insert(endpoint);
  }

  override async find(id: number): Promise<WebhookEndpoint | null> {
    return (await this.read('WHERE e.id = ?', [id]))[0] ?? null;
  }

  override async lock(id: number): Promise<WebhookEndpoint | null> {
    return (await this.read(`WHERE e.id = ?${this.database.dialect.forUpdate}`, [id]))[0] ?? null;
  }

  override list(partnerId: number | null, { after, limit, order = 'asc' }: Page): Promise<WebhookEndpoint[]> {
    const [own, values] = ofPartner(partnerId);
    const [beyond, by] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    return this.read(`WHERE ${own} AND e.id ${beyond} ? ORDER BY e.id ${by} LIMIT ?`, [...values, after, limit]);
  }

  override async lockOperators(): Promise<void> {
    await this.lockTurns('owner:operators');
  }

  override async countOf(partnerId: number | null): Promise<number> {
    const [own, values] = ofPartner(partnerId);
    const [row] = await this.database.read(`SELECT COUNT(*) AS count FROM webhook_endpoint e WHERE ${own}`, values);
    return Number(row?.count);
  }

  override async disabledCounts(): Promise<Map<DisabledReason, number>> {
    const rows = await this.database.read(
      `SELECT disabled_reason, COUNT(*) AS count FROM webhook_endpoint WHERE status = 'disabled' GROUP BY disabled_reason`,
    );
    return new Map(rows.map((row) => [row.disabled_reason as DisabledReason, Number(row.count)]));
  }

  override async save(endpoint: WebhookEndpoint): Promise<void> {
    await this.table.save(endpoint);
    const { id, status, challengeAt } = endpoint;
    const wakeAt = status === 'active' ? 0 : status === 'unconfirmed' ? (challengeAt?.getTime() ?? null) : null;
    await this.database.write('UPDATE webhook_endpoint SET wake_at = ? WHERE id = ?', [wakeAt, id]);
  }

  override async remove(id: number): Promise<void> {
    await this.database.write('DELETE FROM webhook_endpoint WHERE id = ?', [id]);
    await this.database.write('DELETE FROM webhook_delivery WHERE endpoint_id = ?', [id]);
    await this.database.write('DELETE FROM webhook_attempt WHERE endpoint_id = ?', [id]);
  }

  override async holdFailed(id: number, isHeld: boolean): Promise<void> {
    const sql = isHeld
      ? 'UPDATE webhook_delivery SET is_held = 1 WHERE endpoint_id = ? AND is_held = 0'
      : 'UPDATE webhook_delivery SET is_held = 0, next_at = 0 WHERE endpoint_id = ? AND is_held = 1';
    await this.database.write(sql, [id]);
  }

  override async addAttempts(id: number, attempts: readonly NewAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const values = attempts.flatMap(({ position, type, at, outcome, status }): Parameter[] => [
      id,
      position,
      type,
      at.getTime(),
      outcome,
      status,
      outcome === 'ok' ? 0 : 1,
    ]);
    const tuples = attempts.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
    await this.database.write(
      `INSERT INTO webhook_attempt (endpoint_id, position, type, at, outcome, status, is_failed) VALUES ${tuples}`,
      values,
    );
    const hasFailed = attempts.some(({ outcome }) => outcome !== 'ok');
    const hasSucceeded = attempts.some(({ outcome }) => outcome === 'ok');
    if (hasFailed) await this.keepNewest(id, 1, FAILED_KEPT);
    if (hasSucceeded) await this.keepNewest(id, 0, SUCCEEDED_KEPT);
  }

  override async attempts(id: number, now: Date): Promise<WebhookAttempt[]> {
    const rows = await this.database.read(
      `SELECT id, position, type, at, outcome, status FROM webhook_attempt
       WHERE endpoint_id = ? AND (is_failed = 0 OR at >= ?) ORDER BY id DESC`,
      [id, now.getTime() - KEPT_MS],
    );
    return rows.map((row) => ({
      id: Number(row.id),
      position: row.position === null ? null : Number(row.position),
      type: String(row.type),
      at: new Date(Number(row.at)),
      outcome: row.outcome as AttemptOutcome,
      status: row.status === null ? null : Number(row.status),
    }));
  }

  override async takeTurns(holders: ReadonlyMap<string, TurnRule>, now: Date): Promise<number | null> {
    const taken: [holder: string, rule: TurnRule, times: number[]][] = [];
    let waitMs = 0;
    // In one order, so that two requests do not wait for each other.
    for (const [holder, rule] of [...holders].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
      const times = (await this.lockTurns(holder)).filter(
        (at) => at > now.getTime() - rule.inMs && at <= now.getTime(),
      );
      const oldest = times.at(-rule.most);
      if (oldest !== undefined) waitMs = Math.max(waitMs, oldest + rule.inMs - now.getTime());
      taken.push([holder, rule, times]);
    }
    if (waitMs > 0) return Math.ceil(waitMs / SECOND_MS);
    for (const [holder, { most, inMs }, times] of taken) {
      await this.database.write('UPDATE webhook_turn SET times = ?, ends_at = ? WHERE holder = ?', [
        JSON.stringify([...times, now.getTime()].slice(-most)),
        now.getTime() + inMs,
        holder,
      ]);
    }
    return null;
  }

  override async deleteOld(now: Date, limit: number): Promise<number> {
    const { dialect } = this.database;
    const before = now.getTime() - KEPT_MS;
    const old = await this.database.write(dialect.deleteSome('webhook_attempt', 'is_failed = 1 AND at < ?'), [
      before,
      limit,
    ]);
    const ended = await this.database.write(dialect.deleteSome('webhook_turn', 'ends_at < ?'), [now.getTime(), limit]);
    return old.affected + ended.affected;
  }

  private async lockTurns(holder: string): Promise<number[]> {
    const { dialect } = this.database;
    const row = `${dialect.insertOrIgnore('webhook_turn')} (holder, times, ends_at) VALUES (?, '[]', 0)`;
    await this.database.write(row, [holder]);
    const lock = `SELECT times FROM webhook_turn WHERE holder = ?${dialect.forUpdate}`;
    const [found] = await this.database.read(lock, [holder]);
    return JSON.parse(found === undefined ? '[]' : String(found.times)) as number[];
  }

  private async keepNewest(id: number, isFailed: 0 | 1, kept: number): Promise<void> {
    const [oldest] = await this.database.read(
      'SELECT id FROM webhook_attempt WHERE endpoint_id = ? AND is_failed = ? ORDER BY id DESC LIMIT 1 OFFSET ?',
      [id, isFailed, kept],
    );
    if (oldest === undefined) return;
    await this.database.write('DELETE FROM webhook_attempt WHERE endpoint_id = ? AND is_failed = ? AND id <= ?', [
      id,
      isFailed,
      Number(oldest.id),
    ]);
  }

  private async read(rest: string, parameters: Parameter[]): Promise<WebhookEndpoint[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('e')}, (SELECT p.ref FROM partner p WHERE p.id = e.partner_id) AS partner_ref
       FROM webhook_endpoint e ${rest}`,
      parameters,
    );
    return rows.map((row) => endpointOf(this.table, row));
  }
}

function ofPartner(partnerId: number | null): [condition: string, values: Parameter[]] {
  return partnerId === null ? ['e.partner_id IS NULL', []] : ['e.partner_id = ?', [partnerId]];
}

/** @param row with `columns('e')` and `partner_ref` */
export function endpointOf(table: Table<WebhookEndpoint>, row: Record<string, unknown>): WebhookEndpoint {
  const ref = row.partner_ref;
  return table.hydrate(row, 'e', {
    partnerRef: (ref === '' || ref === undefined ? null : ref) as WebhookEndpoint['partnerRef'],
  });
}
