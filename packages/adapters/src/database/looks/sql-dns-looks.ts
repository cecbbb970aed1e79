import { HOUR_MS } from '@mailstead/core/clock';
import type { Slice } from '@mailstead/core/counts/row-counts';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { needs } from '@mailstead/core/needs';
import type { DnsLack } from '@mailstead/core/relay/looks/dns-lacks';
import { DnsLooks, type DueLook, type Look, type LooksStanding } from '@mailstead/core/relay/looks/dns-looks';
import { idBlocks } from '../copies/id-blocks.js';
import { chunksOf } from '../driver/chunks.js';
import { Database, type Parameter, placeholders, type Row } from '../driver/database.js';
import { addReason, removeReasons } from '../finding/attention-rows.js';

/** Spreads the first looks of neighbouring ids over an hour. */
const SPREAD_MS = 7_919_993;
const MAX_PROBLEM = 500;
const COLUMNS = 'domain_id, partner_id, due_at, lacks, suspected';

/** Plain SQL: a round reads, claims and plans many domains with few statements. */
@needs(Database)
export class SqlDnsLooks extends DnsLooks {
  constructor(private readonly database: Database) {
    super();
  }

  override async plan(domainIds: readonly number[], at: Date): Promise<void> {
    for (const chunk of chunksOf(domainIds)) {
      await this.planWhere(`d.id IN (${placeholders(chunk)})`, chunk, at);
    }
  }

  override planLinked(parentId: number, at: Date): Promise<void> {
    return this.planWhere('(d.id = ? OR d.parent_id = ?)', [parentId, parentId], at);
  }

  private async planWhere(condition: string, parameters: readonly Parameter[], at: Date): Promise<void> {
    const { dialect } = this.database;
    await this.database.write(
      `INSERT INTO dns_look (${COLUMNS}) SELECT d.id, d.partner_id, ?, '', '' FROM domain d WHERE ${condition}
       ${dialect.onConflict(['domain_id'])} due_at = ${dialect.least('dns_look.due_at', dialect.inserted('due_at'))}`,
      [at.getTime(), ...parameters],
    );
  }

  override async planMissing(slice: Slice, now: Date): Promise<number> {
    let planned = 0;
    for await (const { after, last } of idBlocks(this.database, slice)) {
      const { affected } = await this.database.write(
        `${this.database.dialect.insertOrIgnore('dns_look')} (${COLUMNS})
         SELECT d.id, d.partner_id, ? + (d.id * ${SPREAD_MS}) % ${HOUR_MS}, '', ''
           FROM domain d JOIN verification v ON v.domain_id = d.id
           LEFT JOIN verification pv ON pv.domain_id = d.parent_id
           LEFT JOIN dns_look l ON l.domain_id = d.id
          WHERE d.id > ? AND d.id <= ? AND l.domain_id IS NULL
            AND (v.status = 'verified' OR pv.status = 'verified'
                 OR (d.inbound = 'open' AND d.mailbox_count + d.alias_count > 0))`,
        [now.getTime(), after, last],
      );
      planned += affected;
    }
    return planned;
  }

  override async firstDue(): Promise<Date | null> {
    // One look into the index for each partner.
    const [row] = await this.database.read(
      `SELECT MIN(f.due_at) AS first FROM (
         SELECT (SELECT MIN(l.due_at) FROM dns_look l WHERE l.partner_id = p.id) AS due_at FROM partner p) AS f`,
    );
    return row === undefined || row.first === null ? null : new Date(Number(row.first));
  }

  override async due(afterPartnerId: number, now: Date, limit: number): Promise<DueLook[]> {
    const partners = await this.database.read(
      `SELECT p.id FROM partner p
        WHERE p.id > ? AND EXISTS (SELECT 1 FROM dns_look l WHERE l.partner_id = p.id AND l.due_at <= ?)
        ORDER BY p.id LIMIT ?`,
      [afterPartnerId, now.getTime(), limit],
    );
    if (partners.length === 0) return [];
    const each = Math.ceil(limit / partners.length);
    const { dialect } = this.database;
    const ofPartner = `SELECT l.domain_id, d.name, l.partner_id, l.due_at FROM dns_look l${dialect.byIndex('ix_dns_look_due')} JOIN domain d ON d.id = l.domain_id
        WHERE l.partner_id = ? AND l.due_at <= ? ORDER BY l.due_at LIMIT ?`;
    const parts = partners.map((_, index) => dialect.limitedPart(ofPartner, `due${index}`));
    const rows = await this.database.read(
      parts.join(' UNION ALL '),
      partners.flatMap(({ id }) => [Number(id), now.getTime(), each]),
    );
    return rows
      .map(toDue)
      .toSorted((left, right) => left.partnerId - right.partnerId)
      .slice(0, limit);
  }

