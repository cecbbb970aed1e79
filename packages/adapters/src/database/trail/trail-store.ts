import type { DomainName } from '@mailstead/core/domains/domain-name';
import { needs } from '@mailstead/core/needs';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { MAX_LOOKED_AT } from '@mailstead/core/search';
import { trailDayOf } from '@mailstead/core/trail/trail-options';
import { type TrailRow, timeInId, timeOfId } from '@mailstead/core/trail/trail-row';
import {
  type DaySpan,
  type DomainOwner,
  type FormerOwner,
  type FoundTrail,
  type RefusedRows,
  type TrailFilter,
  type TrailStanding,
  TrailStore,
} from '@mailstead/core/trail/trail-store';
import { chunksOf } from '../driver/chunks.js';
import { Database, type Parameter, placeholders } from '../driver/database.js';
import { refTransformer } from '../partners/partner-ref-column.js';
import { TrailDayTables } from './trail-day-tables.js';
import { TrailPartitions } from './trail-partitions.js';
import { ALL_COLUMNS, CHANGED_COLUMNS, toTrailRow, valuesOf, WRITTEN_COLUMNS } from './trail-rows.js';
import { TrailSearch } from './trail-search.js';
import { daysIn, type TrailIndex, type TrailTables } from './trail-tables.js';

/** MariaDB reads a list of 1,000 or more items as a table. */
const KEYS_PER_STATEMENT = 500;

/** Plain SQL: a report has up to 1,000 steps, and each database has other tables for the days. */
@needs(Database)
export class SqlTrailStore extends TrailStore {
  private readonly tables: TrailTables;

  constructor(private readonly database: Database) {
    super();
    this.tables = database.dialect.hasPartitions ? new TrailPartitions(database) : new TrailDayTables(database);
  }

  override async lockHosts(behindS: ReadonlyMap<string, number>, at: Date): Promise<void> {
    const { dialect } = this.database;
    const rows = [...behindS].map(([host, seconds]) => [host, at.getTime(), seconds]);
    for (const chunk of chunksOf(rows, (row) => row)) {
      await this.database.write(
        `INSERT INTO trail_host (host, seen_at, behind_s) VALUES ${chunk.map(() => '(?, ?, ?)').join(', ')}
         ${dialect.onConflict(['host'])} seen_at = ${dialect.inserted('seen_at')}, behind_s = ${dialect.inserted('behind_s')}`,
        chunk.flat(),
      );
    }
  }

  override async noteGaps(gaps: ReadonlyMap<number, Date>): Promise<void> {
    const { dialect } = this.database;
    const rows = [...gaps].sort(([one], [other]) => one - other).map(([id, at]) => [id, at.getTime(), at.getTime()]);
    for (const chunk of chunksOf(rows, (row) => row)) {
      await this.database.write(
        `INSERT INTO trail_gap (partner_id, since, until) VALUES ${chunk.map(() => '(?, ?, ?)').join(', ')}
         ${dialect.onConflict(['partner_id'])}
           since = CASE WHEN ${dialect.inserted('since')} < trail_gap.since THEN ${dialect.inserted('since')} ELSE trail_gap.since END,
           until = CASE WHEN ${dialect.inserted('until')} > trail_gap.until THEN ${dialect.inserted('until')} ELSE trail_gap.until END`,
        chunk.flat(),
      );
    }
  }

  override async readStanding(scope: PartnerScope, since: Date): Promise<TrailStanding> {
    const partner = scope === 'all' ? null : scope.partnerId;
    const [row] = await this.database.read(
      `SELECT (SELECT MAX(behind_s) FROM trail_host WHERE seen_at >= ?) AS behind,
              (SELECT MIN(since) FROM trail_gap${partner === null ? '' : ' WHERE partner_id = ?'}) AS gap`,
      [since.getTime(), ...(partner === null ? [] : [partner])],
    );
    const gap = row?.gap ?? null;
    return { behindS: Number(row?.behind ?? 0), gapsSince: gap === null ? null : new Date(Number(gap)) };
  }

  override async lastReports(hosts: readonly string[]): Promise<Map<string, Date>> {
    if (hosts.length === 0) return new Map();
    const rows = await this.database.read(
      `SELECT host, seen_at FROM trail_host WHERE host IN (${placeholders(hosts)})`,
      [...hosts],
    );
    return new Map(rows.map(({ host, seen_at: at }) => [String(host), new Date(Number(at))]));
  }

