import { DAY_MS, HOUR_MS, utcDay } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { SilentMeters } from '@mailstead/core/meters';
import { systemActor } from '@mailstead/core/operators/actor';
import type { BounceKind } from '@mailstead/core/outbound/bounce-rule';
import type { OutboundDay } from '@mailstead/core/outbound/outbound-reader';
import { anIncrement, OutboundWorld } from '@mailstead/core/testing/outbound-world';
import fc from '../../../../../scripts/fast-check.mjs';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import { SqlStoredCopies } from '../copies/sql-stored-copies.js';
import type { Database, Parameter, Row } from '../driver/database.js';
import { PartnerWorld } from './partner-world.js';

const PARTNERS = ['acme', 'rival'];
export const START = new Date('2026-03-15T12:00:00.000Z');
export const ALL = { of: 1, remainder: 0 };
/** The columns that a process of the former release does not know, with what a new row of it has there. */
const UNKNOWN = {
  outbound_counter: { key: ['domain_id'], columns: { partner_day: '', partner_sent: 0 } },
  outbound_day: {
    key: ['domain_id', 'day'],
    columns: { partner_sent: 0, partner_bounces: 0, partner_complaints: 0 },
  },
} as const;

/** `former`: done by a process of the former release. */
export type Step =
  | { kind: 'send'; domain: number; count: number; former: boolean; forwarded: boolean }
  | { kind: 'bounce'; domain: number; event: BounceKind; ageHours: number; former: boolean }
  | { kind: 'move' | 'recreate' | 'link' | 'unblock'; domain: number }
  | { kind: 'reset' }
  | { kind: 'correct' }
  | { kind: 'wait'; hours: number };

const domain = fc.nat({ max: 2 });
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      domain,
      count: fc.integer({ min: 1, max: 9 }),
      former: fc.boolean(),
      forwarded: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('bounce' as const),
      domain,
      event: fc.constantFrom<BounceKind>('bounce', 'complaint'),
      ageHours: fc.constantFrom(0, 1, 30, 70),
      former: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom<'move' | 'recreate' | 'link' | 'unblock'>('move', 'recreate', 'link', 'unblock'),
      domain,
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'reset' }, { kind: 'correct' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 13, 24) }) },
);

/** The steps on a database, and what the partners must see after them. */
export class DaysWorld {
  readonly world: PartnerWorld;
  readonly outbound: OutboundWorld;
  readonly domains: Domain[] = [];
  readonly copies: SqlStoredCopies;
  /** By partner and day. */
  private readonly expected = new Map<string, OutboundDay>();
  /** Who had a domain since when, newest last. */
  private readonly holders = new Map<string, { partner: string; since: number }[]>();
  private readonly windows = new Map<string, number>();

  constructor(readonly database: Database) {
    this.world = new PartnerWorld(database);
    this.outbound = new OutboundWorld(this.world.ports);
    this.copies = new SqlStoredCopies(database, this.world.ports.unitOfWork, new SilentMeters(), new SilentJobLog());
    this.setTime(START);
  }

  get now(): Date {
    return this.world.clock.now();
  }

  setTime(at: Date): void {
    this.world.clock.set(at);
    this.outbound.clock.set(at);
  }

