import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { ScheduleTable } from '@mailstead/adapters/jobs/schedule-table';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { ScheduleName } from '@mailstead/core/jobs/schedules';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { type Draws, draws } from '../../../../scripts/fast-check.mjs';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type Received, type ShownDomain, UsageModel } from './testing/usage-model.js';

const NAMES = ['a.example', 'b.example', 'c.example', 'd.example', 'e.example'];
const PARTNERS = ['acme', 'beta', 'gamma'];
const PLANS = ['starter', 'business', 'enterprise'];
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const STEPS_PER_DAY = 10;

/** Makes random changes through the API, and notes each in the model. */
class RandomPlatform {
  readonly model = new UsageModel();
  private made = 0;

  constructor(
    private readonly api: TestApi,
    private readonly draws: Draws,
  ) {}

  chance(oneIn: number): boolean {
    return this.draws.below(oneIn) === 0;
  }

  async step(): Promise<void> {
    const name = this.draws.oneOf(NAMES);
    if (!this.model.held.has(name)) return this.draws.oneOf([() => this.create(name), () => this.restore(name)])();
    await this.draws.oneOf([
      () => this.addMailbox(name),
      () => this.addMailbox(name),
      () => this.addMailboxes(name),
      () => this.deleteMailbox(name),
      () => this.restoreMailbox(name),
      () => this.use(name),
      () => this.use(name),
      () => this.use(name),
      () => this.move(name),
      () => this.changePlan(name),
      () => this.deleteDomain(name),
    ])();
  }

  async runSchedule(name: ScheduleName): Promise<void> {
    const schedules = this.api.container.get(ScheduleTable);
    const period = { key: 'test', dueAt: this.now };
    await schedules[name]({ period, cursor: 0, save: async () => {} });
  }

  private get now(): Date {
    return this.api.clock.now();
  }

  private get master() {
    return this.api.as(MASTER);
  }

  /** Tells the model what the API shows. */
  private async noteChange(name: string, isMoved = false): Promise<void> {
    await this.api.database.write("UPDATE verification SET status = 'verified'", [], []);
    this.model.changed(name, await this.shown(name), this.now, isMoved);
  }

  private async shown(name: string): Promise<ShownDomain> {
    const { body } = await this.master.get(`/domains/${name}`).expect(200);
    return { partner: body.partner_ref, plan: body.plan, mailboxes: body.mailboxes };
  }

  private async create(name: string): Promise<void> {
    await this.master.post('/domains/', { name, partner_ref: this.draws.oneOf(PARTNERS) }).expect(201);
    await this.master.put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
    await this.noteChange(name);
  }

  private async restore(name: string): Promise<void> {
    const id = await this.lastDeleted((item) => item.kind === 'domain' && item.name === name);
    if (id === null) return;
    const { status } = await this.master.post(`/deleted/${id}/restore`);
    if (status === 200) await this.noteChange(name);
  }

  private async restoreMailbox(domain: string): Promise<void> {
    const id = await this.lastDeleted((item) => item.kind === 'mailbox' && item.name.endsWith(`@${domain}`));
    if (id === null) return;
    const { status } = await this.master.post(`/deleted/${id}/restore`);
    if (status === 200) await this.noteChange(domain);
  }

  private async lastDeleted(isWanted: (item: { kind: string; name: string }) => boolean): Promise<number | null> {
    const { body } = await this.master.get('/deleted').expect(200);
    return (body as { id: number; kind: string; name: string }[]).filter(isWanted).at(-1)?.id ?? null;
  }

  private async addMailbox(name: string): Promise<void> {
    this.made += 1;
    await this.master.post('/users/', this.mailbox(name)).expect(201);
    await this.noteChange(name);
  }

  private async addMailboxes(name: string): Promise<void> {
    const items = Array.from({ length: 3 }, () => {
      this.made += 1;
      return this.mailbox(name);
    });
    await this.master.post('/users/bulk', { items }).expect(200);
    await this.noteChange(name);
  }

  private mailbox(name: string) {
    return { email: `m${this.made}@${name}`, password_hash: HASH };
  }

  private async deleteMailbox(name: string): Promise<void> {
    const { body } = await this.master.get(`/users/?domain=${name}`).expect(200);
    const [first] = body as { email: string }[];
    if (first === undefined) return;
    await this.master.delete(`/users/${first.email}`).expect(204);
    await this.noteChange(name);
  }

  private async move(name: string): Promise<void> {
    const target = this.draws.oneOf(PARTNERS.filter((partner) => partner !== this.model.held.get(name)?.partner));
    await this.master.put(`/domains/${name}/partner`, { partner_ref: target }).expect(200);
    await this.noteChange(name, true);
  }

  private async changePlan(name: string): Promise<void> {
    await this.master.put(`/domains/${name}/plan`, { plan: this.draws.oneOf(PLANS) }).expect(200);
    await this.noteChange(name);
  }

  private async deleteDomain(name: string): Promise<void> {
    await this.master.delete(`/domains/${name}`).expect(204);
    this.model.deleted(name);
  }

