import { DAY_MS, utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { needs } from '@mailstead/core/needs';
import type { BounceWindow } from '@mailstead/core/outbound/bounce-rule';
import { type Counted, OutboundCounter } from '@mailstead/core/outbound/outbound-counter';
import {
  type LedgerChanges,
  type LedgerFacts,
  type LedgerQuery,
  type LedgerSnapshot,
  OutboundLedger,
  type SentMessageEvent,
} from '@mailstead/core/outbound/outbound-ledger';
import { type OutboundPeriod, periodAt } from '@mailstead/core/outbound/outbound-period';
import type { RecipientFacts } from '@mailstead/core/outbound/recipients';
import { Database, placeholders, type Row, type Statement } from '../driver/database.js';
import { DomainLocations, locationsOf } from './domain-locations.js';
import {
  type BatchKeys,
  batchKeysOf,
  dateOrNull,
  factsOf,
  hasAssumedLocations,
  toCounters,
  toDomains,
  toIncrements,
  toMailboxes,
} from './ledger-snapshot.js';
import {
  addToDays,
  addToSenders,
  insertClosed,
  lockCounters,
  lockPeriod,
  makeCounters,
  readCounters,
  readFacts,
  readIncrements,
  readLinks,
  readPartners,
  readPeriod,
  readSenderMailboxes,
  rememberIncrements,
  setDay,
  upsertCounters,
} from './ledger-statements.js';
import { toEpochs, toTierLimits } from './outbound-rows.js';
import { bouncesByDay, eventsInWindow, readWindow } from './outbound-window.js';
import { addToPartnerDays, notePartnerDays, type PartnerDay } from './partner-days.js';
import { RecipientReads } from './recipient-statements.js';
import { readSenderLogins, toSenderLogins } from './sender-login-statements.js';

/** The statements that read the period, the counters and the increments, with or without locks. */
interface SnapshotReads {
  period: Statement;
  counters: Statement | null;
  increments: Statement | null;
}

/** Runs statements in one round trip: `Database.together` or `Database.readTogether`. */
type Run = (statements: readonly (Statement | null)[]) => Promise<Row[][]>;

interface Reading {
  snapshot: LedgerSnapshot;
  counters: ReadonlyMap<number, OutboundCounter>;
  increments: Row[];
}

/** A domain on which bounces are counted. */
interface BounceAccount {
  id: number;
  partnerId: number;
  heldSince: Date | null;
  parentId: number | null;
  createdAt: Date;
  bounceWindowStart: Date | null;
}

/** The events that count on an account. */
interface AccountEvents {
  account: BounceAccount;
  events: SentMessageEvent[];
}

@needs(Database)
export class SqlOutboundLedger extends OutboundLedger {
  private readonly locations = new DomainLocations();
  private readonly isLocated = (name: string) => this.locations.has(name as DomainName);

  constructor(private readonly database: Database) {
    super();
  }

  override async lockAndRead(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot> {
    const run: Run = (statements) => this.database.together(statements);
    for (;;) {
      const keys = await this.keysOf(queries, run);
      const since = now.getTime() - DAY_MS;
      const ids = [...keys.increments.values()];
      const reading = await this.readSnapshot(keys, now, run, {
        period: lockPeriod(this.database.dialect),
        counters: lockCounters(this.database.dialect, keys.ids),
        increments: readIncrements(since, ids),
      });
      if (reading === null || (await this.makeMissing(keys.ids, reading.counters))) continue;
      const increments = toIncrements(keys, reading.increments);
      return { ...reading.snapshot, increments };
    }
  }

  override async read(queries: readonly LedgerQuery[], now: Date): Promise<LedgerSnapshot> {
    const run: Run = (statements) => this.database.readTogether(statements);
    for (;;) {
      const keys = await this.keysOf(queries, run);
      const reads = {
        period: readPeriod(),
        counters: readCounters(keys.ids),
        increments: null,
      };
      const reading = await this.readSnapshot(keys, now, run, reads);
      if (reading !== null) return reading.snapshot;
    }
  }

  override async readOf(found: readonly DomainWithParent[], now: Date): Promise<LedgerFacts> {
    const all = found.flatMap((each) => (each.parent === null ? [each] : [each, each.parent]));
    const [periods = [], counters = [], partners = []] = await this.database.readTogether([
      readPeriod(),
      readCounters([...new Set(all.map(({ domain }) => domain.id))]),
      readPartners([...new Set(all.map(({ domain }) => domain.partnerId))]),
    ]);
    return factsOf(all, { periods, counters, partners }, now);
  }

  private async keysOf(queries: readonly LedgerQuery[], run: Run): Promise<BatchKeys> {
    const unknown = [...new Set(queries.map(({ domain }) => domain))].filter((name) => !this.locations.has(name));
    if (unknown.length > 0) {
      const [rows = []] = await run([readFacts(this.database.dialect, unknown, [])]);
      this.locations.learn(unknown, locationsOf(rows));
    }
    return batchKeysOf(queries, this.locations);
  }

  /** @returns null when a domain does not have the assumed location; the cache is then updated */
  private async readSnapshot(
    keys: BatchKeys,
    now: Date,
    run: Run,
    { period, counters, increments }: SnapshotReads,
  ): Promise<Reading | null> {
    const names = [...keys.locations.keys()];
    const asRecipients = new RecipientReads(this.database.dialect, keys.recipients, this.isLocated);
    const recipientReads = asRecipients.statements();
    const [periodRows = [], counterRows = [], rows = [], mailboxRows = [], counted = [], ...found] = await run([
      period,
      counters,
      readFacts(this.database.dialect, names, keys.parentIds),
      readSenderMailboxes(this.database.dialect, keys.senders, keys.receiptSenders, now),
      increments,
      ...recipientReads,
      ...readSenderLogins([...keys.loginKeys]),
    ]);
    const locations = locationsOf(rows);
    this.locations.learn(names, locations);
    if (!hasAssumedLocations(keys, locations)) return null;
    const read = toCounters(counterRows);
    const domains = toDomains(rows, (id) => read.get(id) ?? OutboundCounter.empty(id));
    const at = periodAt(now, toEpochs(periodRows[0]));
    const mailboxes = toMailboxes(mailboxRows, at);
    const logins = toSenderLogins(found.slice(recipientReads.length).flat());
    let recipients = this.factsOf(asRecipients, found.slice(0, recipientReads.length));
    while (recipients === null) recipients = this.factsOf(asRecipients, await run(asRecipients.statements()));
    const tiers = toTierLimits(periodRows);
    const foundSet = (rows[0]?.found_set ?? null) as string | null;
    const snapshot = { ...domains, period: at, tiers, foundSet, mailboxes, increments: new Map(), recipients, logins };
    return { snapshot, counters: read, increments: counted };
  }

  /** The locations of open domains are remembered, so that the next batch reads their addresses at once. */
  private factsOf(reads: RecipientReads, found: readonly Row[][]): RecipientFacts | null {
    const rows = found.flat();
    const locations = locationsOf(rows.filter(({ kind }) => kind === 'domain'));
    this.locations.learn(locations.keys(), locations);
    return reads.factsOf(rows);
  }

  override async writeAndCommit(changes: LedgerChanges, period: OutboundPeriod, now: Date): Promise<void> {
    await this.database.finish([
      insertClosed(changes.closed),
      upsertCounters(this.database.dialect, changes.counters),
      addToDays(
        this.database.dialect,
        changes.days.map(({ domainId, day, sent, partnerSent }) => [domainId, day, sent, 0, 0, partnerSent, 0, 0]),
      ),
      addToSenders(this.database.dialect, changes.senders, period),
      rememberIncrements(this.database.dialect, changes.increments, now),
      addToPartnerDays(
        this.database.dialect,
        Array.from(changes.partnerDays.values(), (each) => ({ ...each, bounces: 0, complaints: 0 })),
      ),
    ]);
  }

  override async countBounces(domainId: number, events: readonly SentMessageEvent[], now: Date): Promise<BounceWindow> {
    const [periodRows = [], linkRows = []] = await this.database.together([
      lockPeriod(this.database.dialect),
      readLinks([domainId]),
    ]);
    const period = periodAt(now, toEpochs(periodRows[0]));
    const counters = await this.lock(idsOf(linkRows));
    const accounts = await this.bounceAccounts([...counters.keys()]);
    const own = accounts.get(domainId);
    const none = { domainId, sent: 0, bounces: 0, complaints: 0, parent: null };
    if (own === undefined) return none;
    const parent = own.parentId === null ? undefined : accounts.get(own.parentId);
    const involved = parent === undefined ? [own] : [own, parent];
    const changed = involved.flatMap(({ id, createdAt }) => {
      const counter = counters.get(id);
      return counter === undefined ? [] : [{ counter, counted: countedOf(eventsSince(events, createdAt)) }];
    });
    const inWindow = involved.map((account) => ({
      account,
      events: eventsInWindow(eventsSince(events, account.createdAt), account.bounceWindowStart, now),
    }));
    await this.database.together([
      insertClosed(changed.flatMap(({ counter, counted }) => counter.count(period, counted).period ?? [])),
      upsertCounters(
        this.database.dialect,
        changed.map(({ counter }) => counter),
      ),
      addToDays(
        this.database.dialect,
        inWindow.flatMap(({ account: { id }, events: own }) =>
          bouncesByDay(own).map(({ day, bounces, complaints }) => {
            return [id, day, 0, bounces, complaints, 0, bounces, complaints];
          }),
        ),
      ),
    ]);
    notePartnerDays(this.database, (await Promise.all(inWindow.map((each) => this.bouncesOfHolders(each)))).flat());
    const window = async ({ id, bounceWindowStart }: BounceAccount): Promise<BounceWindow> => ({
      ...(await readWindow(this.database, id, bounceWindowStart, now)),
      domainId: id,
      parent: null,
    });
    return { ...(await window(own)), parent: parent === undefined ? null : await window(parent) };
  }

  override async restartBounceWindow(domainId: number, now: Date): Promise<void> {
    await this.database.together([lockPeriod(this.database.dialect)]);
    const counters = await this.lock([domainId]);
    const today = utcDay(now);
    const counter = counters.get(domainId);
    // The counter's messages of today are added to this row later, and its sum is then 0.
    const sent = counter?.day === today ? -counter.sentToday : 0;
    // What is in the day of the partner stays there.
    const partnerSent = counter?.partnerDay === today ? -counter.partnerSent : 0;
    await this.database.together([setDay(this.database.dialect, [domainId, today, sent, 0, 0, partnerSent, 0, 0])]);
  }

  /** The days of the partners that had the domain when the messages were sent. */
  private async bouncesOfHolders({ account, events }: AccountEvents): Promise<PartnerDay[]> {
    const holders = new Map<number, SentMessageEvent[]>();
    const former = await this.formerHolders(account, events);
    for (const event of events) {
      const holder = former.find(({ leftAt }) => event.sentAt < leftAt) ?? account;
      holders.set(holder.partnerId, [...(holders.get(holder.partnerId) ?? []), event]);
    }
    return Array.from(holders, ([partnerId, own]) => bouncesByDay(own).map((day) => ({ ...day, partnerId }))).flat();
  }

  /** Oldest first. Nothing is read for a domain that has not moved since the messages were sent. */
  private async formerHolders({ id, heldSince }: BounceAccount, events: readonly SentMessageEvent[]) {
    if (heldSince === null || events.every(({ sentAt }) => sentAt >= heldSince)) return [];
    const rows = await this.database.read(
      "SELECT partner_id, deleted_at FROM tombstone WHERE domain_id = ? AND kind = 'move' ORDER BY deleted_at, id",
      [id],
    );
    return rows.map((row) => ({ partnerId: Number(row.partner_id), leftAt: new Date(Number(row.deleted_at)) }));
  }

  private async lock(ids: readonly number[]): Promise<Map<number, OutboundCounter>> {
    for (;;) {
      const [rows = []] = await this.database.together([lockCounters(this.database.dialect, ids)]);
      const counters = toCounters(rows);
      if (!(await this.makeMissing(ids, counters))) return counters;
    }
  }

  /** @returns whether counters were inserted, which the caller must still lock */
  private async makeMissing(ids: readonly number[], counters: ReadonlyMap<number, OutboundCounter>): Promise<boolean> {
    const missing = ids.filter((id) => !counters.has(id));
    if (missing.length > 0) await this.database.together([makeCounters(this.database.dialect, missing)]);
    return missing.length > 0;
  }

  private async bounceAccounts(ids: number[]): Promise<Map<number, BounceAccount>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read(
      `SELECT id, partner_id, held_since, parent_id, created_at, bounce_window_start FROM domain WHERE id IN (${placeholders(ids)})`,
      ids,
    );
    return new Map(
      rows.map((row) => [
        Number(row.id),
        {
          id: Number(row.id),
          partnerId: Number(row.partner_id),
          heldSince: dateOrNull(row.held_since),
          parentId: row.parent_id === null ? null : Number(row.parent_id),
          createdAt: new Date(Number(row.created_at)),
          bounceWindowStart: dateOrNull(row.bounce_window_start),
        },
      ]),
    );
  }
}

/** @returns the events of messages that were sent when the domain already existed */
function eventsSince(events: readonly SentMessageEvent[], createdAt: Date): SentMessageEvent[] {
  return events.filter(({ sentAt }) => sentAt >= createdAt);
}

function countedOf(events: readonly SentMessageEvent[]): Counted {
  const bounces = events.filter(({ kind }) => kind === 'bounce').length;
  return { bounces, complaints: events.length - bounces };
}

/** @returns the ids of the domains and their parents, in the order in which counters are locked */
function idsOf(links: readonly Row[]): number[] {
  const ids = links.flatMap(({ id, parent_id }) =>
    parent_id === null ? [Number(id)] : [Number(id), Number(parent_id)],
  );
  return [...new Set(ids)].sort((left, right) => left - right);
}