  async create(partner: string, name?: DomainName): Promise<Domain> {
    const made = await this.world.createDomain(partner, name);
    await this.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [made.id]);
    this.holders.set(made.name, [{ partner, since: this.now.getTime() }]);
    return made;
  }

  async run(each: Step): Promise<void> {
    if (each.kind === 'wait') return this.setTime(new Date(this.now.getTime() + each.hours * HOUR_MS));
    if (each.kind === 'reset') {
      await this.outbound.resetDaily.execute(systemActor('tests'));
      return;
    }
    if (each.kind === 'correct') {
      await this.copies.correct(ALL, this.now);
      return;
    }
    const row = await this.fresh(each.domain);
    if (each.kind === 'send') await this.send(row, each);
    else if (each.kind === 'bounce') await this.bounce(row, each);
    else if (each.kind === 'link') await this.link(row);
    else if (each.kind === 'unblock') await this.unblock(row);
    else {
      // What a former process counted belongs to the partner that has the domain when it is corrected.
      await this.copies.correct(ALL, this.now);
      if (each.kind === 'move') await this.move(row);
      else await this.recreate(each.domain, row);
    }
  }

  async answers(): Promise<OutboundDay[][]> {
    return Promise.all(
      PARTNERS.map(async (partner) => this.world.ports.reader.partnerDays(await this.idOf(partner), this.now)),
    );
  }

  allDays(): Promise<OutboundDay[]> {
    return this.world.ports.reader.allDays(this.now);
  }

  wanted(): OutboundDay[][] {
    return PARTNERS.map((partner) =>
      Array.from({ length: 30 }, (_, index) => {
        const day = utcDay(new Date(this.now.getTime() - (29 - index) * DAY_MS));
        return this.expected.get(`${partner} ${day}`) ?? { day, sent: 0, bounces: 0, complaints: 0 };
      }),
    );
  }

  /** What all partners together must see. */
  wantedOfAll(): OutboundDay[] {
    return sumOf(this.wanted());
  }

  /** The sums of the days of the present domains: what the route answered before partners had days. */
  async sumsOfDomains(): Promise<OutboundDay[][]> {
    return Promise.all(
      PARTNERS.map(async (partner) => {
        const own = await this.database.read('SELECT id FROM domain WHERE partner_id = ?', [await this.idOf(partner)]);
        const days = await Promise.all([0, ...own.map(({ id }) => Number(id))].map((id) => this.daysOf(id)));
        return sumOf(days);
      }),
    );
  }

  private daysOf(id: number): Promise<OutboundDay[]> {
    return this.world.ports.reader.days(id, this.now);
  }

  private async send(row: Domain, { count, former, forwarded }: Step & { kind: 'send' }): Promise<void> {
    await this.asRelease(former, () =>
      this.outbound.countOutbound.execute(anIncrement(row, { count, forwarded, alreadySent: true })),
    );
    if (forwarded) return;
    for (const each of await this.withParent(row)) this.dayOf(each, this.now).sent += count;
  }

  private async bounce(row: Domain, { event, ageHours, former }: Step & { kind: 'bounce' }): Promise<void> {
    const { ledger, unitOfWork } = this.world.ports;
    // A former process gives a bounce to the partner that has the domain now.
    const held = this.holders.get(row.name)?.at(-1)?.since ?? 0;
    const sentAt = new Date(Math.max(this.now.getTime() - ageHours * HOUR_MS, former ? held : 0));
    await this.asRelease(former, () =>
      unitOfWork.run(() => ledger.countBounces(row.id, [{ kind: event, sentAt }], this.now)),
    );
    for (const each of await this.withParent(row)) {
      if (sentAt < each.createdAt || sentAt.getTime() < (this.windows.get(each.name) ?? 0)) continue;
      this.dayOf(each, sentAt)[event === 'bounce' ? 'bounces' : 'complaints'] += 1;
    }
  }

  private async move(row: Domain): Promise<void> {
    const to = this.holderOf(row, this.now) === 'acme' ? 'rival' : 'acme';
    await this.world.moveDomain(row, to);
    this.holders.get(row.name)?.push({ partner: to, since: this.now.getTime() });
  }

  private async recreate(index: number, row: Domain): Promise<void> {
    const partner = this.holderOf(row, this.now);
    await this.world.deleteDomain(row);
    this.windows.delete(row.name);
    this.domains[index] = await this.create(partner, row.name);
  }

  private async link(row: Domain): Promise<void> {
    const parent = await this.fresh(0);
    if (row.id === parent.id || this.holderOf(row, this.now) !== this.holderOf(parent, this.now)) return;
    await this.database.write('UPDATE domain SET parent_id = ? WHERE id = ?', [parent.id, row.id]);
  }

  private async unblock(row: Domain): Promise<void> {
    const { ledger, unitOfWork } = this.world.ports;
    await this.copies.correct(ALL, this.now);
    await this.database.write('UPDATE domain SET bounce_window_start = ? WHERE id = ?', [this.now.getTime(), row.id]);
    await unitOfWork.run(() => ledger.restartBounceWindow(row.id, this.now));
    this.windows.set(row.name, this.now.getTime());
  }

  /** Runs as a process of the former release would: it writes neither the days of partners nor how much is in them. */
  private async asRelease(former: boolean, work: () => Promise<unknown>): Promise<void> {
    if (!former) return void (await work());
    const days = await this.database.read('SELECT * FROM outbound_partner_day');
    const before = new Map<string, Row[]>();
    for (const table of Object.keys(UNKNOWN)) before.set(table, await this.database.read(`SELECT * FROM ${table}`));
    await work();
    await this.database.write('DELETE FROM outbound_partner_day');
    for (const day of days) {
      await this.database.write(
        'INSERT INTO outbound_partner_day (partner_id, day, sent, bounces, complaints) VALUES (?, ?, ?, ?, ?)',
        ['partner_id', 'day', 'sent', 'bounces', 'complaints'].map((column) => day[column] as Parameter),
      );
    }
    for (const [table, { key, columns }] of Object.entries(UNKNOWN)) {
      const set = Object.keys(columns).map((column) => `${column} = ?`);
      await this.database.write(`UPDATE ${table} SET ${set.join(', ')}`, Object.values(columns));
      for (const row of before.get(table) ?? []) {
        await this.database.write(
          `UPDATE ${table} SET ${set.join(', ')} WHERE ${key.map((column) => `${column} = ?`).join(' AND ')}`,
          [...Object.keys(columns), ...key].map((column) => row[column] as Parameter),
        );
      }
    }
  }

  private dayOf(row: Domain, at: Date): OutboundDay {
    const day = utcDay(at);
    const key = `${this.holderOf(row, at)} ${day}`;
    const known = this.expected.get(key) ?? { day, sent: 0, bounces: 0, complaints: 0 };
    this.expected.set(key, known);
    return known;
  }

  private holderOf({ name }: Domain, at: Date): string {
    const since = this.holders.get(name)?.findLast((each) => each.since <= at.getTime());
    return since?.partner ?? '';
  }

  private async withParent(row: Domain): Promise<Domain[]> {
    return row.parentId === null ? [row] : [row, await this.fresh(0)];
  }

  private async fresh(index: number): Promise<Domain> {
    const name = this.domains[index]?.name ?? ('' as DomainName);
    const found = await this.world.ports.domains.find('all', name);
    if (found === null) throw new Error(`${name} is missing`);
    return found;
  }

  private async idOf(ref: string): Promise<number> {
    const [row] = await this.database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
    return Number(row?.id);
  }
}

function sumOf(lists: readonly OutboundDay[][]): OutboundDay[] {
  return lists.reduce((sums, more) =>
    sums.map((sum, at) => ({
      day: sum.day,
      sent: sum.sent + (more[at]?.sent ?? 0),
      bounces: sum.bounces + (more[at]?.bounces ?? 0),
      complaints: sum.complaints + (more[at]?.complaints ?? 0),
    })),
  );
}
