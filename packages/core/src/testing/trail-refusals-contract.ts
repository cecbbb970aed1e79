import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
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
