import { DAY_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { systemActor } from '../operators/actor.js';
import { CountTransfer } from '../outbound/count-transfer.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';

const ACTOR = systemActor('test');

/**
 * The guarantees of every outbound ledger and its reader.
 *
 * @param open returns the ports of one process.
 */
export function outboundLedgerContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
  });

  beforeEach(() => world.clock.set(new Date('2026-03-15T12:00:00.000Z')));

  describe('increments', () => {
    it('count messages and bytes, and return the counters after the change', async () => {
      const domain = await world.domain();
      await world.send(domain, { count: 3, bytes: 1_000 });
      expect(await world.send(domain, { count: 2, bytes: 500 })).toMatchObject({
        name: domain.name,
        allowed: true,
        reason: null,
        sentToday: 5,
        sentThisMonth: 5,
        dailyLimit: 200,
        monthlyLimit: 3_000,
        verified: true,
      });
      expect(await world.live(domain)).toMatchObject({ sentToday: 5, sentThisMonth: 5, bytesThisMonth: 1_500 });
    });

    it('of an unknown domain are refused without affecting the others', async () => {
      const domain = await world.domain();
      const unknown = { name: 'unknown.example' as DomainName };
      await expect(world.send(unknown)).rejects.toMatchObject({ code: 'domain_not_found' });
      expect(await world.countOutbound.executeAll([anIncrement(unknown), anIncrement(domain)])).toEqual([
        { refused: 'domain_not_found' },
        expect.objectContaining({ allowed: true, sentToday: 1 }),
      ]);
    });

    it('are counted completely or not at all', async () => {
      const domain = await world.domain({ operatorDailyLimit: 10 });
      await world.send(domain, { count: 7 });
      expect(await world.send(domain, { count: 4 })).toMatchObject({
        allowed: false,
        reason: 'daily_limit',
        sentToday: 7,
      });
      expect(await world.send(domain, { count: 3 })).toMatchObject({ allowed: true, sentToday: 10 });
    });

    it('are decided in order inside a batch', async () => {
      const domain = await world.domain({ operatorDailyLimit: 5 });
      const counts = [3, 3, 2, 1];
      const answers = await world.countOutbound.executeAll(counts.map((count) => anIncrement(domain, { count })));
      expect(answers.map((answer) => 'allowed' in answer && answer.allowed)).toEqual([true, false, true, false]);
    });

    it('that were already sent are counted whatever the verdict', async () => {
      const domain = await world.domain({ operatorDailyLimit: 1, outboundStatus: 'blocked' });
      expect(await world.send(domain, { count: 9, alreadySent: true })).toMatchObject({
        allowed: false,
        action: 'reject',
        reason: 'outbound_blocked',
        sentToday: 9,
      });
    });

    it('of a monitored domain above its limit are accepted, are counted, and name the reason', async () => {
      const domain = await world.domain({ operatorDailyLimit: 1, outboundEnforcement: 'monitor' });
      await world.send(domain);
      expect(await world.send(domain)).toMatchObject({ allowed: true, reason: 'daily_limit', sentToday: 2 });
    });

    it('with an id are counted once, and return the same outcome again for 24 hours', async () => {
      const domain = await world.domain();
      const first = await world.send(domain, { count: 2, id: 'Ünique-1' });
      await world.send(domain);
      // Another message was counted in between.
      expect(await world.send(domain, { count: 2, id: 'Ünique-1' })).toEqual({ ...first, headroom: 197 });
      await expect(world.send(domain, { count: 3, id: 'Ünique-1' })).rejects.toMatchObject({
        code: 'increment_id_reused',
      });
      expect(await world.send(domain, { count: 2, id: 'ünique-1' })).toMatchObject({ sentToday: 5 });
      expect(await world.live(domain)).toMatchObject({ sentToday: 5 });
      world.clock.advance(DAY_MS);
      expect(await world.send(domain, { count: 4, id: 'Ünique-1' })).toMatchObject({ sentToday: 4, sentThisMonth: 9 });
    });

    it('with an id twice in one batch are counted once; another domain may use the same id', async () => {
      const [one, two] = [await world.domain(), await world.domain()];
      const answers = await world.countOutbound.executeAll([
        anIncrement(one, { id: 'a', count: 2 }),
        anIncrement(one, { id: 'a', count: 2 }),
        anIncrement(one, { id: 'a', count: 3 }),
        anIncrement(two, { id: 'a', count: 5 }),
      ]);
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual({ refused: 'increment_id_reused' });
      expect(await world.live(one)).toMatchObject({ sentToday: 2 });
      expect(await world.live(two)).toMatchObject({ sentToday: 5 });
    });

    it('that were deferred do not use up their id', async () => {
      const domain = await world.domain({ operatorDailyLimit: 1 });
      await world.send(domain);
      expect(await world.send(domain, { id: 'later' })).toMatchObject({ allowed: false });
      world.clock.advance(DAY_MS / 2);
      expect(await world.send(domain, { id: 'later' })).toMatchObject({ allowed: true, sentToday: 1 });
    });

    it('are limited by the daily limit of the sending mailbox, and every sender is listed', async () => {
      const domain = await world.domain();
      const { email } = await world.mailbox(domain, 'anna', 3);
      const elsewhere = await world.domain();
      const foreign = await world.mailbox(elsewhere, 'eve', 1);
      await world.send(domain, { sender: email, count: 2 });
      expect(await world.send(domain, { sender: email, count: 2 })).toMatchObject({
        allowed: false,
        reason: 'mailbox_limit',
      });
      expect(await world.send(domain, { sender: email })).toMatchObject({ allowed: true });
      await world.send(domain, { sender: 'nobody@nowhere.example', count: 9 });
      await world.send(domain, { sender: foreign.email });
      expect(await world.send(domain)).toMatchObject({ sentToday: 14 });
      expect(await world.senders(domain)).toEqual([
        { sender: 'nobody@nowhere.example', sentToday: 9, outboundDailyLimit: null },
        { sender: email, sentToday: 3, outboundDailyLimit: 3 },
        { sender: foreign.email, sentToday: 1, outboundDailyLimit: 1 },
      ]);
      world.clock.advance(DAY_MS);
      expect(await world.senders(domain)).toEqual([]);
      expect(await world.send(domain, { sender: email, count: 3 })).toMatchObject({ allowed: true });
    });

    it('are counted on the linked parent too, whose limit applies to all its children together', async () => {
      const parent = await world.domain({ operatorDailyLimit: 3 });
      const [one, two] = [await world.domain({ parentId: parent.id }), await world.domain({ parentId: parent.id })];
      await world.send(one, { count: 2, bytes: 100 });
      expect(await world.send(two, { count: 2 })).toMatchObject({
        allowed: false,
        reason: 'daily_limit',
        limitedBy: parent.name,
        sentToday: 0,
      });
      await world.send(two);
      expect(await world.live(parent)).toMatchObject({ sentToday: 3, sentThisMonth: 3, bytesThisMonth: 0 });
      expect(await world.live(one)).toMatchObject({ sentToday: 2, bytesThisMonth: 100 });
      expect((await world.live(parent)).window.sent).toBe(3);
    });

    it('are counted on the current domain of the name and on its current parent', async () => {
      const [former, parent] = [await world.domain(), await world.domain({ operatorDailyLimit: 5 })];
      await world.send(former, { count: 2 });
      const { domains, unitOfWork } = world.ports;
      await world.delete(former);
      await expect(world.send(former)).rejects.toMatchObject({ code: 'domain_not_found' });
      const domain = await world.domain({ name: former.name });
      expect(await world.send(domain, { id: 'first' })).toMatchObject({ allowed: true, sentToday: 1 });
      domain.parentId = parent.id;
      await unitOfWork.run(() => domains.save(domain));
      expect(await world.send(domain, { count: 5 })).toMatchObject({ allowed: true, sentToday: 6 });
      expect(await world.send(domain)).toMatchObject({ allowed: false, limitedBy: parent.name });
      expect(await world.live(parent)).toMatchObject({ sentToday: 5 });
      expect(await world.live(former)).toMatchObject({ sentToday: 2 });
    });

    it('need a verification of the domain or of its parent; they are deferred when it was lost less than 72 hours ago', async () => {
      const lostAt = new Date(world.clock.now().getTime() - 71 * 3_600_000);
      const parent = await world.domain();
      const child = await world.domain({ parentId: parent.id }, { status: 'pending' });
      const alone = await world.domain({}, { status: 'pending' });
      const lost = await world.domain({}, { status: 'failed', lostAt });
      expect(await world.send(child)).toMatchObject({ allowed: true, verified: true });
      expect(await world.send(alone)).toMatchObject({ action: 'reject', reason: 'not_verified', verified: false });
      expect(await world.send(lost)).toMatchObject({ action: 'defer', reason: 'not_verified' });
      world.clock.advance(2 * 3_600_000);
      expect(await world.send(lost)).toMatchObject({ action: 'reject', reason: 'not_verified' });
    });

    it('use a change of the tier at once', async () => {
      const domain = await world.domain({ outboundTier: 'standard' });
      await world.ports.tiers.set('standard', { dailyLimit: 1, monthlyLimit: 0 });
      expect(await world.send(domain, { count: 2 })).toMatchObject({
        reason: 'message_exceeds_limit',
        monthlyLimit: 0,
      });
      await world.ports.tiers.set('standard', { dailyLimit: 2_000, monthlyLimit: 40_000 });
      expect(await world.send(domain, { count: 2 })).toMatchObject({ allowed: true, dailyLimit: 2_000 });
    });

    it('notify operators once at 80 % and once at 100 %', async () => {
      const domain = await world.domain({ operatorDailyLimit: 10 });
      for (let sent = 0; sent < 12; sent += 1) await world.send(domain);
      const notified = world.notifier.noted.filter((note) => note.domain === domain.name);
      expect(notified.map(({ data }) => [data.limit, data.percent, data.used])).toEqual([
        ['daily', 80, 8],
        ['daily', 100, 10],
      ]);
    });
  });

  describe('transfer', () => {
    it('is counted once per id, and outbound mail is deferred at the cap', async () => {
      const { unitOfWork, ledger } = world.ports;
      const transfer = new CountTransfer(unitOfWork, ledger, world.announceLimits, world.clock, new RestoreGate());
      const domain = await world.domain({ transferMonthlyMb: 1 });
      const item = { domain: domain.name, sender: null, id: 'x', bytes: 1_000_000, direction: 'in' } as const;
      const unknown = { ...item, domain: 'unknown.example' as DomainName };
      expect(await transfer.execute([item, item, unknown, { ...item, bytes: 1 }])).toEqual([
        { name: domain.name, bytes: 1_000_000, bytesThisMonth: 1_000_000 },
        { name: domain.name, bytes: 1_000_000, bytesThisMonth: 1_000_000 },
        { refused: 'domain_not_found' },
        { refused: 'increment_id_reused' },
      ]);
      const out = { ...item, id: 'y', bytes: 8_000, direction: 'out' } as const;
      expect(await transfer.execute([out, out])).toMatchObject([
        { bytesThisMonth: 1_008_000 },
        { bytesThisMonth: 1_008_000 },
      ]);
      expect(await world.send(domain, { bytes: 40_576 })).toMatchObject({ allowed: true });
      expect(await world.live(domain)).toMatchObject({ bytesThisMonth: 1_048_576, bytesInThisMonth: 1_000_000 });
      expect(await world.send(domain)).toMatchObject({ action: 'defer', reason: 'transfer_limit' });
    });
  });

  describe('bounces', () => {
    it('are counted on the domain, its parent and the day of the message, inside the window only', async () => {
      const createdAt = new Date(0);
      const parent = await world.domain({ createdAt });
      const domain = await world.domain({ createdAt, parentId: parent.id });
      await world.send(domain, { count: 100 });
      const now = world.clock.now();
      const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
      const window = await world.ports.unitOfWork.run(() =>
        world.ports.ledger.countBounces(
          domain.id,
          [
            { kind: 'bounce', sentAt: now },
            { kind: 'bounce', sentAt: daysAgo(29) },
            { kind: 'bounce', sentAt: daysAgo(30) },
            { kind: 'complaint', sentAt: now },
          ],
          now,
        ),
      );
      const counts = { sent: 100, bounces: 2, complaints: 1 };
      expect(window).toEqual({
        domainId: domain.id,
        ...counts,
        parent: { domainId: parent.id, ...counts, parent: null },
      });
      world.clock.advance(DAY_MS);
      expect((await world.live(domain)).window).toEqual({ sent: 100, bounces: 1, complaints: 1 });
      await world.resetMonthly.execute(ACTOR);
      expect(await world.history(domain)).toMatchObject([{ sent: 100, bounces: 3, complaints: 1 }]);
    });

    it('are compared with the messages sent on all days of the window, also after resets', async () => {
      const { unitOfWork, ledger, domains } = world.ports;
      const domain = await world.domain();
      const sent = async () => (await world.live(domain)).window.sent;
      await world.send(domain, { count: 5 });
      await world.resetDaily.execute(ACTOR);
      expect(await sent()).toBe(5);
      await world.send(domain, { count: 7 });
      expect(await sent()).toBe(12);
      world.clock.advance(DAY_MS);
      await world.send(domain, { count: 11 });
      await world.resetMonthly.execute(ACTOR);
      expect(await sent()).toBe(23);
      world.clock.advance(29 * DAY_MS);
      expect(await sent()).toBe(11);
      await world.send(domain, { count: 2 });
      await world.resetDaily.execute(ACTOR);
      await world.send(domain, { count: 3 });
      await unitOfWork.run(async () => {
        domain.unblock(world.clock.now());
        await domains.save(domain);
        await ledger.restartBounceWindow(domain.id, world.clock.now());
      });
      expect(await sent()).toBe(0);
      await world.send(domain, { count: 1 });
      await world.resetDaily.execute(ACTOR);
      await world.send(domain, { count: 4 });
      expect(await sent()).toBe(5);
      world.clock.advance(DAY_MS);
      await world.send(domain, { count: 6 });
      expect(await sent()).toBe(11);
    });

    it('of messages sent before the row of the domain or of its parent existed are not counted on that row', async () => {
      const { unitOfWork, ledger } = world.ports;
      const now = world.clock.now();
      const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
      const parent = await world.domain({ createdAt: ago(10) });
      const domain = await world.domain({ parentId: parent.id, createdAt: ago(20) });
      const events = [30, 15, 5].map((minutes) => ({ kind: 'bounce' as const, sentAt: ago(minutes) }));
      const window = await unitOfWork.run(() => ledger.countBounces(domain.id, events, now));
      expect(window).toMatchObject({ bounces: 2, parent: { bounces: 1 } });
      await world.resetMonthly.execute(ACTOR);
      expect(await world.history(domain)).toMatchObject([{ bounces: 2 }]);
      expect(await world.history(parent)).toMatchObject([{ bounces: 1 }]);
    });

    it('of messages sent before the last unblock are no longer counted', async () => {
      const { unitOfWork, ledger, domains } = world.ports;
      const domain = await world.domain();
      await world.send(domain, { count: 50 });
      const before = world.clock.now();
      const bounce = (sentAt: Date) =>
        unitOfWork.run(() => ledger.countBounces(domain.id, [{ kind: 'bounce', sentAt }], world.clock.now()));
      expect(await bounce(before)).toMatchObject({ sent: 50, bounces: 1 });
      world.clock.advance(60_000);
      await unitOfWork.run(async () => {
        domain.unblock(world.clock.now());
        await domains.save(domain);
        await ledger.restartBounceWindow(domain.id, world.clock.now());
      });
      expect((await world.live(domain)).window).toEqual({ sent: 0, bounces: 0, complaints: 0 });
      expect(await bounce(before)).toMatchObject({ sent: 0, bounces: 0 });
      await world.send(domain, { count: 10 });
      expect(await bounce(world.clock.now())).toMatchObject({ sent: 10, bounces: 1 });
    });
  });
}
