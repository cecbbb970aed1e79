import { DAY_MS } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { CompareSuppressions } from '@mailstead/core/suppressions/compare-suppressions';
import type { SuppressedAddress } from '@mailstead/core/suppressions/suppression-address';
import { OutboundWorld } from '@mailstead/core/testing/outbound-world';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { openReusedDatabase, type ReusedDatabase } from '../testing/reused-database.js';

const MOST = 100_000;

onEachDatabase((kind) => {
  let reused: ReusedDatabase;
  let opened: TestDatabase;
  let world: OutboundWorld;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());
  beforeEach(async () => {
    opened = await reused.asNew();
    world = new OutboundWorld(outboundPorts(opened.database));
  });

  const comparison = (ports = world.ports) =>
    new CompareSuppressions(ports.unitOfWork, ports.suppressions, ports.attention, ports.domains, ports.audit);
  /** The run of today about yesterday. */
  const run = (fields: { cursor?: number } = {}) => {
    const dueAt = new Date(Math.floor(world.clock.now().getTime() / DAY_MS) * DAY_MS);
    return { period: { key: 'today', dueAt }, cursor: 0, save: async () => undefined, ...fields };
  };
  /** Suppresses so many addresses by events at this time. */
  const suppress = (domain: Domain, count: number, reason: 'bounce' | 'complaint' | 'manual' = 'bounce') =>
    world.ports.unitOfWork.run(async () => {
      const since = world.clock.now();
      await world.ports.partners.lock(domain.partnerId);
      const events = Array.from({ length: count }, (_, index) => ({
        partnerId: domain.partnerId,
        domainId: domain.id,
        address: `a${index}@far.example` as SuppressedAddress,
        reason: 'bounce' as const,
        since,
        expiresAt: new Date(since.getTime() + 90 * DAY_MS),
      }));
      await world.ports.suppressions.addFromEvents(domain.partnerId, events, { now: since, most: MOST });
      await opened.database.write('UPDATE suppression SET reason = ? WHERE domain_id = ?', [reason, domain.id]);
    });
  /** Sends mail of the domain, and suppresses recipients of it. */
  const made = async (sent: number, suppressed: number, reason?: 'complaint' | 'manual') => {
    const domain = await world.domain({ operatorDailyLimit: 100_000, operatorMonthlyLimit: 100_000 });
    if (sent > 0) await world.send(domain, { count: sent });
    await suppress(domain, suppressed, reason);
    return domain;
  };
  const reasonsOf = async ({ id }: Domain) =>
    (await world.ports.attention.ofDomains([id], world.clock.now())).get(id) ?? [];
  const facts = async () =>
    (
      await opened.database.read(
        "SELECT domain, value_after FROM audit_log WHERE action = 'domain.suppressions_high' ORDER BY id",
      )
    ).map((row) => JSON.parse(String(row.value_after)) as { day: string; suppressed: number; sent: number });

  it('tells of more than 5 % of what a domain sent, and of at least 20 addresses', async () => {
    const high = await made(400, 21);
    const few = await made(100, 19);
    const exactly = await made(400, 20);
    const byHand = await made(400, 30, 'manual');
    const complained = await made(20, 20, 'complaint');
    const day = world.clock.now().toISOString().slice(0, 10);
    world.clock.advance(DAY_MS);
    expect(await comparison().execute(run())).toEqual({ high: 2 });
    const reasons = [high, few, exactly, byHand, complained].map(reasonsOf);
    expect(await Promise.all(reasons)).toEqual([['suppressions_high'], [], [], [], ['suppressions_high']]);
    expect(await facts()).toEqual([
      { day, suppressed: 21, sent: 400 },
      { day, suppressed: 20, sent: 20 },
    ]);
  });

  it('counts only what was suppressed on the ended day', async () => {
    await made(400, 30);
    world.clock.advance(2 * DAY_MS);
    const today = await made(400, 30);
    expect(await comparison().execute(run())).toEqual({ high: 0 });
    expect(await reasonsOf(today)).toEqual([]);
  });

  it('tells once a domain and day, also when it runs again, is killed in between, or runs twice at once', async () => {
    for (let index = 0; index < 3; index += 1) await made(100, 20);
    world.clock.advance(DAY_MS);
    const killed = { ...run(), save: async () => Promise.reject(new Error('killed')) };
    await comparison().execute(killed);
    const url = opened.url;
    const another = url === null ? null : await openDatabase({ url, dataDir: opened.dataDir, poolSize: 3 });
    await Promise.all([
      comparison().execute(run()),
      comparison(another === null ? world.ports : outboundPorts(another)).execute(run()),
    ]);
    await another?.close();
    expect(await facts()).toHaveLength(3);
  });

  it('attention has it for this day only, and again when the next day is high too', async () => {
    const domain = await made(100, 20);
    world.clock.advance(DAY_MS);
    await comparison().execute(run());
    expect(await reasonsOf(domain)).toEqual(['suppressions_high']);
    world.clock.advance(DAY_MS);
    expect(await reasonsOf(domain)).toEqual([]);
    await opened.database.write('UPDATE suppression SET since = ?', [world.clock.now().getTime()]);
    world.clock.advance(DAY_MS);
    await comparison().execute(run());
    expect(await reasonsOf(domain)).toEqual(['suppressions_high']);
    expect(await facts()).toHaveLength(2);
  });
});
