import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { systemActor } from '../operators/actor.js';
import type { RecordTrail } from '../trail/record-trail.js';
import type { TrailStep } from '../trail/trail-step.js';
import { type TrailPorts, TrailWorld } from './trail-world.js';

type Open = () => Promise<{ one: TrailPorts; other: TrailPorts }>;

/** How many rows every `TrailStore` keeps of refusals. */
export function trailRefusalsContract(open: Open): void {
  let made: TrailWorld;
  let record: RecordTrail;
  let acme: Domain;
  let sister: Domain;

  beforeAll(async () => {
    made = await TrailWorld.create(await open());
    ({ record } = made);
    ({ acme, sister } = made.domains);
  });

  const ago = (ms: number) => made.ago(ms);
  const newQueueId = () => made.newQueueId();
  const step = (fields?: Partial<TrailStep>) => made.step(fields);
  const listed: TrailWorld['listed'] = (...given) => made.listed(...given);

  describe('refusals on port 25', () => {
    const refusal = (fields: Partial<TrailStep>) =>
      step({
        host: 'mx3.example',
        queueId: null,
        step: 'refused',
        direction: 'in',
        domain: sister.name,
        reason: 'unknown_recipient',
        ...fields,
      });
    const rows = async (at: Date, span = HOUR_MS) =>
      listed({ domain: sister.name, state: 'refused', since: at, until: new Date(at.getTime() + span) }, 'all', 500);

    it('of the same sender and recipient are one row in an hour, with their number', async () => {
      const start = new Date(Math.floor(ago(10 * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);
      const at = (minutes: number) => new Date(start.getTime() + minutes * MINUTE_MS);
      const report = [1, 2, 59].map((minute) =>
        refusal({ sender: 'x@y.example', recipient: `no@${sister.name}`, at: at(minute) }),
      );
      await record.execute(report);
      await record.execute(report);
      await record.execute([refusal({ sender: 'x@y.example', recipient: `no@${sister.name}`, at: at(61) })]);
      expect(await rows(start, 2 * HOUR_MS)).toMatchObject([
        { count: 1, at: at(61) },
        { count: 3, at: at(1), lastAt: at(59), reason: 'unknown_recipient' },
      ]);
    });

    it('of others are at most 20 rows of a domain in a minute, and one row that counts the rest', async () => {
      const start = new Date(Math.floor(ago(20 * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);
      const reports = Array.from({ length: 35 }, (_, index) =>
        refusal({ recipient: `no${index}@${sister.name}`, at: new Date(start.getTime() + index) }),
      );
      await record.execute(reports.slice(0, 15));
      await record.execute(reports.slice(15));
      await record.execute(reports);
      const found = await rows(start, MINUTE_MS);
      expect(found).toHaveLength(21);
      expect(found.filter(({ recipient }) => recipient === `*@${sister.name}`)).toMatchObject([
        { sender: '', count: 15 },
      ]);
      await record.execute([refusal({ recipient: `no@${sister.name}`, at: new Date(start.getTime() + MINUTE_MS) })]);
      expect(await rows(start, 2 * MINUTE_MS)).toHaveLength(22);
    });

    it('of whole messages count there too', async () => {
      const start = new Date(Math.floor(ago(30 * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);
      const report = Array.from({ length: 30 }, (_, index) =>
        refusal({ queueId: newQueueId(), at: new Date(start.getTime() + index), recipient: `ann@${sister.name}` }),
      );
      await record.execute(report);
      await record.execute(report);
      expect(await rows(start, MINUTE_MS)).toHaveLength(21);
    });
  });

  describe('refusals of a domain that moves to another partner', () => {
    it('count for the partner that had it when they happened, on port 25 and of senders, also when they are repeated', async () => {
      const { unitOfWork, tombstones, domains } = made.ports;
      const { beta } = made.domains;
      const hour = new Date(Math.floor(ago(60 * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);
      const later = (seconds: number) => new Date(hour.getTime() + seconds * SECOND_MS);
      const moved = await made.world.domain({ createdAt: ago(70 * HOUR_MS) });
      const former = moved.partnerId;
      const given = { host: 'mx6.example', queueId: null, step: 'refused', domain: moved.name } as const;
      const foreign = (at: Date) => {
        const to = { sender: 'x@y.example', recipient: `no@${moved.name}`, at };
        return step({ ...given, ...to, direction: 'in', reason: 'unknown_recipient' });
      };
      const crowd = (at: Date) =>
        Array.from({ length: 25 }, (_, index) =>
          step({ ...given, sender: `s${index}@${moved.name}`, at: new Date(at.getTime() + index) }),
        );
      const before = [foreign(later(1)), foreign(later(2)), ...crowd(later(3))];
      const after = [foreign(later(31)), foreign(later(32)), foreign(later(33)), ...crowd(later(34))];
      await record.execute(before);
      await unitOfWork.run(async () => {
        await tombstones.keepMoved(moved, systemActor('tests'), later(30));
        Object.assign(moved, { partnerId: beta.partnerId, heldSince: later(30) });
        await domains.save(moved);
      });
      await record.execute([...before, ...after]);
      await made.otherRecord.execute([...after, ...before]);
      const found = await listed({ domain: moved.name }, 'all', 500);
      const counted = (partnerId: number) =>
        found.filter((row) => row.partnerId === partnerId).reduce((sum, { count }) => sum + count, 0);
      expect([counted(former), counted(beta.partnerId)]).toEqual([before.length, after.length]);
      const times = (partnerId: number) =>
        found.filter((row) => row.partnerId === partnerId).map(({ lastAt }) => lastAt);
      expect(times(former).every((at) => at < later(30))).toBe(true);
      expect(times(beta.partnerId).every((at) => at >= later(30))).toBe(true);
    });
  });

  describe('refusals of senders', () => {
    const hour = (hours: number) => new Date(Math.floor(ago(hours * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);
    /** Each of one recipient, in the given distance; every second one of a message that has a queue file. */
    const refusals = (count: number, { start, apartMs, to }: { start: Date; apartMs: number; to?: string }) =>
      Array.from({ length: count }, (_, index) =>
        step({
          host: 'mx4.example',
          queueId: index % 2 === 0 ? null : `R${start.getTime()}-${index}`,
          step: 'refused',
          reason: 'daily_limit',
          domain: sister.name,
          sender: `${to ?? `s${index}`}@${sister.name}`,
          recipient: `r${index}@elsewhere.example`,
          at: new Date(start.getTime() + index * apartMs),
        }),
      );

    it('are at most 100 rows of a sender in an hour, and one row that counts the rest', async () => {
      const mailbox = `busy@${sister.name}`;
      const given = { start: hour(40), apartMs: 5 * SECOND_MS, to: 'busy' };
      const report = refusals(600, given);
      expect(await record.execute(report.slice(0, 90))).toEqual({ taken: 90, dropped: 0 });
      await made.otherRecord.execute(report.slice(90, 400));
      await record.execute(report.slice(400));
      expect(await record.execute(report)).toEqual({ taken: 600, dropped: 0 });
      const found = await listed({ mailbox }, 'all', 500);
      expect(found).toHaveLength(101);
      const [further, ...own] = found;
      expect(further).toMatchObject({ sender: mailbox, recipient: '*', state: 'refused', count: 500 });
      expect(own.every(({ count, recipient }) => count === 1 && recipient !== '*')).toBe(true);
      await record.execute([...refusals(1, { ...given, start: hour(39) })]);
      expect(await listed({ mailbox }, 'all', 500)).toHaveLength(102);
    });

    it('of ever new addresses are at most 20 rows of a domain in a minute, and one row that counts the rest', async () => {
      const report = refusals(50, { start: hour(44), apartMs: SECOND_MS });
      await record.execute(report.slice(0, 30));
      await record.execute(report.slice(30));
      await record.execute(report);
      const found = await listed(
        { domain: sister.name, since: hour(44), until: new Date(hour(44).getTime() + HOUR_MS) },
        'all',
        500,
      );
      expect(found).toHaveLength(21);
      expect(found[0]).toMatchObject({ sender: `*@${sister.name}`, recipient: '*', count: 30 });
    });

    it('of one in a minute whose domain has too many stay counted there when its own row begins later', async () => {
      const start = hour(50);
      const crowd = refusals(20, { start, apartMs: 1 });
      const early = refusals(5, { start: new Date(start.getTime() + 10 * SECOND_MS), apartMs: 1, to: 'late' });
      const late = refusals(150, { start: new Date(start.getTime() + MINUTE_MS), apartMs: 10 * SECOND_MS, to: 'late' });
      const whole = { domain: sister.name, since: start, until: new Date(start.getTime() + HOUR_MS) };
      for (const report of [crowd, early, late]) await record.execute(report);
      const found = await listed(whole, 'all', 500);
      expect(found.filter(({ recipient }) => recipient === '*')).toMatchObject([{ count: 50 }, { count: 5 }]);
      for (const report of [early, crowd, late]) await record.execute(report);
      expect(await listed(whole, 'all', 500)).toEqual(found);
    });

    it('are a row each below the bounds', async () => {
      const own = (at: number) =>
        step({ queueId: null, step: 'refused', reason: 'daily_limit', at: ago(at), sender: `lim@${acme.name}` });
      await record.execute([own(3), own(2), own(3)]);
      const found = await listed({ mailbox: `lim@${acme.name}` });
      expect(found).toMatchObject([
        { at: ago(2), count: 1 },
        { at: ago(3), reason: 'daily_limit' },
      ]);
    });
  });
}
