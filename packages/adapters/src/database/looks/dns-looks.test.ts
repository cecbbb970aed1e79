import { HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { DueLook, Look } from '@mailstead/core/relay/looks/dns-looks';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillManyDomains, LARGE_PARTNER } from '../testing/many-domains.js';
import { PartnerWorld } from '../testing/partner-world.js';
import { SqlDnsLooks } from './sql-dns-looks.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const ALL = { of: 1, remainder: 0 };
const DOMAINS = 200;

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let looks: SqlDnsLooks;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    looks = new SqlDnsLooks(opened.database);
    await fillManyDomains(opened.database, DOMAINS);
  });
  afterAll(() => opened.close());
  beforeEach(() => opened.database.write('DELETE FROM dns_look', [], []));

  const idsOf = (due: readonly DueLook[]) => due.map(({ domainId }) => domainId).toSorted((one, other) => one - other);

  it('a domain keeps the earlier of two times', async () => {
    await looks.plan([1, 2], later(2 * MINUTE_MS));
    await looks.plan([2, 4], later(MINUTE_MS));
    await looks.plan([2, 4], later(HOUR_MS));
    expect(await looks.firstDue()).toEqual(later(MINUTE_MS));
    expect(idsOf(await looks.due(0, later(MINUTE_MS), 20))).toEqual([2, 4]);
    expect(idsOf(await looks.due(0, later(2 * MINUTE_MS), 20))).toEqual([1, 2, 4]);
    expect(await looks.due(0, NOW, 20)).toEqual([]);
  });

  it('nothing is due without domains', async () => {
    await looks.plan([], NOW);
    expect(await looks.firstDue()).toBeNull();
    expect(await looks.due(0, NOW, 20)).toEqual([]);
  });

  it('partners take turns, however many domains one of them has', async () => {
    await looks.planMissing(ALL, later(-HOUR_MS));
    const due = await looks.due(0, NOW, 20);
    expect(due).toHaveLength(20);
    const partners = due.map(({ partnerId }) => partnerId);
    expect(partners).toEqual([...Array(10).fill(LARGE_PARTNER), ...Array(10).fill(LARGE_PARTNER + 1)]);
    const next = await looks.due(LARGE_PARTNER, NOW, 20);
    expect(new Set(next.map(({ partnerId }) => partnerId))).toEqual(new Set([LARGE_PARTNER + 1]));
    expect(await looks.due(LARGE_PARTNER + 1, NOW, 20)).toEqual([]);
  });

  it('the sweep plans exactly the domains that are verified, by a parent too, or open with contents, once', async () => {
    const [row] = await opened.database.read(
      `SELECT COUNT(*) AS n FROM domain d JOIN verification v ON v.domain_id = d.id
         LEFT JOIN verification pv ON pv.domain_id = d.parent_id
        WHERE v.status = 'verified' OR pv.status = 'verified' OR d.inbound = 'open'`,
    );
    const parts = [0, 1, 2].map((remainder) => looks.planMissing({ of: 3, remainder }, NOW));
    const planned = (await Promise.all(parts)).reduce((sum, part) => sum + part, 0);
    expect(planned).toBe(Number(row?.n));
    expect(planned).toBeLessThan(DOMAINS);
    expect(await looks.planMissing(ALL, NOW)).toBe(0);
    const due = await looks.due(0, later(HOUR_MS), DOMAINS);
    const times = due.map(({ dueAt }) => dueAt.getTime() - NOW.getTime());
    expect(Math.min(...times)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...times)).toBeLessThan(HOUR_MS);
    expect(new Set(times).size).toBeGreaterThan(times.length / 2);
  });

  it('of many that claim a due domain at once one has it, and it is due again when that one is killed', async () => {
    await looks.plan([1], NOW);
    const [due] = await looks.due(0, NOW, 1);
    if (due === undefined) throw new Error('nothing is due');
    const claims = await Promise.all(Array.from({ length: 8 }, () => looks.claim(due, later(5 * MINUTE_MS))));
    expect(claims.filter((claimed) => claimed)).toHaveLength(1);
    expect(await looks.due(0, later(4 * MINUTE_MS), 1)).toEqual([]);
    expect(idsOf(await looks.due(0, later(5 * MINUTE_MS), 1))).toEqual([1]);
  });

  it('of many processes one runs a round, until it ends or its lease has passed', async () => {
    const rounds = ['a', 'b', 'c', 'd'];
    const held = await Promise.all(rounds.map((round) => looks.holdRound(round, NOW, later(MINUTE_MS))));
    const winner = rounds[held.indexOf(true)] ?? '';
    expect(held.filter((each) => each)).toHaveLength(1);
    expect(await looks.holdRound(winner, NOW, later(MINUTE_MS))).toBe(true);
    expect(await looks.holdRound('e', later(MINUTE_MS - 1), later(HOUR_MS))).toBe(false);
    expect(await looks.holdRound('e', later(MINUTE_MS), later(HOUR_MS))).toBe(true);
    expect(await looks.holdRound(winner, later(MINUTE_MS), later(HOUR_MS))).toBe(false);
    await looks.endRound(winner, 'of a round that another one replaced');
    expect(await looks.standing()).toEqual({ held: 0, problem: null });
    await looks.endRound('e', 'mx1.platform.test of MX_HOSTS has no address');
    expect(await looks.standing()).toEqual({ held: 0, problem: 'mx1.platform.test of MX_HOSTS has no address' });
    expect(await looks.holdRound('f', NOW, later(1))).toBe(true);
    await looks.endRound('f', null);
    expect(await looks.standing()).toEqual({ held: 0, problem: null });
  });

  it('exactly as many domains as the brake allows are admitted in a day, whoever asks at once', async () => {
    const admit = (day: string) => Promise.all(Array.from({ length: 8 }, () => looks.admit(day, 5)));
    expect((await admit('2026-03-15')).filter((admitted) => admitted)).toHaveLength(5);
    expect((await admit('2026-03-15')).filter((admitted) => admitted)).toHaveLength(0);
    expect((await admit('2026-03-16')).filter((admitted) => admitted)).toHaveLength(5);
  });

  it('a look is stored with the reason for attention, held and released, and forgotten with it', async () => {
    const look: Look = {
      domainId: 1,
      dueAt: later(MINUTE_MS),
      lacks: ['mx', 'spf'],
      suspected: ['mx_elsewhere'],
      suspectedAt: NOW,
      hold: 'held',
    };
    const reasons = async () =>
      (
        await opened.database.read(
          "SELECT domain_id FROM domain_attention WHERE reason = 'dns_missing' ORDER BY domain_id",
        )
      ).map((row) => Number(row.domain_id));
    const unitOfWork = new SqlUnitOfWork(opened.database);
    const others = await reasons();
    await looks.plan([1, 2], NOW);
    await unitOfWork.run(() => looks.save(look));
    expect(await looks.find(1)).toEqual(look);
    expect(await unitOfWork.run(() => looks.lock(1))).toEqual(look);
    expect(await looks.lacksOf([1, 2, 3])).toEqual(new Map([[1, ['mx', 'spf']]]));
    expect(await reasons()).toEqual([1, ...others]);
    expect(await looks.standing()).toEqual({ held: 1, problem: null });
    expect(await looks.release(NOW)).toBe(1);
    expect(await looks.find(1)).toEqual({ ...look, hold: 'released', dueAt: NOW });
    expect(await looks.standing()).toEqual({ held: 0, problem: null });
    await unitOfWork.run(() => looks.save({ ...look, lacks: [], suspected: [], suspectedAt: null, hold: null }));
    expect(await reasons()).toEqual(others);
    await unitOfWork.run(() => looks.save(look));
    await unitOfWork.run(() => looks.forget(1));
    expect([await looks.find(1), await reasons()]).toEqual([null, others]);
    expect(await looks.lacksOf([])).toEqual(new Map());
  });

  it('a look follows its domain to another partner, and ends with it', async () => {
    const world = new PartnerWorld(opened.database);
    const domain = await world.createDomain('from');
    await looks.plan([domain.id], NOW);
    const moved = await world.moveDomain(domain, 'to');
    const [due] = await looks.due(moved.partnerId - 1, NOW, 1);
    expect(due).toMatchObject({ domainId: domain.id, partnerId: moved.partnerId });
    await world.deleteDomain(domain);
    expect(await looks.find(domain.id)).toBeNull();
  });
});
