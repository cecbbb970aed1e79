import { DAY_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import { dayStart } from '@mailstead/core/read-time';
import type { CountedSearch } from '@mailstead/core/search';
import { type LiftState, Suppression, WHOLE_PARTNER } from '@mailstead/core/suppressions/suppression';
import type { SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import {
  type EventSuppression,
  type NewlySuppressed,
  type SuppressionFilter,
  type SuppressionQuery,
  Suppressions,
  suppressionKey,
} from '@mailstead/core/suppressions/suppressions';
import { chunksOf } from '../driver/chunks.js';
import { Database, type Parameter, placeholders, type Row, type Statement } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { Table } from '../driver/table.js';
import { condition } from '../finding/conditions.js';
import { searchOf } from '../finding/id-search.js';
import type { Condition } from '../finding/search-plan.js';
import { addToSuppressions } from './suppression-counts.js';
import { inSuppressionScope, presentSuppression, suppressionPlan } from './suppression-plan.js';

/** Below the number of items from which MariaDB reads a list as a table. */
const ADDRESSES_PER_READ = 500;

/** Two ranges for each: below the depth of an expression that SQLite accepts. */
const QUERIES_PER_READ = 250;

type Key = Pick<Suppression, 'domainId' | 'address'>;
type StoredRow = Omit<Suppression, 'id' | 'partnerRef' | 'domain' | 'lift'>;

/**
 * Plain SQL: the look-up is part of every preview of partners with rows, and one statement stores what a batch of up to
 * 2,000 recipients of events suppresses.
 */
@needs(Database)
export class SqlSuppressions extends Suppressions {
  private readonly table: Table<Suppression>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Suppression);
  }

  override async find(scope: PartnerScope, id: number, now: Date): Promise<Suppression | null> {
    const conditions = [condition('t.id = ?', id), presentSuppression(now), ...inSuppressionScope(scope)];
    return (await this.read(conditions))[0] ?? null;
  }

  override async findByKey({ partnerId, domainId, address }: Key & { partnerId: number }): Promise<Suppression | null> {
    const [found] = await this.ofKeys(partnerId, [{ domainId, address }]);
    return found ?? null;
  }

  override search(scope: PartnerScope, filter: SuppressionFilter, now: Date): CountedSearch<Suppression> {
    return searchOf(
      () => suppressionPlan(this.database, scope, filter, now),
      this.database,
      (ids, at) => this.read([condition(`t.id IN (${placeholders(ids)})`, ...ids)], at),
    );
  }

  override async add(suppression: Suppression): Promise<Suppression> {
    await this.table.insert(suppression);
    await addToSuppressions(this.database, suppression.partnerId, 1);
    return suppression;
  }

  override async remove({ id, partnerId }: Pick<Suppression, 'id' | 'partnerId'>): Promise<void> {
    await this.removeAll(partnerId, [id]);
  }

  override async markLift(id: number, state: LiftState): Promise<void> {
    await this.database.write('UPDATE suppression SET lift = ? WHERE id = ?', [state, id]);
  }

  override async lifting(id: number): Promise<Pick<Suppression, 'partnerId' | 'address' | 'spelling'> | null> {
    return (await this.read([condition('t.id = ? AND t.lift IS NOT NULL', id)]))[0] ?? null;
  }

  override async removeLifted(partnerId: number, id: number): Promise<void> {
    const sql = 'DELETE FROM suppression WHERE partner_id = ? AND id = ? AND lift IS NOT NULL';
    const { affected } = await this.database.write(sql, [partnerId, id]);
    await addToSuppressions(this.database, partnerId, -affected);
  }

  override async addFromEvents(
    partnerId: number,
    found: readonly EventSuppression[],
    { now, most }: { now: Date; most: number },
  ): Promise<number> {
    const events = strongestOf(found);
    if ((await this.countOf(partnerId)) + events.size > most) await this.removeExpired(partnerId, now, events.size);
    const existing = new Map(
      (await this.ofKeys(partnerId, [...events.values()])).map((row) => [suppressionKey(row), row]),
    );
    const fresh = Array.from(events.values()).filter((each) => !existing.has(suppressionKey(each)));
    const room = await this.makeRoom(partnerId, fresh.length, most, [...existing.values()]);
    const added = fresh.slice(0, room);
    const changed = Array.from(existing, ([key, row]) => joined(row, events.get(key) ?? null, now));
    await this.upsert([...added.map(rowOf), ...changed]);
    await addToSuppressions(this.database, partnerId, added.length);
    return added.length;
  }

  override async suppressed(queries: readonly SuppressionQuery[], now: Date): Promise<Map<string, Date>> {
    const found = new Map<string, Date>();
    for (const part of partsOf(queries, QUERIES_PER_READ)) {
      const { sql, parameters } = rangesOf(part);
      // Without it MariaDB looks each range up in seven indexes before it chooses one: three to eight times as long.
      const byKey = this.database.dialect.byUniqueKey('uq_suppression_address');
      const rows = await this.database.read(
        `SELECT t.partner_id, t.domain_id, t.address, t.since FROM suppression t${byKey}
          WHERE (${sql}) AND (t.expires_at IS NULL OR t.expires_at > ?) AND t.lift IS NULL`,
        [...parameters, now.getTime()],
      );
      const since = new Map(rows.map((row) => [rangeKey(row), Number(row.since)]));
      for (const { partnerId: partner_id, domainId, address } of part) {
        const times = [WHOLE_PARTNER, domainId].flatMap(
          (domain_id) => since.get(rangeKey({ partner_id, domain_id, address })) ?? [],
        );
        if (times.length > 0) found.set(suppressionKey({ domainId, address }), new Date(Math.min(...times)));
      }
    }
    return found;
  }

  override async newlySuppressed(
    day: string,
    { afterDomainId, least, limit }: { afterDomainId: number; least: number; limit: number },
  ): Promise<NewlySuppressed[]> {
    const from = dayStart(day).getTime();
    const rows = await this.database.read(
      `SELECT s.domain_id, s.suppressed,
              COALESCE((SELECT n.sent FROM outbound_day n WHERE n.domain_id = s.domain_id AND n.day = ?), 0)
              + COALESCE((SELECT c.sent_today FROM outbound_counter c WHERE c.domain_id = s.domain_id AND c.day = ?), 0) AS sent
         FROM (SELECT domain_id, COUNT(*) AS suppressed FROM suppression
                WHERE since >= ? AND since < ? AND reason <> 'manual' AND domain_id > ?
                GROUP BY domain_id HAVING COUNT(*) >= ? ORDER BY domain_id LIMIT ?) AS s`,
      [day, day, from, from + DAY_MS, afterDomainId, least, limit],
    );
    return rows.map(({ domain_id, suppressed, sent }) => {
      return { domainId: Number(domain_id), suppressed: Number(suppressed), sent: Number(sent) };
    });
  }

  override async openDomains(names: readonly string[]): Promise<Set<string>> {
    const open = new Set<string>();
    for (const chunk of partsOf([...new Set(names)])) {
      const rows = await this.database.read(
        `SELECT name FROM domain WHERE inbound = 'open' AND name IN (${placeholders(chunk)})`,
        chunk,
      );
      for (const { name } of rows) open.add(String(name));
    }
    return open;
  }

  override async removeExpired(partnerId: number, now: Date, limit: number): Promise<number> {
    const { affected } = await this.database.write(
      this.database.dialect.deleteSome(
        'suppression',
        "partner_id = ? AND reason IN ('bounce', 'complaint') AND expires_at <= ?",
      ),
      [partnerId, now.getTime(), limit],
    );
    await addToSuppressions(this.database, partnerId, -affected);
    return affected;
  }

  override async partnersWithExpired(now: Date, limit: number): Promise<number[]> {
    const rows = await this.database.read(
      `SELECT DISTINCT x.partner_id FROM (SELECT s.partner_id FROM suppression s WHERE s.expires_at <= ?
         ORDER BY s.expires_at LIMIT ?) x ORDER BY x.partner_id`,
      [now.getTime(), limit],
    );
    return rows.map((row) => Number(row.partner_id));
  }

  private async countOf(partnerId: number): Promise<number> {
    const [row] = await this.database.read('SELECT suppression_count FROM partner WHERE id = ?', [partnerId]);
    return Number(row?.suppression_count);
  }

  /**
   * Deletes the bounces that expire first, none of which is about to be changed.
   * @returns for how many of the wanted rows there is room
   */
  private async makeRoom(partnerId: number, wanted: number, most: number, kept: Suppression[]): Promise<number> {
    const room = Math.max(0, most - (await this.countOf(partnerId)));
    if (room >= wanted) return wanted;
    const keptIds = new Set(kept.map(({ id }) => id));
    const oldest = await this.database.read(
      "SELECT id FROM suppression WHERE partner_id = ? AND reason = 'bounce' ORDER BY expires_at, id LIMIT ?",
      [partnerId, wanted - room + keptIds.size],
    );
    const ids = oldest.map(({ id }) => Number(id)).filter((id) => !keptIds.has(id));
    return room + (await this.removeAll(partnerId, ids.slice(0, wanted - room)));
  }

  private async removeAll(partnerId: number, ids: readonly number[]): Promise<number> {
    let removed = 0;
    for (const chunk of partsOf(ids)) {
      const sql = `DELETE FROM suppression WHERE partner_id = ? AND id IN (${placeholders(chunk)})`;
      removed += (await this.database.write(sql, [partnerId, ...chunk])).affected;
    }
    await addToSuppressions(this.database, partnerId, -removed);
    return removed;
  }

  private async ofKeys(partnerId: number, keys: readonly Key[]): Promise<Suppression[]> {
    const byDomain = new Map<number, SuppressedAddress[]>();
    for (const { domainId, address } of keys) byDomain.set(domainId, [...(byDomain.get(domainId) ?? []), address]);
    const found: Suppression[] = [];
    for (const [domainId, addresses] of byDomain) {
      for (const chunk of partsOf(addresses)) {
        const own = condition('t.partner_id = ? AND t.domain_id = ?', partnerId, domainId);
        found.push(...(await this.read([own, condition(`t.address IN (${placeholders(chunk)})`, ...chunk)])));
      }
    }
    return found;
  }

  private async upsert(rows: readonly StoredRow[]): Promise<void> {
    const { dialect } = this.database;
    const assigned = [
      ...['reason', 'note', 'since', 'expires_at', 'spelling'].map(
        (column) => `${column} = ${dialect.inserted(column)}`,
      ),
      'lift = NULL',
    ];
    for (const chunk of chunksOf(rows, valuesOf)) {
      await this.database.write(
        `INSERT INTO suppression (partner_id, domain_id, address, reason, note, since, expires_at, spelling)
         VALUES ${chunk.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
         ${dialect.onConflict(['partner_id', 'domain_id', 'address'])} ${assigned.join(', ')}`,
        chunk.flatMap(valuesOf),
      );
    }
  }

  private async read(conditions: readonly Condition[], page?: Page): Promise<Suppression[]> {
    const order = page === undefined ? '' : ` ORDER BY ${Filter.orderOf('t.id', page)}`;
    const rows = await this.database.read(
      `SELECT ${this.table.columns('t')}, (SELECT p.ref FROM partner p WHERE p.id = t.partner_id) AS partner_ref,
              (SELECT d.name FROM domain d WHERE d.id = t.domain_id) AS domain_name
         FROM suppression t WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}${order}`,
      conditions.flatMap(({ parameters }) => parameters),
    );
    return rows.map((row) =>
      this.table.hydrate(row, 't', {
        partnerRef: row.partner_ref === '' ? null : (row.partner_ref as PartnerRef),
        domain: (row.domain_name ?? null) as DomainName | null,
      }),
    );
  }
}