  override async claim({ domainId, dueAt }: DueLook, until: Date): Promise<boolean> {
    const { affected } = await this.database.write(
      'UPDATE dns_look SET due_at = ? WHERE domain_id = ? AND due_at = ?',
      [until.getTime(), domainId, dueAt.getTime()],
    );
    return affected === 1;
  }

  override find(domainId: number): Promise<Look | null> {
    return this.read(domainId, '');
  }

  override lock(domainId: number): Promise<Look | null> {
    return this.read(domainId, this.database.dialect.forUpdate);
  }

  private async read(domainId: number, end: string): Promise<Look | null> {
    const [row] = await this.database.read(
      `SELECT domain_id, due_at, lacks, suspected, suspected_at, hold FROM dns_look WHERE domain_id = ?${end}`,
      [domainId],
    );
    return row === undefined ? null : toLook(row);
  }

  override async save({ domainId, dueAt, lacks, suspected, suspectedAt, hold }: Look): Promise<void> {
    await this.database.write(
      'UPDATE dns_look SET due_at = ?, lacks = ?, suspected = ?, suspected_at = ?, hold = ? WHERE domain_id = ?',
      [dueAt.getTime(), lacks.join(), suspected.join(), suspectedAt?.getTime() ?? null, hold, domainId],
    );
    if (lacks.length === 0) await removeReasons(this.database, domainId, ['dns_missing']);
    else await addReason(this.database, domainId, 'dns_missing');
  }

  override async forget(domainId: number): Promise<void> {
    await this.database.write('DELETE FROM dns_look WHERE domain_id = ?', [domainId]);
    await removeReasons(this.database, domainId, ['dns_missing']);
  }

  override async lacksOf(domainIds: readonly number[]): Promise<Map<number, DnsLack[]>> {
    const found = new Map<number, DnsLack[]>();
    for (const chunk of chunksOf(domainIds)) {
      const rows = await this.database.read(
        `SELECT domain_id, lacks FROM dns_look WHERE domain_id IN (${placeholders(chunk)}) AND lacks <> ''`,
        chunk,
      );
      for (const row of rows) found.set(Number(row.domain_id), toLacks(row.lacks));
    }
    return found;
  }

  override async holdRound(round: string, now: Date, until: Date): Promise<boolean> {
    const { affected } = await this.database.write(
      'UPDATE dns_look_state SET round = ?, round_until = ? WHERE id = 1 AND (round = ? OR round_until <= ?)',
      [round, until.getTime(), round, now.getTime()],
    );
    return affected === 1;
  }

  override async endRound(round: string, problem: string | null): Promise<void> {
    await this.database.write(
      "UPDATE dns_look_state SET round = '', round_until = 0, problem = ? WHERE id = 1 AND round = ?",
      [problem?.slice(0, MAX_PROBLEM) ?? null, round],
    );
  }

  override async admit(day: string, most: number): Promise<boolean> {
    // MySQL assigns from left to right.
    const { affected } = await this.database.write(
      `UPDATE dns_look_state SET new_lacks = CASE WHEN day = ? THEN new_lacks + 1 ELSE 1 END, day = ?
        WHERE id = 1 AND (day <> ? OR new_lacks < ?)`,
      [day, day, day, most],
    );
    return affected === 1;
  }

  override async standing(): Promise<LooksStanding> {
    const [row] = await this.database.read(
      `SELECT s.problem, (SELECT COUNT(*) FROM dns_look l WHERE l.hold = 'held') AS held FROM dns_look_state s WHERE s.id = 1`,
    );
    return { held: Number(row?.held), problem: (row?.problem as string | null | undefined) ?? null };
  }

  override async release(at: Date): Promise<number> {
    const { affected } = await this.database.write(
      "UPDATE dns_look SET hold = 'released', due_at = ? WHERE hold = 'held'",
      [at.getTime()],
    );
    return affected;
  }

  override async domainCount(): Promise<number> {
    const [row] = await this.database.read('SELECT SUM(domain_count) AS domains FROM partner');
    return Number(row?.domains ?? 0);
  }
}

function toDue(row: Row): DueLook {
  return {
    domainId: Number(row.domain_id),
    name: row.name as DomainName,
    partnerId: Number(row.partner_id),
    dueAt: new Date(Number(row.due_at)),
  };
}

function toLook(row: Row): Look {
  return {
    domainId: Number(row.domain_id),
    dueAt: new Date(Number(row.due_at)),
    lacks: toLacks(row.lacks),
    suspected: toLacks(row.suspected),
    suspectedAt: row.suspected_at === null ? null : new Date(Number(row.suspected_at)),
    hold: row.hold as Look['hold'],
  };
}

function toLacks(words: unknown): DnsLack[] {
  return words === '' ? [] : (String(words).split(',') as DnsLack[]);
}
