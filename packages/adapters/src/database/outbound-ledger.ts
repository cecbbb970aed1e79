import { DAY_MS, utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { SuspensionCauses } from '@mailstead/core/domains/suspension';
import type { BounceWindow } from '@mailstead/core/outbound/bounce-rule';
import { OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
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
import { type Database, placeholders, type Row, type Statement } from './database.js';
import {
  addToDays,
  addToSenders,
  lockCounters,
  lockPeriod,
  makeCounters,
  readCounters,
  readFacts,
  readInbound,
  readIncrements,
  readLimitedMailboxes,
  readLinks,
  readPeriod,
  readSenders,
  rememberIncrements,
  setDay,
} from './ledger-statements.js';
import { hashId, insertClosed, toCounter, toEpochs, toTierLimits, upsertCounters } from './outbound-rows.js';
import { bounceDays, readWindow } from './outbound-window.js';

export class TypeormOutboundLedger extends OutboundLedger {
  constructor(private readonly database: Database) {
    super();
  }

  override async open(queries: readonly LedgerQuery[], now: Date): Promise<LedgerPage> {
    const opening = await this.begin(queries, now, lockPeriod(this.database));
    const { ids, asked, period } = opening;
    const read = () =>
      this.database.together([
        lockCounters(this.database, ids),
        ...this.around(opening),
        readIncrements(
          now.getTime() - DAY_MS,
          Array.from(asked.increments.values(), ({ domainId, hash }) => [domainId, hash]),
        ),
      ]);
    let rows = await read();
    // A counter that was made just now was not locked while the rest was read.
    if (await this.makeMissing(ids, rows[0])) rows = await read();
    const [counterRows = [], factRows = [], mailboxRows = [], senderRows = [], incrementRows = []] = rows;
    const byId = await this.accounts(factRows, toCounters(counterRows));
    return {
      ...toPage(opening, byId),
      period,
      mailboxes: toMailboxes(asked.senders, byId, mailboxRows, senderRows),
      increments: toIncrements(asked.increments, incrementRows),
    };
  }

  override async look(queries: readonly LedgerQuery[], now: Date): Promise<LedgerPage> {
    const opening = await this.begin(queries, now, readPeriod());
    const { ids, asked, period } = opening;
    const [counterRows = [], factRows = [], mailboxRows = [], senderRows = []] = await this.database.together([
      readCounters(ids),
      ...this.around(opening),
    ]);
    const counters = toCounters(counterRows);
    const domains = factRows.map((row) => {
      const id = Number(row.id);
      return [id, toLedgerDomain(row, counters.get(id) ?? OutboundCounter.blank(id))] as const;
    });
    const byId = new Map(domains);
    return {
      ...toPage(opening, byId),
      period,
      mailboxes: toMailboxes(asked.senders, byId, mailboxRows, senderRows),
      increments: new Map(),
    };
  }

  override async inboundAmong(names: readonly DomainName[]): Promise<Set<DomainName>> {
    const [rows = []] = await this.database.together([readInbound([...new Set(names)])]);
    return new Set(rows.map(({ name }) => name as DomainName));
  }

  private async begin(queries: readonly LedgerQuery[], now: Date, readingPeriod: Statement): Promise<Opening> {
    const names = [...new Set(queries.map(({ domain }) => domain))];
    const [periodRows = [], linkRows = []] = await this.database.together([readingPeriod, readLinks('name', names)]);
    const idsByName = new Map(linkRows.map(({ name, id }) => [name as DomainName, Number(id)]));
    return {
      period: periodAt(now, toEpochs(periodRows[0])),
      tiers: toTierLimits(periodRows),
      idsByName,
      ids: idsOf(linkRows),
      asked: askedOf(queries, idsByName),
    };
  }

  /** What is read beside the counters: facts, limited mailboxes, and what their senders sent. */
  private around({ ids, asked, period }: Opening): (Statement | null)[] {
    return [
      readFacts(ids),
      readLimitedMailboxes([...new Set(asked.senders.map(([, sender]) => sender))]),
      readSenders(period, asked.senders),
    ];
  }

  override async post(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void> {
    await this.database.finish([
      insertClosed(changes.closed),
      upsertCounters(this.database, changes.counters),
      addToDays(
        this.database,
        changes.days.map(({ domainId, day, sent }) => [domainId, day, sent, 0, 0]),
      ),
      addToSenders(this.database, changes.senders, period),
      rememberIncrements(this.database, changes.increments, now),
    ]);
  }

  override async countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow> {
    const [periodRows = [], linkRows = []] = await this.database.together([
      lockPeriod(this.database),
      readLinks('id', [domainId]),
    ]);
    const period = periodAt(now, toEpochs(periodRows[0]));
    const counters = await this.lock(idsOf(linkRows));
    const accounts = await this.windowStarts([...counters.keys()]);
    const own = accounts.get(domainId);
    const none = { domainId, sent: 0, bounces: 0, complaints: 0, parent: null };
    if (own === undefined) return none;
    const involved = own.parentId === null ? [domainId] : [domainId, own.parentId];
    const bounces = events.filter(({ kind }) => kind === 'bounce').length;
    const changed = involved.flatMap((id) => counters.get(id) ?? []);
    const counted = { bounces, complaints: events.length - bounces };
    await this.database.together([
      insertClosed(changed.flatMap((counter) => counter.count(period, counted).period ?? [])),
      upsertCounters(this.database, changed),
      addToDays(
        this.database,
        involved.flatMap((id) => bounceDays(id, events, accounts.get(id)?.bounceWindowStart ?? null, now)),
      ),
    ]);
    const window = async (id: number): Promise<BounceWindow> => ({
      ...(await readWindow(this.database, id, accounts.get(id)?.bounceWindowStart ?? null, now)),
      domainId: id,
      parent: null,
    });
    return { ...(await window(domainId)), parent: own.parentId === null ? null : await window(own.parentId) };
  }

  override async restartBounceWindow(domainId: number, now: Date): Promise<void> {
    await this.database.together([lockPeriod(this.database)]);
    const counters = await this.lock([domainId]);
    const today = utcDay(now);
    const counter = counters.get(domainId);
    // What the counter still holds of today comes to this row later, and then makes it 0.
    const sent = counter?.day === today ? -counter.sentToday : 0;
    await this.database.together([setDay(this.database, [domainId, today, sent, 0, 0])]);
  }

  private async lock(ids: readonly number[]): Promise<Map<number, OutboundCounter>> {
    const read = () => this.database.together([lockCounters(this.database, ids)]);
    let [rows = []] = await read();
    if (await this.makeMissing(ids, rows)) [rows = []] = await read();
    return toCounters(rows);
  }

  /** @returns whether some did not exist: they have to be locked yet. */
  private async makeMissing(ids: readonly number[], rows: readonly Row[] = []): Promise<boolean> {
    const known = new Set(rows.map((row) => Number(row.domain_id)));
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) await this.database.together([makeCounters(this.database, missing)]);
    return missing.length > 0;
  }

  /** The domains whose counters are locked; a parent that was linked just now is locked too. */
  private async accounts(
    facts: readonly Row[],
    counters: Map<number, OutboundCounter>,
  ): Promise<Map<number, LedgerDomain>> {
    const byId = new Map<number, LedgerDomain>();
    for (let rows = facts; rows.length > 0; ) {
      for (const row of rows) {
        const counter = counters.get(Number(row.id));
        if (counter !== undefined) byId.set(Number(row.id), toLedgerDomain(row, counter));
      }
      const parents = [...byId.values()].flatMap(({ parentId }) => (parentId === null ? [] : [parentId]));
      const wanted = [...new Set(parents)].filter((id) => !counters.has(id)).sort(ascending);
      for (const [id, counter] of await this.lock(wanted)) counters.set(id, counter);
      [rows = []] = await this.database.together([readFacts(wanted)]);
    }
    return byId;
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

function toCounters(rows: readonly Row[]): Map<number, OutboundCounter> {
  return new Map(rows.map((row) => [Number(row.domain_id), toCounter(row)]));
}

/** What a batch is about: the period, and whom it names. */
interface Opening {
  period: OutboundPeriod;
  tiers: TierLimits;
  idsByName: Map<DomainName, number>;
  /** Of the domains and their parents, in the order in which counters are locked. */
  ids: number[];
  asked: Asked;
}

function toPage({ tiers, idsByName }: Opening, byId: Map<number, LedgerDomain>) {
  const domains = new Map<DomainName, LedgerDomain>();
  for (const [name, id] of idsByName) {
    const domain = byId.get(id);
    if (domain !== undefined) domains.set(name, domain);
  }
  return { tiers, domains, byId };
}

/** What a batch asks for besides its domains: the senders of known domains, and the ids, by `incrementKey`. */
interface Asked {
  senders: [domainId: number, sender: string][];
  increments: Map<string, { domainId: number; hash: string }>;
}

function askedOf(queries: readonly LedgerQuery[], idsByName: ReadonlyMap<DomainName, number>): Asked {
  const asked: Asked = { senders: [], increments: new Map() };
  for (const { domain, sender, id } of queries) {
    const domainId = idsByName.get(domain);
    if (domainId === undefined) continue;
    if (sender !== null) asked.senders.push([domainId, sender]);
    if (id !== null) asked.increments.set(incrementKey(domainId, id), { domainId, hash: hashId(id) });
  }
  return asked;
}

/** The domains and their parents, in the order in which counters are locked. */
function idsOf(links: readonly Row[]): number[] {
  const ids = links.flatMap(({ id, parent_id }) =>
    parent_id === null ? [Number(id)] : [Number(id), Number(parent_id)],
  );
  return [...new Set(ids)].sort(ascending);
}

function ascending(left: number, right: number): number {
  return left - right;
}

/** A sender's limit holds on the domains of its mailbox's partner. */
function toMailboxes(
  asked: Asked['senders'],
  byId: ReadonlyMap<number, LedgerDomain>,
  mailboxRows: readonly Row[],
  senderRows: readonly Row[],
): LedgerPage['mailboxes'] {
  const byEmail = new Map(mailboxRows.map((row) => [row.email, row]));
  const sent = new Map(
    senderRows.map((row) => [senderKey(Number(row.domain_id), String(row.sender)), Number(row.sent)]),
  );
  const mailboxes: LedgerPage['mailboxes'] = new Map();
  for (const [domainId, sender] of asked) {
    const mailbox = byEmail.get(sender);
    if (mailbox === undefined || Number(mailbox.partner_id) !== byId.get(domainId)?.partnerId) continue;
    const key = senderKey(domainId, sender);
    mailboxes.set(key, { dailyLimit: Number(mailbox.outbound_daily_limit), sentToday: sent.get(key) ?? 0 });
  }
  return mailboxes;
}

function toIncrements(asked: Asked['increments'], rows: readonly Row[]): LedgerPage['increments'] {
  const counted = new Map(
    rows.map((row) => [
      incrementKey(Number(row.domain_id), String(row.id_hash)),
      { count: Number(row.message_count), answer: JSON.parse(String(row.verdict)) as CountedIncrement['answer'] },
    ]),
  );
  const increments: LedgerPage['increments'] = new Map();
  for (const [key, { domainId, hash }] of asked) {
    const increment = counted.get(incrementKey(domainId, hash));
    if (increment !== undefined) increments.set(key, increment);
  }
  return increments;
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
