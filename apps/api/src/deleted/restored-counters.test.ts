import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { MendCounts } from '@mailstead/core/counts/mend-counts';
import fc from 'fast-check';
import { BILLING, MASTER } from '../testing/api-fixture.js';
import { type RestorationSteps, startRestorationSteps } from '../testing/restoration-steps.js';

const SEED = Number(process.env.MAILSTEAD_RESTORE_SEED ?? Date.now() % 1_000_000);
const STEPS = 200;
const NAME = 'wanted.example';

const who = fc.constantFrom('acme', 'rival');
/** What partners and operators do to a name that two partners want. */
const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), who }),
  fc.record({ do: fc.constant('delete' as const), who: fc.constantFrom('acme', 'rival', 'master', 'billing') }),
  fc.record({ do: fc.constant('move' as const), who }),
  fc.record({
    do: fc.constant('restore' as const),
    who: fc.constantFrom('acme', 'rival', 'master'),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 5 }), id: fc.nat(5) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 10 }) }),
  fc.record({
    do: fc.constant('reset' as const),
    path: fc.constantFrom('/outbound/reset-daily', '/outbound/reset-monthly'),
  }),
);

onEachDatabase((kind) => {
  let names: RestorationSteps;

  beforeAll(async () => {
    names = await startRestorationSteps(kind);
  });
  afterAll(() => names.api.close());

  /**
   * Two domains of rival with one name, of which billing deleted the first before acme had the name and gave it away.
   */
  async function twoDeletionsOfOneName(between: () => void = () => {}): Promise<{ taken: string; first: number }> {
    const { acme, aName, api, create, listed, move, remove, rival, sent } = names;
    const taken = aName();
    await create(rival, taken);
    await sent(taken, { count: 5, bytes: 100, sender: `a@${taken}`, id: 'first' });
    await remove(BILLING, taken);
    const [first] = await listed(MASTER, taken);
    between();
    await create(acme, taken);
    await move(taken, 'rival');
    await sent(taken, { count: 7, bytes: 200, sender: `a@${taken}`, id: 'second' });
    await api.as(rival).delete(`/domains/${taken}`).expect(204);
    return { taken, first: first?.id ?? 0 };
  }

  it('a domain that went to another partner and back is restored with its own counters and its newest settings', async () => {
    const { acme, aName, configure, create, deletedId, move, outbound, remove, restore, sent } = names;
    const there = aName();
    await create(acme, there);
    await configure(there, { daily_limit: 50 });
    await sent(there, { count: 2 });
    await move(there, 'rival');
    await sent(there, { count: 3 });
    await move(there, 'acme');
    await configure(there, { daily_limit: 60 });
    await remove(acme, there);
    await restore(acme, await deletedId(acme, there)).expect(200);
    expect(await outbound(there)).toMatchObject({ daily_limit: 60, sent_today: 5, sent_this_month: 5 });
  });

  it('a domain that is restored after another partner had the name adds its counters to those of the later one', async () => {
    const { outbound, restore } = names;
    const { taken, first } = await twoDeletionsOfOneName();
    await restore(MASTER, first).expect(200);
    expect(await outbound(taken)).toMatchObject({ sent_today: 12, sent_this_month: 12, bytes_this_month: 300 });
    expect(await outbound(taken, '/senders')).toMatchObject([{ sender: `a@${taken}`, sent_today: 12 }]);
    const days: { sent: number }[] = await outbound(taken, '/days');
    expect(days.reduce((sum, { sent }) => sum + sent, 0)).toBe(12);
  });

  it('counters of another day and month become closed days and a row of the history', async () => {
    const { api, outbound, restore } = names;
    api.clock.set(new Date('2026-04-28T23:00:00.000Z'));
    const { taken, first } = await twoDeletionsOfOneName(() => api.clock.advance(3 * DAY_MS));
    await restore(MASTER, first).expect(200);
    expect(await outbound(taken)).toMatchObject({ sent_today: 7, sent_this_month: 7, bytes_this_month: 200 });
    expect(await outbound(taken, '/history')).toMatchObject([
      { sent: 5, bytes: 100, period_end: '2026-05-01T00:00:00.000' },
    ]);
    const days: { day: string; sent: number }[] = await outbound(taken, '/days');
    expect(days.filter(({ sent }) => sent > 0)).toMatchObject([
      { day: '2026-04-28', sent: 5 },
      { day: '2026-05-01', sent: 7 },
    ]);
  });

  it(`no order of creations, deletions, moves, restorations, messages and resets fails or miscounts (seed ${SEED})`, async () => {
    const { api, listed } = names;
    const token = { acme: names.acme, rival: names.rival, master: MASTER, billing: BILLING };
    const restored = { acme: 0, rival: 0, master: 0 };
    for (const [index, each] of fc.sample(step, { seed: SEED, numRuns: STEPS }).entries()) {
      const request = async (): Promise<{ status: number } | null> => {
        switch (each.do) {
          case 'create':
            return api.as(token[each.who]).post('/domains/', { name: NAME });
          case 'delete':
            return api.as(token[each.who]).delete(`/domains/${NAME}`);
          case 'move':
            return api.as(MASTER).put(`/domains/${NAME}/partner`, { partner_ref: each.who });
          case 'restore': {
            const deletions = await listed(token[each.who], NAME);
            const chosen = deletions[each.which % Math.max(1, deletions.length)];
            if (chosen === undefined) return null;
            const answer = await names.restore(token[each.who], chosen.id);
            if (answer.status === 200) restored[each.who] += 1;
            return answer;
          }
          case 'send': {
            const { count, id } = each;
            return api
              .as(MASTER)
              .post(`/domains/${NAME}/outbound/increment`, { record: true, count, id: `${id}-${count}` });
          }
          case 'wait':
            api.clock.advance(each.hours * HOUR_MS);
            return null;
          case 'reset':
            return api.as(MASTER).post(each.path);
        }
      };
      const status = (await request())?.status ?? 200;
      expect({ index, each, failed: status >= 500 }).toEqual({ index, each, failed: false });
    }
    expect(restored.acme + restored.rival + restored.master).toBeGreaterThan(0);
    expect(await api.container.get(MendCounts).execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 0 });
  });
});