  private async use(name: string): Promise<void> {
    const count = this.draws.oneOf([1, 2, 5]);
    const { body } = await this.api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count }).expect(200);
    if (body.allowed === true) this.model.used(name, { sent: count }, this.now);
    const bytes = this.draws.oneOf([10, 1_000, 77_777]);
    const direction = this.draws.oneOf(['in', 'out'] as const);
    await this.api
      .as(POLICY)
      .post('/transfer/increments', { items: [{ domain: name, bytes, direction }] })
      .expect(200);
    this.model.used(name, { bytes, bytesIn: direction === 'in' ? bytes : 0 }, this.now);
    if (this.chance(3)) await this.bounce(name);
  }

  private async bounce(name: string): Promise<void> {
    const [row] = await this.api.database.read('SELECT id FROM domain WHERE name = ?', [name]);
    const event = { kind: 'bounce', sentAt: this.now } as const;
    const ledger = this.api.container.get<OutboundLedger>(OutboundLedger);
    await this.api.container
      .get<UnitOfWork>(UnitOfWork)
      .run(() => ledger.countBounces(Number(row?.id), [event], this.now));
    this.model.used(name, { bounces: 1 }, this.now);
  }
}

interface UsageRow {
  domain: string;
  partner_ref: string;
  plan: string | null;
  days: number;
  mailboxes_max: number;
  mailbox_days: number;
  sent: number;
  bytes: number;
  bytes_in: number;
  bytes_out: number;
  bounces: number;
}

onEachDatabase((kind) => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi(kind);
  });
  afterEach(() => api.close());

  const monthOf = async (month: string) =>
    (await api.as(BILLING).get(`/usage?month=${month}`).expect(200)).body as UsageRow[];

  /** The bytes that each caller gets for both months. */
  async function answers(keys: readonly string[]): Promise<[what: string, text: string][]> {
    const found: [string, string][] = [];
    const get = async (token: string, path: string) => {
      for (const month of ['2026-03', '2026-04']) {
        for (const accept of ['application/json', 'text/csv']) {
          const { text } = await api.as(token).get(`${path}?month=${month}`).set('Accept', accept).expect(200);
          found.push([`${path} ${month} ${accept} ${found.length}`, text]);
        }
      }
    };
    for (const key of keys) await get(key, '/usage');
    await get(BILLING, '/usage');
    for (const partner of PARTNERS) await get(BILLING, `/partners/${partner}/usage`);
    return found;
  }

  async function sameAfterDaysAreSummed(platform: RandomPlatform): Promise<void> {
    const { database } = api;
    await database.write("UPDATE usage_day SET storage_mb = 10 * mailboxes WHERE held = 1 AND day LIKE '%3'");
    await database.write("UPDATE usage_day SET external_ref = CONCAT('=ref, ', day) WHERE day LIKE '%1'");
    await database.write("UPDATE usage_day SET billing_ref = CONCAT('sub_', plan) WHERE day LIKE '%-2%'");
    const keys: string[] = [];
    for (const partner of PARTNERS) keys.push(await api.key(partner));
    const before = await answers(keys);
    // The first run notes the time.
    for (const time of ['2026-08-20T01:40:00Z', '2026-08-27T01:40:00Z', '2026-08-28T01:40:00Z']) {
      api.clock.set(new Date(time));
      await platform.runSchedule('usage.sum-months');
      expect(await answers(keys)).toEqual(before);
    }
    expect(await database.read("SELECT COUNT(*) AS days FROM usage_day WHERE month < '2026-05'")).toEqual([
      { days: 0 },
    ]);
  }

  test.each([1, 2])(
    'two months of random changes have the sums that were counted, and the same answers when their days are summed (%i)',
    async (number) => {
      const platform = new RandomPlatform(api, draws(number));
      const start = Date.parse('2026-03-01T00:00:00Z');
      for (let day = 0; day < 62; day += 1) {
        const midnight = start + day * DAY_MS;
        api.clock.set(new Date(midnight));
        platform.model.beginDay(api.clock.now());
        // Before the snapshot, and so the first change of the day.
        if (platform.chance(3)) await platform.step();
        api.clock.set(new Date(midnight + 10 * MINUTE_MS));
        if (new Date(midnight).getUTCDate() === 1) await platform.runSchedule('outbound.reset-monthly');
        api.clock.set(new Date(midnight + 20 * MINUTE_MS));
        const isLastOfMarch = new Date(midnight).getUTCDate() === 3;
        if (isLastOfMarch || !platform.chance(4)) await platform.runSchedule('usage.snapshot');
        for (let step = 0; step < STEPS_PER_DAY; step += 1) {
          api.clock.set(new Date(midnight + HOUR_MS + step * 2 * HOUR_MS));
          await platform.step();
        }
        if (platform.chance(9)) await api.as(MASTER).post('/outbound/reset-daily').expect(200);
        if (platform.chance(15)) await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
      }
      api.clock.set(new Date('2026-05-03T00:20:00Z'));
      await platform.runSchedule('usage.snapshot');
      for (const month of ['2026-03', '2026-04']) {
        const rows = await monthOf(month);
        const found = Object.fromEntries(
          rows.map((row) => [
            `${row.domain} ${row.partner_ref} ${row.plan}`,
            { days: row.days, mailboxesMax: row.mailboxes_max, mailboxDays: row.mailbox_days, sent: row.sent },
          ]),
        );
        expect(found).toEqual(platform.model.month(month));
        expect(received(rows)).toEqual(platform.model.received(month));
      }
      await sameAfterDaysAreSummed(platform);
    },
  );
});

function received(rows: readonly UsageRow[]): Record<string, Received> {
  const sums: Record<string, Received> = {};
  for (const row of rows) {
    const sum = (sums[`${row.domain} ${row.partner_ref}`] ??= { bytes: 0, bytesIn: 0, bounces: 0 });
    sum.bytes += row.bytes_in + row.bytes_out;
    sum.bytesIn += row.bytes_in;
    sum.bounces += row.bounces;
  }
  return sums;
}
