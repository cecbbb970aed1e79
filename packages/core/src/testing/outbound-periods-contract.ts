import { DAY_MS } from '../clock.js';
import { systemActor } from '../operators/actor.js';
import { PurgeOutboundRows } from '../outbound/purge-outbound-rows.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';
import { sampleSize } from './sampled.js';

const ACTOR = systemActor('test');
/** The batches of each sender, while others reset the periods. */
const ROUNDS = sampleSize(20, 6);
const SENDERS = 4;

/**
 * The guarantees of the periods of every outbound ledger: resets, freezes and purges, also at the same time.
 *
 * @param open returns the ports of one process; two calls return two processes on the same database.
 */
export function outboundPeriodsContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
  });

  beforeEach(() => world.clock.set(new Date('2026-03-15T12:00:00.000Z')));

  describe('periods', () => {
    it('begin with the date, even when no reset has run', async () => {
      const domain = await world.domain();
      await world.send(domain, { count: 5 });
      world.clock.set(new Date('2026-03-16T00:00:00.000Z'));
      expect(await world.live(domain)).toMatchObject({ sentToday: 0, sentThisMonth: 5 });
      world.clock.set(new Date('2026-04-01T00:00:00.000Z'));
      expect(await world.live(domain)).toMatchObject({ sentToday: 0, sentThisMonth: 0 });
    });

    it('of a past month are frozen by the next increment, with the dates of that month', async () => {
      const domain = await world.domain();
      await world.send(domain, { count: 5, bytes: 70 });
      world.clock.set(new Date('2026-05-02T00:00:00.000Z'));
      expect(await world.send(domain)).toMatchObject({ sentThisMonth: 1 });
      expect(await world.history(domain)).toMatchObject([
        {
          periodStart: new Date('2026-03-01T00:00:00.000Z'),
          periodEnd: new Date('2026-04-01T00:00:00.000Z'),
          sent: 5,
          bytes: 70,
          bounces: 0,
          complaints: 0,
        },
      ]);
    });

    it('are reset by every daily reset on request, without a change of the month', async () => {
      await world.resetDaily.execute(ACTOR);
      const domain = await world.domain();
      const { email } = await world.mailbox(domain, 'anna', 2);
      await world.send(domain, { count: 2, sender: email });
      expect(await world.resetDaily.execute(ACTOR)).toEqual({ reset: 1 });
      expect(await world.resetDaily.execute(ACTOR)).toEqual({ reset: 0 });
      expect(await world.live(domain)).toMatchObject({ sentToday: 0, sentThisMonth: 2 });
      expect(await world.senders(domain)).toEqual([]);
      expect(await world.send(domain, { sender: email })).toMatchObject({
        allowed: true,
        sentToday: 1,
        sentThisMonth: 3,
      });
      expect(await world.senders(domain)).toMatchObject([{ sentToday: 1 }]);
    });

    it('are frozen and reset by every monthly reset on request', async () => {
      await world.resetMonthly.execute(ACTOR);
      const [sending, idle] = [await world.domain(), await world.domain()];
      await world.send(sending, { count: 4, bytes: 9 });
      expect(await world.resetMonthly.execute(ACTOR)).toEqual({ frozen: 1, reset: 1 });
      expect(await world.resetMonthly.execute(ACTOR)).toEqual({ frozen: 0, reset: 0 });
      expect(await world.live(sending)).toMatchObject({ sentToday: 4, sentThisMonth: 0, bytesThisMonth: 0 });
      world.clock.advance(1_000);
      await world.send(sending);
      await world.resetMonthly.execute(ACTOR);
      const at = (text: string) => new Date(text);
      expect(await world.history(sending)).toMatchObject([
        { sent: 1, periodStart: at('2026-03-15T12:00:00.000Z'), periodEnd: at('2026-03-15T12:00:01.000Z') },
        { sent: 4, bytes: 9, periodEnd: at('2026-03-15T12:00:00.000Z') },
      ]);
      expect(await world.history(idle)).toEqual([]);
    });

    it('are closed by the scheduled run only when their month is past, and only once', async () => {
      await world.resetMonthly.execute(ACTOR);
      const [late, active] = [await world.domain(), await world.domain()];
      world.clock.set(new Date('2026-04-30T23:00:00.000Z'));
      await world.send(late, { count: 2 });
      world.clock.set(new Date('2026-05-02T08:00:00.000Z'));
      await world.send(active, { count: 7 });
      expect(await world.resetMonthly.closeMonths()).toEqual({ frozen: 1 });
      expect(await world.resetMonthly.closeMonths()).toEqual({ frozen: 0 });
      expect(await world.history(late)).toMatchObject([{ sent: 2, periodEnd: new Date('2026-05-01T00:00:00.000Z') }]);
      expect(await world.live(active)).toMatchObject({ sentThisMonth: 7 });
      expect(await world.resetDaily.closeDay('2026-04-30')).toEqual({ reset: 1 });
    });

    it('that a killed reset left closed are frozen by the next increment, reset or scheduled run', async () => {
      const { unitOfWork, periods } = world.ports;
      const [touched, untouched] = [await world.domain(), await world.domain()];
      await world.send(touched, { count: 2 });
      await world.send(untouched, { count: 3 });
      await unitOfWork.run(() => periods.resetMonth(world.clock.now()));
      expect(await world.live(untouched)).toMatchObject({ sentThisMonth: 0 });
      await world.send(touched);
      expect(await world.history(touched)).toMatchObject([{ sent: 2 }]);
      await world.resetMonthly.closeMonths();
      expect(await world.history(touched)).toMatchObject([{ sent: 2 }]);
      expect(await world.history(untouched)).toMatchObject([{ sent: 3 }]);
      expect(await world.live(touched)).toMatchObject({ sentThisMonth: 1 });
    });
  });

  describe('old rows', () => {
    it('are deleted: ids after one day, senders and days after 40 days; newer rows are kept', async () => {
      const { periods } = world.ports;
      const purge = new PurgeOutboundRows(periods, world.clock);
      world.clock.set(new Date('2030-01-01T00:00:00.000Z'));
      await purge.execute();
      const domain = await world.domain();
      await world.send(domain);
      await world.resetDaily.execute(ACTOR);
      await world.send(domain, { id: 'x', sender: 'a@b.example' });
      world.clock.advance(DAY_MS);
      expect(await purge.execute()).toEqual({ increments: 0, senders: 0, days: 0 });
      world.clock.advance(1);
      expect(await purge.execute()).toEqual({ increments: 1, senders: 0, days: 0 });
      world.clock.advance(39 * DAY_MS - 1);
      expect(await purge.execute()).toEqual({ increments: 0, senders: 0, days: 0 });
      world.clock.advance(DAY_MS);
      const { days, ...others } = await purge.execute();
      expect(others).toEqual({ increments: 0, senders: 1 });
      // The day of the domain, that of its partner, and the parts of the day of all partners.
      expect(days).toBeGreaterThan(2);
      expect(await purge.execute()).toEqual({ increments: 0, senders: 0, days: 0 });
    });
  });

  describe('at the same time, from two processes', () => {
    let other: OutboundWorld;

    beforeAll(async () => {
      other = new OutboundWorld(await open());
    });

    it('with a headroom of N, exactly N increments are accepted', async () => {
      const parent = await world.domain({ operatorDailyLimit: 70 });
      const children = [
        await world.domain({ parentId: parent.id, operatorDailyLimit: 20 }),
        await world.domain({ parentId: parent.id }),
      ];
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => {
          const from = index % 2 === 0 ? world : other;
          return from.send(children[index % 3 === 0 ? 0 : 1] ?? parent);
        }),
      );
      const accepted = answers.filter(({ allowed }) => allowed);
      expect(accepted).toHaveLength(70);
      expect(accepted.filter(({ name }) => name === children[0]?.name).length).toBeLessThanOrEqual(20);
      expect(await world.live(parent)).toMatchObject({ sentToday: 70 });
    });

    it('an id is counted once', async () => {
      const domain = await world.domain();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? world : other).send(domain, { id: 'same' })),
      );
      expect(new Set(answers.map(({ sentToday }) => sentToday))).toEqual(new Set([1]));
      expect(await world.live(domain)).toMatchObject({ sentToday: 1 });
    });

    it('many concurrent increments and resets lose nothing and count nothing twice', async () => {
      await world.resetMonthly.execute(ACTOR);
      const parent = await world.domain({ outboundTier: 'unlimited' });
      const domains = [parent];
      for (let index = 0; index < 8; index += 1) {
        domains.push(await world.domain({ outboundTier: 'unlimited', parentId: index % 2 === 0 ? parent.id : null }));
      }
      let acknowledged = 0;
      let frozen = 0;
      const load = { over: false };
      const sender = async (from: OutboundWorld, seed: number) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const items = domains.map((domain, index) =>
            anIncrement(domain, { count: 1 + ((seed + round + index) % 3), bytes: 1 }),
          );
          const answers = await from.countOutbound.executeAll(items);
          acknowledged += answers.reduce(
            (sum, answer, index) => sum + ('allowed' in answer && answer.allowed ? (items[index]?.count ?? 0) : 0),
            0,
          );
          from.clock.advance(1);
        }
      };
      const reset = async (from: OutboundWorld) => {
        while (!load.over) {
          const closed = await from.resetMonthly.execute(ACTOR);
          frozen += closed.frozen;
          await from.resetDaily.execute(ACTOR);
          // An embedded database responds without I/O, so the other calls need a turn of the event loop.
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const senders = Array.from({ length: SENDERS }, (_, seed) => sender(seed % 2 === 0 ? world : other, seed));
      const sent = Promise.all(senders);
      const resets = [reset(world), reset(other)];
      await sent.finally(() => {
        load.over = true;
      });
      await Promise.all(resets);

      const sums = await Promise.all(
        domains.map(async (domain) => {
          const rows = await world.history(domain);
          const live = await world.live(domain);
          return {
            sent: rows.reduce((sum, { sent }) => sum + sent, live.sentThisMonth),
            bytes: rows.reduce((sum, { bytes }) => sum + bytes, live.bytesThisMonth),
            rows: rows.length,
          };
        }),
      );
      const own = sums.slice(1).reduce((sum, { sent }) => sum + sent, 0);
      const children = sums.filter((_, index) => index % 2 === 1).reduce((sum, { sent }) => sum + sent, 0);
      expect(own + (sums[0]?.sent ?? 0) - children).toBe(acknowledged);
      expect(sums.map(({ bytes }) => bytes)).toEqual(domains.map(() => SENDERS * ROUNDS));
      expect(sums.reduce((sum, { rows }) => sum + rows, 0)).toBe(frozen);
    });
  });
}