/** Ranges of the unique key: for each partner and each domain the addresses that are asked about. */
function rangesOf(queries: readonly SuppressionQuery[]): Statement {
  const ranges = new Map<string, { ids: [partner: number, domain: number]; addresses: Set<SuppressedAddress> }>();
  for (const { partnerId, domainId, address } of queries) {
    for (const domain of [WHOLE_PARTNER, domainId]) {
      const key = `${partnerId} ${domain}`;
      const known = ranges.get(key);
      if (known === undefined) ranges.set(key, { ids: [partnerId, domain], addresses: new Set([address]) });
      else known.addresses.add(address);
    }
  }
  const all = [...ranges.values()];
  return {
    sql: all
      .map(
        ({ addresses }) => `(t.partner_id = ? AND t.domain_id = ? AND t.address IN (${placeholders([...addresses])}))`,
      )
      .join(' OR '),
    parameters: all.flatMap(({ ids, addresses }) => [...ids, ...addresses]),
  };
}

function rangeKey({ partner_id, domain_id, address }: Row): string {
  return `${String(partner_id)} ${String(domain_id)} ${String(address)}`;
}

/** One for each address of a domain: a complaint rather than a bounce, as long as the longest. */
function strongestOf(found: readonly EventSuppression[]): Map<string, EventSuppression> {
  const strongest = new Map<string, EventSuppression>();
  for (const event of found) {
    const key = suppressionKey(event);
    const known = strongest.get(key);
    if (known === undefined) {
      strongest.set(key, event);
      continue;
    }
    strongest.set(key, {
      ...known,
      reason: known.reason === 'complaint' ? 'complaint' : event.reason,
      since: known.since < event.since ? known.since : event.since,
      expiresAt: known.expiresAt > event.expiresAt ? known.expiresAt : event.expiresAt,
    });
  }
  return strongest;
}

