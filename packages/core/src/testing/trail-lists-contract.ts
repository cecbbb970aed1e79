import { DAY_MS, HOUR_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { systemActor } from '../operators/actor.js';
import { allRowsOf, type PartnerScope } from '../partners/partner-scope.js';
import { RecordTrail } from '../trail/record-trail.js';
import { keptDays } from '../trail/trail-options.js';
import type { TrailStep } from '../trail/trail-step.js';
import { FixedClock } from './fixed-clock.js';
import type { OutboundWorld } from './outbound-world.js';
import { TRAIL_OPTIONS as OPTIONS, type TrailPorts, TrailWorld } from './trail-world.js';

type Open = () => Promise<{ one: TrailPorts; other: TrailPorts }>;

/** What every `TrailStore` finds, to whom it shows it, and how long. */
export function trailListsContract(open: Open): void {
  let made: TrailWorld;
  let ports: TrailPorts;
  let world: OutboundWorld;
  let record: RecordTrail;
  let acme: Domain;
  let beta: Domain;
  let now: Date;

  beforeAll(async () => {
    made = await TrailWorld.create(await open());
    ({ ports, world, record, now } = made);
    ({ acme, beta } = made.domains);
  });

  const ago = (ms: number) => made.ago(ms);
  const newQueueId = () => made.newQueueId();
  const step = (fields?: Partial<TrailStep>) => made.step(fields);
  const listed: TrailWorld['listed'] = (...given) => made.listed(...given);
  const rowOf = (fields: Partial<TrailStep>) => made.rowOf(fields);

  describe('a list', () => {
    let named: Domain;

    beforeAll(async () => {
      named = await world.domain();
      const to = (index: number) => `r${index % 2}@elsewhere.example`;
      const steps = Array.from({ length: 12 }, (_, index) =>
        step({
          queueId: newQueueId(),
          domain: index < 8 ? named.name : beta.name,
          sender: `s${index % 3}@${index < 8 ? named.name : beta.name}`,
          recipient: to(index),
          messageId: `<m${index % 4}@list>`,
          direction: index % 5 === 0 ? 'in' : 'out',
          at: ago(index * 9 * HOUR_MS + 7),
        }),
      );
      await record.execute(steps);
    });

    const times = (rows: { at: Date }[]) => rows.map(({ at }) => (now.getTime() - at.getTime() - 7) / (9 * HOUR_MS));
    const own = (): PartnerScope => allRowsOf(named.partnerId);
    const list = '<m1@list>';

    it.each([1, 3, 100])('is in the order of time over several days, newest first, %d at a time', async (limit) => {
      expect(times(await listed({ domain: named.name }, 'all', limit))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      expect(times(await listed({ messageId: list }, 'all', limit))).toEqual([1, 5, 9]);
      expect(times(await listed({ messageId: list }, own(), limit))).toEqual([1, 5]);
      expect(times(await listed({ mailbox: `s1@${named.name}` }, own(), limit))).toEqual([1, 4, 7]);
      expect(times(await listed({ recipient: 'r1@elsewhere.example' }, own(), limit))).toEqual([1, 3, 5, 7]);
      expect(
        times(await listed({ recipient: 'r1@elsewhere.example', domain: named.name, messageId: list }, 'all', limit)),
      ).toEqual([1, 5]);
      expect(times(await listed({ domain: named.name, direction: 'in' }, own(), limit))).toEqual([0, 5]);
      expect(times(await listed({ domain: named.name, state: 'stored' }, own(), limit))).toEqual([]);
    });

    it('has the moment of its beginning and not that of its end', async () => {
      const since = ago(2 * 9 * HOUR_MS + 7);
      const until = ago(9 * HOUR_MS + 7);
      expect(times(await listed({ domain: named.name, since, until }))).toEqual([2]);
    });

    it('has rows of the scope only: of the partner, or of some of its domains', async () => {
      const foreign = allRowsOf(beta.partnerId);
      expect(await listed({ domain: named.name }, foreign)).toEqual([]);
      expect(times(await listed({ messageId: list }, foreign))).toEqual([9]);
      const limited = { partnerId: named.partnerId, domainIds: [acme.id] };
      expect(await listed({ domain: named.name }, limited)).toEqual([]);
      expect(await listed({}, { ...limited, domainIds: [] })).toEqual([]);
      const some = await listed({}, { ...limited, domainIds: [named.id] }, 100);
      expect(times(some)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      const [row] = some;
      expect(await ports.trail.find({ ...limited, domainIds: [named.id] }, row?.id ?? '')).toMatchObject({
        id: row?.id,
      });
      for (const scope of [limited, foreign]) expect(await ports.trail.find(scope, row?.id ?? '')).toBeNull();
      expect(await ports.trail.find('all', 'no id')).toBeNull();
    });

    it('keeps the partner of its time after a move and a deletion of the domain', async () => {
      const moved = await world.domain();
      const queueId = newQueueId();
      const fields = { queueId, domain: moved.name, sender: `a@${moved.name}` };
      await record.execute([step(fields)]);
      await world.delete(moved);
      await record.execute([step({ ...fields, step: 'relayed', at: ago(5) })]);
      expect(await listed({ domain: moved.name }, own())).toMatchObject([{ state: 'relayed', domainId: moved.id }]);
    });
  });

  it('gives a message to the partner that had the domain at its time, also when it is reported after a move', async () => {
    const { unitOfWork, tombstones, domains } = ports;
    const moved = await world.domain();
    Object.assign(moved, { createdAt: ago(3 * HOUR_MS) });
    const former = moved.partnerId;
    await unitOfWork.run(async () => {
      await tombstones.keepMoved(moved, systemActor('tests'), ago(HOUR_MS));
      Object.assign(moved, { partnerId: beta.partnerId, heldSince: ago(HOUR_MS) });
      await domains.save(moved);
    });
    const fields = { domain: moved.name, sender: `a@${moved.name}` };
    const times = [ago(HOUR_MS + 1), ago(HOUR_MS)];
    await record.execute(times.map((at) => step({ ...fields, queueId: newQueueId(), at })));
    const partners = (await listed({ domain: moved.name })).map(({ partnerId }) => partnerId);
    expect(partners).toEqual([beta.partnerId, former]);
  });

  it('knows until when a partner had a name: the end of its last time or the beginning of the next partner, and never', async () => {
    const { unitOfWork, tombstones, domains, trail } = ports;
    const moved = await world.domain();
    const former = moved.partnerId;
    const until = (partnerId: number) => trail.heldUntil(moved.name, partnerId);
    expect(await until(former)).toBeNull();
    const never = new Date(0);
    expect(await until(beta.partnerId)).toEqual(never);
    await unitOfWork.run(async () => {
      await tombstones.keepMoved(moved, systemActor('tests'), ago(HOUR_MS));
      Object.assign(moved, { partnerId: beta.partnerId, heldSince: ago(HOUR_MS) });
      await domains.save(moved);
    });
    expect(await until(former)).toEqual(ago(HOUR_MS));
    expect(await until(beta.partnerId)).toBeNull();
    await world.delete(moved);
    expect(await until(former)).toEqual(ago(HOUR_MS));
    expect(await until(9_999)).toEqual(never);
  });

  describe('the days', () => {
    it('before the first that is kept are dropped, by several processes at once, and the others stay', async () => {
      const queueId = newQueueId();
      const recipient = 'kept@elsewhere.example';
      const at = [1, 3, 4].map((days) => ago(days * DAY_MS));
      for (const each of at) await record.execute([step({ queueId: newQueueId(), recipient, at: each })]);
      const days = { first: keptDays({ trailDays: 3 }, now).first, last: keptDays(OPTIONS, now).last };
      const dropped = await Promise.all([1, 2, 3].map(() => ports.trail.keepDays(days)));
      expect(Math.max(...dropped)).toBeGreaterThan(0);
      expect((await listed({ recipient })).map((row) => row.at)).toEqual(at.slice(0, 2));
      expect(await ports.trail.keepDays(days)).toBe(0);
      await record.execute([step({ queueId, recipient, at: ago(-DAY_MS / 4) })]);
      expect(await rowOf({ queueId, recipient })).not.toBeNull();
    });

    it('that nobody made in time are made later, with the rows that were written meanwhile', async () => {
      const future = (days: number) => new Date(now.getTime() + days * DAY_MS);
      const later = new FixedClock(future(20));
      const { unitOfWork, trail } = ports;
      const recipient = 'late@elsewhere.example';
      await new RecordTrail(unitOfWork, trail, later, OPTIONS).execute(
        [15, 19, 20].map((days) => step({ queueId: newQueueId(), recipient, at: future(days) })),
      );
      const span = { since: future(10), until: future(30), recipient };
      expect(await listed(span)).toHaveLength(3);
      await trail.keepDays(keptDays(OPTIONS, later.now()));
      expect(await listed(span)).toHaveLength(3);
      await trail.keepDays(keptDays({ trailDays: 1 }, later.now()));
      expect((await listed(span)).map(({ at }) => at)).toEqual([future(20), future(19)]);
    });
  });

  it('notes a reading once for an operator, partner and hour, and forgets it later', async () => {
    const { trail } = ports;
    const hour = ago(0);
    const note = (operator: string, partnerId: number, at: Date) => trail.noteReading(operator, partnerId, at);
    expect(await Promise.all([note('ann', 1, hour), note('ann', 1, hour)])).toContain(true);
    expect(await note('ann', 1, hour)).toBe(false);
    expect(await note('ann', 2, hour)).toBe(true);
    expect(await note('bob', 1, hour)).toBe(true);
    expect(await note('ann', 1, ago(HOUR_MS))).toBe(true);
    expect(await trail.forgetReadings(hour)).toBe(1);
    expect(await trail.refsOf([acme.partnerId, beta.partnerId])).toEqual(
      new Map([
        [acme.partnerId, 'acme'],
        [beta.partnerId, 'beta'],
      ]),
    );
  });

  it('forgets mail servers that no longer report', async () => {
    const { trail, unitOfWork } = ports;
    await unitOfWork.run(() => trail.lockHosts(new Map([['old.example', 0]]), ago(40 * DAY_MS)));
    expect(await trail.forgetHosts(ago(30 * DAY_MS))).toBe(1);
    expect(await trail.forgetHosts(ago(30 * DAY_MS))).toBe(0);
  });
}
