import { DAY_MS, utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { SuspensionCauses } from '@mailstead/core/domains/suspension';
import type { BounceWindow } from '@mailstead/core/outbound/bounce-rule';
import type { OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import {
  type CountedIncrement,
  incrementKey,
  type LedgerChanges,
  type LedgerDomain,
  type LedgerPage,
  type LedgerQuery,
  OutboundLedger,
  type SentMessageEvent,
  senderKey,
} from '@mailstead/core/outbound/outbound-ledger';
import { type OutboundPeriod, periodAt } from '@mailstead/core/outbound/outbound-period';
import type { TierLimits } from '@mailstead/core/outbound/outbound-settings';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type Database, type Parameter, placeholders, type Row } from './database.js';
import {
  byDomain,
  COUNTER_SELECT,
  hashId,
  inserted,
  toCounter,
  toEpochs,
  toTierLimits,
  upsert,
  writeClosed,
  writeCounters,
} from './outbound-rows.js';
import { bounceDays, readWindow } from './outbound-window.js';

const DAY_KEY = ['domain_id', 'day'];
const DAY_COLUMNS = [...DAY_KEY, 'sent', 'bounces', 'complaints'];

interface Linked {
  id: number;
  parentId: number | null;
}

export class TypeormOutboundLedger extends OutboundLedger {
  constructor(private readonly database: Database) {
    super();
  }

  override async open(queries: readonly LedgerQuery[], now: Date): Promise<LedgerPage> {
    const { period, tiers } = await this.lockPeriod(now);
    const names = [...new Set(queries.map(({ domain }) => domain))];
    const counters = new Map<number, OutboundCounter>();
    const known = await this.links('name', names);
    await this.lockCounters(known, counters);
    const byId = await this.facts(counters);
    const domains = new Map<DomainName, LedgerDomain>();
    const asked = new Set(known.map(({ id }) => id));
    for (const domain of byId.values()) if (asked.has(domain.id)) domains.set(domain.name, domain);
    const page: LedgerPage = { period, tiers, domains, byId, mailboxes: new Map(), increments: new Map() };
    await this.readMailboxes(page, queries);
    await this.readIncrements(page, queries, now);
    return page;
  }

  override async post(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void> {
    await writeClosed(this.database, changes.closed);
    await writeCounters(this.database, changes.counters);
    await this.addToDays(changes.days.map(({ domainId, day, sent }) => [domainId, day, sent, 0, 0]));
    await upsert(
      this.database,
      'outbound_sender',
      ['domain_id', 'day', 'sender'],
      ['domain_id', 'day', 'sender', 'sent', 'day_epoch'],
      Array.from(changes.senders.values(), ({ domainId, sender, sent }) => [
        domainId,
        period.day,
        sender,
        sent,
        period.dayEpoch,
      ]),
      // MySQL assigns from left to right: `sent` still sees the old epoch.
      (column) =>
        column === 'sent'
          ? `sent = ${inserted(this.database, 'sent')} + CASE WHEN outbound_sender.day_epoch = ${inserted(this.database, 'day_epoch')} THEN outbound_sender.sent ELSE 0 END`
          : `${column} = ${inserted(this.database, column)}`,
    );
    await upsert(
      this.database,
      'outbound_increment',
      ['domain_id', 'id_hash'],
      ['domain_id', 'id_hash', 'message_count', 'verdict', 'counted_at'],
      Array.from(changes.increments.values(), ({ domainId, id, count, answer }) => [
        domainId,
        hashId(id),
        count,
        JSON.stringify(answer),
        now.getTime(),
      ]),
    );
  }

  override async countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow> {
    const { period } = await this.lockPeriod(now);
    const counters = new Map<number, OutboundCounter>();
    await this.lockCounters(await this.links('id', [domainId]), counters);
    const accounts = await this.windowStarts([...counters.keys()]);
    const own = accounts.get(domainId);
    const none = { domainId, sent: 0, bounces: 0, complaints: 0, parent: null };
    if (own === undefined) return none;
    const involved = own.parentId === null ? [domainId] : [domainId, own.parentId];
    const bounces = events.filter(({ kind }) => kind === 'bounce').length;
    const changed = involved.flatMap((id) => counters.get(id) ?? []);
    const counted = { bounces, complaints: events.length - bounces };
    await writeClosed(
      this.database,
      changed.flatMap((counter) => counter.count(period, counted).period ?? []),
    );
    await writeCounters(this.database, changed);
    await this.addToDays(
      involved.flatMap((id) => bounceDays(id, events, accounts.get(id)?.bounceWindowStart ?? null, now)),
    );
    const window = async (id: number): Promise<BounceWindow> => ({
      ...(await readWindow(this.database, id, accounts.get(id)?.bounceWindowStart ?? null, now)),
      domainId: id,
      parent: null,
    });
    return { ...(await window(domainId)), parent: own.parentId === null ? null : await window(own.parentId) };
  }

  override async restartBounceWindow(domainId: number, now: Date): Promise<void> {
    await this.lockPeriod(now);
    const counters = new Map<number, OutboundCounter>();
    await this.lockCounters([{ id: domainId, parentId: null }], counters);
    const today = utcDay(now);
    const counter = counters.get(domainId);
    // What the counter still holds of today comes to this row later, and then makes it 0.
    const sent = counter?.day === today ? -counter.sentToday : 0;
    await upsert(this.database, 'outbound_day', DAY_KEY, DAY_COLUMNS, [[domainId, today, sent, 0, 0]]);
  }

  /** A reset takes the same row exclusively: it comes wholly before or wholly after. The tiers hold still with it. */
  private async lockPeriod(now: Date): Promise<{ period: OutboundPeriod; tiers: TierLimits }> {
    const share = this.database.dialect === 'mysql' ? ' LOCK IN SHARE MODE' : '';
    const rows = await this.database.read(
      `SELECT e.day_epoch, e.month_epoch, e.month_started_at, t.tier, t.daily_limit, t.monthly_limit
         FROM outbound_epoch e CROSS JOIN outbound_tier t WHERE e.id = 1${share}`,
    );
    return { period: periodAt(now, toEpochs(rows[0])), tiers: toTierLimits(rows) };
  }

  private async links(column: 'id' | 'name', values: Parameter[]): Promise<Linked[]> {
    if (values.length === 0) return [];
    const rows = await this.database.read(
      `SELECT id, parent_id FROM domain WHERE ${column} IN (${placeholders(values)})`,
      values,
    );
    return rows.map((row) => ({ id: Number(row.id), parentId: row.parent_id === null ? null : Number(row.parent_id) }));
  }

  /** Locks the counters of the domains and of their parents by id, alone, making those that do not exist. */
  private async lockCounters(links: readonly Linked[], into: Map<number, OutboundCounter>): Promise<void> {
    const ids = new Set(links.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId])));
    const wanted = [...ids].filter((id) => !into.has(id)).sort((left, right) => left - right);
    await this.selectCounters(wanted, into);
    const missing = wanted.filter((id) => !into.has(id));
    if (missing.length === 0) return;
    await this.database.write(
      `INSERT INTO outbound_counter (${COUNTER_SELECT}) VALUES ${missing.map(() => "(?, '', 0, 0, '', -1, 0, 0, 0, 0, 0)").join(', ')}
       ${this.database.dialect === 'mysql' ? 'ON DUPLICATE KEY UPDATE domain_id = VALUES(domain_id)' : 'ON CONFLICT (domain_id) DO NOTHING'}`,
      missing,
    );
    await this.selectCounters(missing, into);
  }

  private async selectCounters(ids: number[], into: Map<number, OutboundCounter>): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.database.read(
      `SELECT ${COUNTER_SELECT} FROM outbound_counter WHERE domain_id IN (${placeholders(ids)}) ORDER BY domain_id${this.database.forUpdate}`,
      ids,
    );
    for (const row of rows) into.set(Number(row.domain_id), toCounter(row));
  }

  /** The domains whose counters are locked; a parent that was linked just now is locked too. */
  private async facts(counters: Map<number, OutboundCounter>): Promise<Map<number, LedgerDomain>> {
    const byId = new Map<number, LedgerDomain>();
    let wanted = [...counters.keys()];
    while (wanted.length > 0) {
      const rows = await this.database.read(
        `SELECT d.id, d.name, d.partner_id, p.ref, d.suspension_causes, d.outbound_tier, d.outbound_enforcement,
                d.outbound_status, d.operator_daily_limit, d.operator_monthly_limit, d.client_daily_limit,
                d.client_monthly_limit, d.transfer_monthly_mb, d.parent_id, d.inherited_until, v.status, v.lost_at
           FROM domain d JOIN verification v ON v.domain_id = d.id JOIN partner p ON p.id = d.partner_id
          WHERE d.id IN (${placeholders(wanted)})`,
        wanted,
      );
      for (const row of rows) {
        const counter = counters.get(Number(row.id));
        if (counter !== undefined) byId.set(Number(row.id), toLedgerDomain(row, counter));
      }
      const parents = [...byId.values()].flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
      wanted = [...new Set(parents)].filter((id) => !counters.has(id));
      await this.lockCounters(
        wanted.map((id) => ({ id, parentId: null })),
        counters,
      );
    }
    return byId;
  }

  private async readMailboxes(
    { domains, mailboxes, period }: LedgerPage,
    queries: readonly LedgerQuery[],
  ): Promise<void> {
    const senders = [...new Set(queries.flatMap(({ sender }) => sender ?? []))];
    if (senders.length === 0) return;
    const limited = await this.database.read(
      `SELECT m.email, m.outbound_daily_limit, d.partner_id FROM mailbox m JOIN domain d ON d.id = m.domain_id
        WHERE m.email IN (${placeholders(senders)}) AND m.outbound_daily_limit > 0`,
      senders,
    );
    const byEmail = new Map(limited.map((row) => [row.email, row]));
    const pairs: [number, string][] = [];
    for (const { domain: name, sender } of queries) {
      const domain = domains.get(name);
      const mailbox = sender === null ? undefined : byEmail.get(sender);
      if (domain === undefined || sender === null || Number(mailbox?.partner_id) !== domain.partnerId) continue;
      mailboxes.set(senderKey(domain.id, sender), { dailyLimit: Number(mailbox?.outbound_daily_limit), sentToday: 0 });
      pairs.push([domain.id, sender]);
    }
    if (pairs.length === 0) return;
    const { sql, parameters } = byDomain('sender', pairs);
    const sent = await this.database.read(
      `SELECT domain_id, sender, sent FROM outbound_sender WHERE day = ? AND day_epoch = ? AND (${sql})`,
      [period.day, period.dayEpoch, ...parameters],
    );
    for (const row of sent) {
      const mailbox = mailboxes.get(senderKey(Number(row.domain_id), String(row.sender)));
      if (mailbox !== undefined) mailbox.sentToday = Number(row.sent);
    }
  }

  private async readIncrements(
    { domains, increments }: LedgerPage,
    queries: readonly LedgerQuery[],
    now: Date,
  ): Promise<void> {
    const keys = new Map<string, string>();
    const pairs: [number, string][] = [];
    for (const { domain: name, id } of queries) {
      const domain = domains.get(name);
      if (domain === undefined || id === null) continue;
      const hash = hashId(id);
      keys.set(incrementKey(domain.id, hash), incrementKey(domain.id, id));
      pairs.push([domain.id, hash]);
    }
    if (pairs.length === 0) return;
    const { sql, parameters } = byDomain('id_hash', pairs);
    const rows = await this.database.read(
      `SELECT domain_id, id_hash, message_count, verdict FROM outbound_increment WHERE counted_at > ? AND (${sql})`,
      [now.getTime() - DAY_MS, ...parameters],
    );
    for (const row of rows) {
      const key = keys.get(incrementKey(Number(row.domain_id), String(row.id_hash)));
      const answer = JSON.parse(String(row.verdict)) as CountedIncrement['answer'];
      if (key !== undefined) increments.set(key, { count: Number(row.message_count), answer });
    }
  }

  private addToDays(rows: Parameter[][]): Promise<void> {
    return upsert(
      this.database,
      'outbound_day',
      DAY_KEY,
      DAY_COLUMNS,
      rows,
      (column) => `${column} = outbound_day.${column} + ${inserted(this.database, column)}`,
    );
  }

  private async windowStarts(
    ids: number[],
  ): Promise<Map<number, { parentId: number | null; bounceWindowStart: Date | null }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read(
      `SELECT id, parent_id, bounce_window_start FROM domain WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    return new Map(
      rows.map((row) => [
        Number(row.id),
        {
          parentId: row.parent_id === null ? null : Number(row.parent_id),
          bounceWindowStart: dateOrNull(row.bounce_window_start),
        },
      ]),
    );
  }
}

function toLedgerDomain(row: Row, counter: OutboundCounter): LedgerDomain {
  return {
    id: Number(row.id),
    name: row.name as DomainName,
    partnerId: Number(row.partner_id),
    partnerRef: row.ref === '' ? null : (row.ref as PartnerRef),
    suspensionCauses: (row.suspension_causes === ''
      ? []
      : String(row.suspension_causes).split(',')) as unknown as SuspensionCauses,
    outboundTier: row.outbound_tier as LedgerDomain['outboundTier'],
    outboundEnforcement: row.outbound_enforcement as LedgerDomain['outboundEnforcement'],
    outboundStatus: row.outbound_status as LedgerDomain['outboundStatus'],
    operatorDailyLimit: row.operator_daily_limit as number | null,
    operatorMonthlyLimit: row.operator_monthly_limit as number | null,
    clientDailyLimit: row.client_daily_limit as number | null,
    clientMonthlyLimit: row.client_monthly_limit as number | null,
    transferMonthlyMb: Number(row.transfer_monthly_mb),
    parentId: row.parent_id === null ? null : Number(row.parent_id),
    inheritedUntil: dateOrNull(row.inherited_until),
    verificationStatus: row.status as LedgerDomain['verificationStatus'],
    verificationLostAt: dateOrNull(row.lost_at),
    counter,
  };
}

function dateOrNull(value: unknown): Date | null {
  return value === null ? null : new Date(Number(value));
}
