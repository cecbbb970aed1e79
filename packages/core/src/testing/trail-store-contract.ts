import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { SilentMeters } from '../meters.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import { RecordTrail } from '../trail/record-trail.js';
import { keptDays } from '../trail/trail-options.js';
import type { TrailRow } from '../trail/trail-row.js';
import { rowKeyOf, type TrailStep, trailTag } from '../trail/trail-step.js';
import { FixedClock } from './fixed-clock.js';
import { longQueueId } from './long-queue-id.js';
import { TRAIL_OPTIONS as OPTIONS, type TrailPorts, TrailWorld } from './trail-world.js';

type Open = () => Promise<{ one: TrailPorts; other: TrailPorts }>;

/** What every `TrailStore` keeps of reports, with the use case that writes it. Each process has ports of its own. */
export function trailStoreContract(open: Open): void {
  let made: TrailWorld;
  let ports: TrailPorts;
  let record: RecordTrail;
  let acme: Domain;
  let sister: Domain;
  let beta: Domain;
  let now: Date;

  beforeAll(async () => {
    made = await TrailWorld.create(await open());
    ({ ports, record, now } = made);
    ({ acme, sister, beta } = made.domains);
  });

  const ago = (ms: number) => made.ago(ms);
  const newQueueId = () => made.newQueueId();
  const step = (fields?: Partial<TrailStep>) => made.step(fields);
  const listed: TrailWorld['listed'] = (...given) => made.listed(...given);
  const rowOf = (fields: Partial<TrailStep>) => made.rowOf(fields);

  describe('a row', () => {
    it('is one for a message, recipient and direction, and keeps each column', async () => {
      const queueId = newQueueId();
      const recipient = `ünï "x"@${sister.name}`;
      const own = { queueId, recipient, size: 9_000_000_000, messageId: '<1@a.b>', detail: 'von 🦊' };
      const inbound = { ...own, direction: 'in', domain: sister.name } as const;
      expect(await record.execute([step(own), step(inbound), step({ ...own, recipient: 'x@y.example' })])).toEqual({
        taken: 3,
        dropped: 0,
      });
      const row = await rowOf(own);
      expect(row).toMatchObject({
        at: ago(HOUR_MS),
        lastAt: ago(HOUR_MS),
        direction: 'out',
        domain: acme.name,
        domainId: acme.id,
        partnerId: acme.partnerId,
        sender: `alice@${acme.name}`,
        recipient,
        size: 9_000_000_000,
        state: 'accepted',
        reason: null,
        messageId: '<1@a.b>',
        relayId: null,
        count: 1,
        steps: [{ at: ago(HOUR_MS), step: 'accepted', detail: 'von 🦊' }],
      });
      expect(await rowOf(inbound)).toMatchObject({ direction: 'in', domain: sister.name });
      expect(await ports.trail.find('all', row?.id ?? '')).toEqual(row);
      const { steps: _, ...shown } = row as TrailRow;
      expect(await listed({ recipient, direction: 'out' })).toEqual([shown]);
    });

    it('has the highest state that was reported, in whatever order, and of equal ones the newest with its reason', async () => {
      const queueId = newQueueId();
      const later = (seconds: number) => new Date(ago(HOUR_MS).getTime() + seconds * SECOND_MS);
      const reported = [
        step({ queueId, step: 'relayed', at: later(30), reason: 'new', detail: '250 Ok 0102018f2c6e4b11-000000' }),
        step({ queueId, step: 'deferred', at: later(10) }),
        step({ queueId, step: 'forwarded', at: later(20), reason: 'old' }),
        step({ queueId }),
      ];
      for (const each of reported) await record.execute([each]);
      const row = await rowOf({ queueId });
      expect(row).toMatchObject({ state: 'relayed', reason: 'new', relayId: '0102018f2c6e4b11-000000' });
      expect(row?.lastAt).toEqual(later(30));
      expect(row?.steps.map((each) => each.step)).toEqual(['accepted', 'deferred', 'forwarded', 'relayed']);
      const found = await ports.unitOfWork.run(() =>
        ports.trail.lockRelayed(['0102018f2c6e4b11-000000'], keptDays(OPTIONS, now)),
      );
      expect(found).toEqual([row]);
    });

    it('is not changed by a report that is repeated', async () => {
      const queueId = newQueueId();
      const report = ['accepted', 'deferred', 'relayed'].map((each, index) =>
        step({ queueId, step: each as TrailStep['step'], at: ago(HOUR_MS - index), detail: `d${index}` }),
      );
      expect(await record.execute(report)).toEqual({ taken: 3, dropped: 0 });
      const row = await rowOf({ queueId });
      expect(await record.execute([...report, ...report])).toEqual({ taken: 6, dropped: 0 });
      expect(await rowOf({ queueId })).toEqual(row);
    });

    it('keeps its first and last steps, 20 in all, and only the last time of further deferrals', async () => {
      const queueId = newQueueId();
      const many = Array.from({ length: 50 }, (_, index) =>
        step({ queueId, step: 'stored', at: ago(HOUR_MS - index * SECOND_MS), detail: `copy ${index}` }),
      );
      const deferrals = [3, 2, 1].map((hours) => step({ queueId, step: 'deferred', at: ago(hours * MINUTE_MS) }));
      await record.execute([...many, ...deferrals]);
      await record.execute([...many, ...deferrals]);
      const row = await rowOf({ queueId });
      expect(row?.steps).toHaveLength(20);
      expect(row?.steps.at(0)?.detail).toBe('copy 0');
      expect(row?.steps.slice(-2)).toMatchObject([{ detail: 'copy 49' }, { step: 'deferred', at: ago(3 * MINUTE_MS) }]);
      expect(row?.lastAt).toEqual(ago(MINUTE_MS));
      expect(row?.state).toBe('stored');
    });

    it('is found again on a later day, and stays on the day of its first step', async () => {
      const queueId = newQueueId();
      await record.execute([step({ queueId, at: ago(4 * DAY_MS) })]);
      await record.execute([step({ queueId, step: 'relayed', at: ago(MINUTE_MS) })]);
      expect(await rowOf({ queueId })).toMatchObject({ at: ago(4 * DAY_MS), state: 'relayed' });
      const rows = await listed({ since: ago(4 * DAY_MS), until: ago(4 * DAY_MS - 1), domain: acme.name });
      expect(rows).toMatchObject([{ state: 'relayed', lastAt: ago(MINUTE_MS) }]);
    });

    it('is found again by its long queue id, on the day before too, and is reported again without a second row', async () => {
      const midnight = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
      const queueId = longQueueId(midnight);
      const beforeMidnight = new Date(midnight.getTime() - SECOND_MS);
      const steps = [
        step({ queueId, at: beforeMidnight }),
        step({ queueId, step: 'deferred', at: midnight }),
        step({ queueId, step: 'relayed', at: ago(MINUTE_MS) }),
      ];
      for (const each of [...steps, ...steps]) await record.execute([each]);
      expect(await rowOf({ queueId })).toMatchObject({ at: beforeMidnight, state: 'relayed' });
      const rows = await listed({ since: beforeMidnight, until: now, domain: acme.name });
      expect(
        rows.filter(({ key }) => key === rowKeyOf(trailTag('mx1.example', queueId), 'jane@elsewhere.example', 'out')),
      ).toHaveLength(1);
    });

    it('ends for the sender at accepted when the recipient is of another partner, and goes on for one of its own', async () => {
      const queueId = newQueueId();
      const to = (domain: Domain) => ({ queueId, recipient: `bob@${domain.name}` });
      const stored = { step: 'stored', at: ago(MINUTE_MS), detail: 'their mailbox' } as const;
      await record.execute([step(to(beta)), step({ ...to(beta), ...stored }), step(to(sister))]);
      await record.execute([step({ ...to(sister), ...stored }), step({ ...to(beta), ...stored })]);
      expect(await rowOf(to(beta))).toMatchObject({ state: 'accepted', steps: [{ step: 'accepted' }] });
      expect(await rowOf(to(sister))).toMatchObject({ state: 'stored' });
    });

    it('goes on for the sender when another partner only claims the domain of the recipient', async () => {
      const { partnerId, partnerRef } = beta;
      const claimed = await made.world.domain({ partnerId, partnerRef, inbound: 'pending' });
      const sent = { queueId: newQueueId(), recipient: `bob@${claimed.name}` };
      await record.execute([step(sent), step({ ...sent, step: 'relayed', at: ago(MINUTE_MS) })]);
      expect(await rowOf(sent)).toMatchObject({ state: 'relayed' });
    });
  });

  it('drops steps of unknown domains and of days that are not kept, and takes the others', async () => {
    const queueId = newQueueId();
    const unknown = step({ queueId, domain: 'nowhere.example' as Domain['name'] });
    const old = step({ queueId, at: ago(7 * DAY_MS) });
    const ahead = step({ queueId, at: ago(-3 * DAY_MS) });
    expect(await record.execute([unknown, old, ahead, step({ queueId })])).toEqual({ taken: 1, dropped: 3 });
    const { unitOfWork, trail } = ports;
    const off = new RecordTrail(unitOfWork, trail, new FixedClock(), { ...OPTIONS, trailDays: 0 });
    expect(await off.execute([step({ queueId: newQueueId() })])).toEqual({ taken: 0, dropped: 1 });
  });

  it('does not add the step of a domain to the row of another one', async () => {
    const queueId = newQueueId();
    await record.execute([step({ queueId })]);
    const foreign = step({ queueId, domain: beta.name, step: 'bounced', at: ago(1) });
    expect(await record.execute([foreign])).toEqual({ taken: 0, dropped: 1 });
    expect(await rowOf({ queueId })).toMatchObject({ domain: acme.name, state: 'accepted' });
  });

  it('takes a thousand steps at once', async () => {
    const steps = Array.from({ length: 1_000 }, (_, index) =>
      step({
        host: 'mx2.example',
        queueId: `M${index % 400}`,
        step: index < 400 ? 'accepted' : 'relayed',
        at: ago(1_000 - index),
      }),
    );
    expect(await record.execute(steps)).toEqual({ taken: 1_000, dropped: 0 });
    expect(await rowOf({ host: 'mx2.example', queueId: 'M399' })).toMatchObject({ state: 'relayed', at: ago(601) });
  });

  it('has one row with all steps when several processes report about the same message', async () => {
    for (let round = 0; round < 5; round += 1) {
      const queueId = newQueueId();
      const reports = Array.from({ length: 8 }, (_, index) => [
        step({ queueId }),
        step({ queueId, step: 'stored', at: ago(MINUTE_MS - index), detail: `${index}` }),
      ]);
      await Promise.all(reports.map((report, index) => (index % 2 === 0 ? record : made.otherRecord).execute(report)));
      expect((await rowOf({ queueId }))?.steps).toHaveLength(9);
      expect(
        await listed({
          domain: acme.name,
          mailbox: `alice@${acme.name}`,
          since: ago(HOUR_MS),
          until: ago(HOUR_MS - 1),
        }),
      ).not.toHaveLength(0);
    }
  });

  describe('what is missing', () => {
    const standing = (scope: PartnerScope = 'all', since = ago(MINUTE_MS)) => ports.trail.readStanding(scope, since);
    const ofPartner = ({ partnerId }: Domain): PartnerScope => ({ partnerId, domainIds: null });
    /** A report of a mail server, of which every fourth message is of `beta`. */
    const report = (host: string, rows: number, at: Date) =>
      Array.from({ length: rows }, () =>
        step({ host, at, queueId: newQueueId(), ...(made.queued % 4 === 0 ? { domain: beta.name } : {}) }),
      );

    it('is told by how far the reports of a mail server are behind, while it reports', async () => {
      const { unitOfWork, trail } = ports;
      await unitOfWork.run(() => trail.forgetHosts(ago(-1)));
      expect((await standing()).behindS).toBe(0);
      await record.execute([step({ host: 'a.example', queueId: newQueueId(), at: ago(75 * SECOND_MS) })]);
      await record.execute([step({ host: 'b.example', queueId: newQueueId(), at: ago(-2 * SECOND_MS) })]);
      expect((await standing(ofPartner(beta))).behindS).toBe(75);
      expect((await standing('all', ago(-1))).behindS).toBe(0);
      await record.execute([step({ host: 'a.example', queueId: newQueueId(), at: ago(3 * SECOND_MS) })]);
      expect((await standing()).behindS).toBe(3);
    });

    it('are the rows of a partner beyond half of a long report, while others wait, and no others', async () => {
      expect(await record.execute(report('late.example', 600, ago(HOUR_MS)))).toEqual({ taken: 450, dropped: 150 });
      expect(await standing(ofPartner(acme))).toMatchObject({ gapsSince: ago(HOUR_MS) });
      expect(await standing(ofPartner(beta))).toMatchObject({ gapsSince: null });
      expect(await record.execute(report('late.example', 600, ago(SECOND_MS)))).toEqual({ taken: 600, dropped: 0 });
      const alone = report('late.example', 600, ago(HOUR_MS)).map((each) => ({ ...each, domain: acme.name }));
      expect(await record.execute(alone)).toEqual({ taken: 600, dropped: 0 });
      await record.execute(report('late.example', 600, ago(2 * HOUR_MS)));
      await record.execute(report('late.example', 600, ago(10 * MINUTE_MS)));
      expect(await standing()).toMatchObject({ gapsSince: ago(2 * HOUR_MS) });
      expect(await ports.trail.forgetGaps(ago(10 * MINUTE_MS))).toBe(0);
      expect(await ports.trail.forgetGaps(ago(9 * MINUTE_MS))).toBe(1);
      expect(await standing()).toMatchObject({ gapsSince: null });
    });

    it('are the rows beyond the rate of a minute, which is that of the messages and not of the reports', async () => {
      const { unitOfWork, trail } = ports;
      let lost = 0;
      const trailRowsLost = (rows: number) => {
        lost += rows;
      };
      const meters = Object.assign(new SilentMeters(), { trailRowsLost });
      const few = new RecordTrail(unitOfWork, trail, new FixedClock(), { ...OPTIONS, rowsPerSecond: 2 }, meters);
      const minute = new Date(Math.floor(ago(3 * HOUR_MS).getTime() / MINUTE_MS) * MINUTE_MS);
      const first = report('few.example', 120, minute);
      const more = report('few.example', 30, new Date(minute.getTime() + 59_999));
      expect(await few.execute(first)).toEqual({ taken: 120, dropped: 0 });
      expect(await few.execute(more)).toEqual({ taken: 0, dropped: 30 });
      expect(await few.execute([...first, ...more])).toEqual({ taken: 120, dropped: 30 });
      expect(lost).toBe(60);
      expect(await few.execute(report('few.example', 120, ago(2 * HOUR_MS)))).toEqual({ taken: 120, dropped: 0 });
    });

    it('are none because a report failed and was repeated', async () => {
      const { unitOfWork, trail } = ports;
      const few = new RecordTrail(unitOfWork, trail, new FixedClock(), { ...OPTIONS, rowsPerSecond: 2 });
      const again = report('again.example', 120, ago(4 * HOUR_MS));
      Object.assign(trail, { save: () => Promise.reject(new Error('the disk is full')) });
      await expect(few.execute(again)).rejects.toThrow('the disk is full');
      Reflect.deleteProperty(trail, 'save');
      expect(await few.execute(again)).toEqual({ taken: 120, dropped: 0 });
    });
  });
}