  override async hasReports(): Promise<boolean> {
    return (await this.database.read('SELECT host FROM trail_host LIMIT 1')).length > 0;
  }

  override async forgetGaps(before: Date): Promise<number> {
    const { affected } = await this.database.write('DELETE FROM trail_gap WHERE until < ?', [before.getTime()]);
    return affected;
  }

  /** Always in the same order, so that two units of work do not wait for each other. */
  override async lockRows(keys: ReadonlyMap<string, number>, { first, last }: DaySpan): Promise<TrailRow[]> {
    const byFirst = new Map<number, string[]>();
    for (const [key, earliest] of keys) {
      const day = Math.max(first, earliest);
      const others = byFirst.get(day);
      if (others === undefined) byFirst.set(day, [key]);
      else others.push(key);
    }
    const found: TrailRow[] = [];
    for (const [day, each] of [...byFirst].sort(([one], [other]) => one - other)) {
      found.push(...(await this.lock('key', 'row_key', each.sort(), { first: day, last })));
    }
    return found;
  }

  override lockRelayed(relayIds: readonly string[], days: DaySpan): Promise<TrailRow[]> {
    return this.lock('relay', 'relay_id', relayIds, days);
  }

  private async lock(index: TrailIndex, column: string, values: readonly string[], days: DaySpan): Promise<TrailRow[]> {
    const found: TrailRow[] = [];
    const parts = values.length === 0 ? [] : await this.tables.togetherOf(days);
    for (const part of parts) {
      const day = daysIn(part);
      for (let start = 0; start < values.length; start += KEYS_PER_STATEMENT) {
        const chunk = values.slice(start, start + KEYS_PER_STATEMENT);
        const rows = await this.database.read(
          `SELECT ${ALL_COLUMNS} FROM ${part.table}${part.by(index)}
            WHERE ${column} IN (${placeholders(chunk)}) AND ${day.sql}${this.database.dialect.forUpdate}`,
          [...chunk, ...day.parameters],
        );
        found.push(...rows.map(toTrailRow));
      }
    }
    return found;
  }

  override async save(rows: readonly TrailRow[]): Promise<void> {
    const { dialect } = this.database;
    const byDay = new Map<number, Parameter[][]>();
    for (const row of rows) {
      const day = trailDayOf(row.at);
      const values = byDay.get(day) ?? [];
      values.push(valuesOf(row));
      byDay.set(day, values);
    }
    const byTable = new Map<string, Parameter[][]>();
    for (const [day, values] of byDay) {
      const table = await this.tables.forWriting(day);
      byTable.set(table, [...(byTable.get(table) ?? []), ...values]);
    }
    const marks = `(${placeholders(WRITTEN_COLUMNS)})`;
    const changes = CHANGED_COLUMNS.map((column) => `${column} = ${dialect.inserted(column)}`).join(', ');
    for (const [table, values] of byTable) {
      for (const chunk of chunksOf(values, (each) => each)) {
        await this.database.write(
          `INSERT INTO ${table} (${WRITTEN_COLUMNS.join(', ')}) VALUES ${chunk.map(() => marks).join(', ')}
           ${dialect.onConflict(['day', 'id'])} ${changes}`,
          chunk.flat(),
        );
      }
    }
  }

  override async ownersOf(names: readonly DomainName[]): Promise<Map<DomainName, DomainOwner>> {
    const owners = new Map<DomainName, DomainOwner>();
    for (const chunk of chunksOf(names)) {
      const rows = await this.database.read(
        `SELECT id, name, partner_id, inbound, COALESCE(held_since, created_at) AS since
         FROM domain WHERE name IN (${placeholders(chunk)})`,
        chunk,
      );
      for (const { id, name, partner_id: partnerId, inbound, since } of rows) {
        const isOpen = inbound === 'open';
        const owner = { name: name as DomainName, domainId: Number(id), partnerId: Number(partnerId), isOpen };
        owners.set(owner.name, { ...owner, since: new Date(Number(since)) });
      }
    }
    return owners;
  }