/** What a row becomes by an event; an expired one is as none. */
function joined(row: Suppression, event: EventSuppression | null, now: Date): StoredRow {
  if (event === null) return row;
  if (row.expiresAt !== null && row.expiresAt <= now) return rowOf(event);
  const reason = event.reason === 'complaint' ? 'complaint' : row.reason;
  const isLonger = row.expiresAt === null || row.expiresAt > event.expiresAt;
  const { partnerId, domainId, address, note } = row;
  const expiresAt = isLonger ? row.expiresAt : event.expiresAt;
  // One that was lifted begins anew.
  const since = row.lift === null ? row.since : event.since;
  const own = row.reason === 'manual' ? address : null;
  const spelling = event.spelling ?? row.spelling ?? own;
  return { partnerId, domainId, address, reason, note, since, expiresAt, spelling };
}

function rowOf(event: EventSuppression): StoredRow {
  return { ...event, note: null, spelling: event.spelling ?? null };
}

function valuesOf({ partnerId, domainId, address, reason, note, since, expiresAt, spelling }: StoredRow): Parameter[] {
  const end = expiresAt === null ? null : expiresAt.getTime();
  return [partnerId, domainId, address, reason, note, since.getTime(), end, spelling];
}

function partsOf<Item>(items: readonly Item[], size = ADDRESSES_PER_READ): Item[][] {
  const parts: Item[][] = [];
  for (let start = 0; start < items.length; start += size) parts.push(items.slice(start, start + size));
  return parts;
}