  override async formerOwnersOf(names: readonly DomainName[], after: Date): Promise<Map<DomainName, FormerOwner[]>> {
    const owners = new Map<DomainName, FormerOwner[]>();
    for (const chunk of chunksOf(names)) {
      const rows = await this.database.read(
        `SELECT t.name, t.domain_id, t.partner_id, t.deleted_at, COALESCE(d.held_since, d.created_at) AS since
         FROM tombstone t JOIN deleted_domain d ON d.tombstone_id = t.id
         WHERE t.name IN (${placeholders(chunk)}) AND t.deleted_at > ? AND t.kind <> 'mailbox' AND t.partner_id > 0`,
        [...chunk, after.getTime()],
      );
      for (const row of rows) {
        const name = row.name as DomainName;
        const owner = { domainId: Number(row.domain_id), partnerId: Number(row.partner_id) };
        const span = { since: new Date(Number(row.since)), until: new Date(Number(row.deleted_at)) };
        owners.set(name, [...(owners.get(name) ?? []), { ...owner, ...span }]);
      }
    }
    return owners;
  }

  override async heldUntil(name: DomainName, partnerId: number): Promise<Date | null> {
    const [next] = await this.database.read(
      'SELECT partner_id, COALESCE(held_since, created_at) AS at FROM domain WHERE name = ?',
      [name],
    );
    if (next !== undefined && Number(next.partner_id) === partnerId) return null;
    const [end] = await this.database.read(
      'SELECT MAX(deleted_at) AS at FROM tombstone WHERE name = ? AND partner_id = ?',
      [name, partnerId],
    );
    const ended = end?.at ?? null;
    if (ended === null) return new Date(0);
    return new Date(Math.min(Number(ended), Number(next?.at ?? ended)));
  }

  override async countRefused({ domain, mailbox, direction, since, until }: RefusedRows, limit: number) {
    const day = trailDayOf(since);
    const index = mailbox === undefined ? 'domain' : 'mailbox';
    let count = 0;
    for (const part of await this.tables.daysOf({ first: day, last: day })) {
      const days = daysIn(part);
      const [row] = await this.database.read(
        `SELECT COUNT(*) AS found FROM (SELECT state FROM (
           SELECT state, direction FROM ${part.table}${part.by(index)}
            WHERE ${days.sql} AND ${index} = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ${MAX_LOOKED_AT}) AS newest
          WHERE state = 'refused' AND direction = ? LIMIT ?) AS few`,
        [...days.parameters, mailbox ?? domain ?? '', timeOfId(since), timeOfId(until), direction, limit],
      );
      count += Number(row?.found);
    }
    return count;
  }

  override search(scope: PartnerScope, filter: TrailFilter, before: string | null, limit: number): Promise<FoundTrail> {
    return new TrailSearch(this.database, this.tables, scope, filter).next(before, limit);
  }

  override async find(scope: PartnerScope, id: string): Promise<TrailRow | null> {
    const at = timeInId(id);
    if (at === null) return null;
    const day = trailDayOf(at);
    const [part] = await this.tables.daysOf({ first: day, last: day });
    if (part === undefined) return null;
    const [row] = await this.database.read(`SELECT ${ALL_COLUMNS} FROM ${part.table} WHERE day = ? AND id = ?`, [
      day,
      id,
    ]);
    const found = row === undefined ? null : toTrailRow(row);
    return found !== null && isInScope(scope, { id: found.domainId, partnerId: found.partnerId }) ? found : null;
  }

  override keepDays(days: DaySpan): Promise<number> {
    return this.tables.keep(days);
  }

  override async forgetHosts(before: Date): Promise<number> {
    const { affected } = await this.database.write('DELETE FROM trail_host WHERE seen_at < ?', [before.getTime()]);
    return affected;
  }

  override async refsOf(partnerIds: readonly number[]): Promise<Map<number, PartnerRef | null>> {
    const refs = new Map<number, PartnerRef | null>();
    for (const chunk of chunksOf(partnerIds)) {
      const rows = await this.database.read(`SELECT id, ref FROM partner WHERE id IN (${placeholders(chunk)})`, chunk);
      for (const { id, ref } of rows) refs.set(Number(id), refTransformer.from(ref) as PartnerRef | null);
    }
    return refs;
  }

  override async noteReading(operator: string, partnerId: number, hour: Date): Promise<boolean> {
    const { affected } = await this.database.write(
      `${this.database.dialect.insertOrIgnore('trail_reading')} (operator, partner_id, hour) VALUES (?, ?, ?)`,
      [operator, partnerId, hour.getTime()],
    );
    return affected > 0;
  }

  override async forgetReadings(before: Date): Promise<number> {
    const sql = this.database.dialect.deleteSome('trail_reading', 'hour < ?');
    const { affected } = await this.database.write(sql, [before.getTime(), 500]);
    return affected;
  }
}
