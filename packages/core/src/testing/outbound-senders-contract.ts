import { DAY_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { systemActor } from '../operators/actor.js';
import { PreviewOutbound } from '../outbound/preview-outbound.js';
import type { PartnerRef } from '../partners/partner.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';

const ACTOR = systemActor('test');

/**
 * The guarantees of the daily limit of a mailbox, which counts what it sent through all domains.
 *
 * @param open returns the ports of one process; two calls return two processes on the same database.
 */
export function outboundSendersContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;
  let other: OutboundWorld;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
    other = new OutboundWorld(await open());
  });

  beforeEach(() => {
    for (const each of [world, other]) each.clock.set(new Date('2026-03-15T12:00:00.000Z'));
  });

  /** A mailbox with a limit, its domain, and a second domain of the same partner. */
  async function sender(limit: number) {
    const [own, second] = [await world.domain(), await world.domain()];
    const { email } = await world.mailbox(own, 'anna', limit);
    return { own, second, email };
  }

  async function headroom(domain: Domain, email: string): Promise<number | null | undefined> {
    const preview = new PreviewOutbound(world.ports.ledger, world.ports.suppressions, world.clock, new RestoreGate());
    const none = { recipient: null, recipientDomain: null, address: null };
    const query = { domain: domain.name, sender: email, session: null, ...none, forwarded: false };
    return (await preview.execute([query]))[0]?.headroom;
  }

  describe('the daily limit of a mailbox', () => {
    it('counts what it sent through all domains', async () => {
      const { own, second, email } = await sender(3);
      expect(await world.send(own, { sender: email, count: 2 })).toMatchObject({ allowed: true });
      expect(await world.send(second, { sender: email, count: 2 })).toMatchObject({ reason: 'mailbox_limit' });
      expect(await world.send(second, { sender: email })).toMatchObject({ allowed: true });
      expect(await world.send(second, { sender: email })).toMatchObject({ reason: 'mailbox_limit' });
      expect(await world.send(own, { sender: email })).toMatchObject({ reason: 'mailbox_limit' });
    });

    it('counts what it sent through domains of another partner', async () => {
      const { own, email } = await sender(3);
      const { partners, unitOfWork } = world.ports;
      const partner = await unitOfWork.run(() => partners.lockOrCreate('other' as PartnerRef));
      const foreign = await world.domain({ partnerId: partner.id, partnerRef: partner.ref });
      await world.send(foreign, { sender: email, count: 2 });
      expect(await world.send(foreign, { sender: email, count: 2 })).toMatchObject({ reason: 'mailbox_limit' });
      expect(await world.send(own, { sender: email, count: 2 })).toMatchObject({ reason: 'mailbox_limit' });
      expect(await world.send(own, { sender: email })).toMatchObject({ allowed: true });
    });

    it('counts in order over the domains of one batch', async () => {
      const { own, second, email } = await sender(5);
      const items = [own, second, second, own, second].map((domain, index) =>
        anIncrement(domain, { sender: email, count: [2, 2, 2, 1, 1][index] ?? 0 }),
      );
      const answers = await world.countOutbound.executeAll(items);
      expect(answers.map((answer) => 'allowed' in answer && answer.allowed)).toEqual([true, true, false, true, false]);
    });

    it('lets exactly as many messages pass when two processes count through two domains at once', async () => {
      const { own, second, email } = await sender(20);
      const sent = await Promise.all(
        Array.from({ length: 60 }, (_, index) => {
          const process = index % 2 === 0 ? world : other;
          return process.send(index % 3 === 0 ? own : second, { sender: email });
        }),
      );
      expect(sent.filter(({ allowed }) => allowed)).toHaveLength(20);
    });

    it('counts mail that was already sent, and a repeated id once; forwarded mail is not counted', async () => {
      const { own, second, email } = await sender(3);
      await world.send(second, { sender: email, count: 2, alreadySent: true, id: 'a' });
      await world.send(second, { sender: email, count: 2, alreadySent: true, id: 'a' });
      await world.send(second, { count: 2, forwarded: true });
      expect(await headroom(own, email)).toBe(1);
      await world.send(second, { sender: email, count: 9, alreadySent: true });
      expect(await world.send(own, { sender: email })).toMatchObject({ reason: 'mailbox_limit' });
    });

    it('begins anew with each day and each daily reset', async () => {
      const { own, second, email } = await sender(3);
      const exhaust = async () => {
        await world.send(own, { sender: email });
        await world.send(second, { sender: email, count: 2 });
        expect(await world.send(own, { sender: email })).toMatchObject({ reason: 'mailbox_limit' });
      };
      await exhaust();
      await world.resetDaily.execute(ACTOR);
      await exhaust();
      world.clock.advance(DAY_MS);
      await exhaust();
    });

    it('is what a preview leaves, whichever domain it is for', async () => {
      const { own, second, email } = await sender(10);
      await world.send(own, { sender: email, count: 3 });
      await world.send(second, { sender: email, count: 4 });
      expect(await headroom(own, email)).toBe(3);
      expect(await headroom(second, email)).toBe(3);
    });

    it('counts what was sent before the limit was set, and through a domain that was deleted since', async () => {
      const { own, second, email } = await sender(0);
      await world.send(second, { sender: email, count: 2 });
      await world.delete(second);
      const mailbox = await world.ports.mailboxes.find('all', email);
      if (mailbox === null) throw new Error('The mailbox is missing');
      mailbox.outboundDailyLimit = 3;
      await world.ports.unitOfWork.run(() => world.ports.mailboxes.save(mailbox));
      expect(await headroom(own, email)).toBe(1);
    });
  });

  it('the senders of a domain are listed with what they sent today through this domain', async () => {
    const { own, second, email } = await sender(9);
    await world.send(second, { sender: email, count: 2 });
    expect(await world.senders(own)).toEqual([]);
    await world.send(own, { sender: email, count: 3 });
    expect(await world.senders(own)).toEqual([{ sender: email, sentToday: 3, outboundDailyLimit: 9 }]);
    expect(await world.senders(second)).toEqual([{ sender: email, sentToday: 2, outboundDailyLimit: 9 }]);
  });

  it('the senders of a domain are listed, highest count first, to a partner without those of domains of others', async () => {
    const { own, second } = await sender(9);
    const { partners, unitOfWork, reader } = world.ports;
    const stranger = await unitOfWork.run(() => partners.lockOrCreate('stranger' as PartnerRef));
    const foreign = await world.domain({ partnerId: stranger.id, partnerRef: stranger.ref });
    const names = [`b@${own.name}`, `a@${own.name}`, `c@${second.name}`, `d@${foreign.name}`, 'no-address'];
    for (const [index, name] of names.entries()) await world.send(own, { sender: name, count: index < 2 ? 1 : index });
    const listed = async (domainIds: readonly number[] | null, partnerId = own.partnerId, from = 0) =>
      (await reader.senders(own.id, { partnerId, domainIds }, { from, limit: 9 }, world.clock.now())).map(
        ({ sender: name }) => name,
      );
    const [b, a, c, d, none] = names;
    expect((await world.senders(own)).map(({ sender: name }) => name)).toEqual([none, d, c, a, b]);
    expect(await listed(null)).toEqual([none, c, a, b]);
    expect(await listed(null, own.partnerId, 2)).toEqual([a, b]);
    expect(await listed([own.id])).toEqual([a, b]);
    expect(await listed([])).toEqual([]);
    expect(await listed(null, stranger.id)).toEqual([none, d]);
  });

  describe('the read receipts of a mailbox', () => {
    const RECEIPT = { count: 1, receipt: true };
    const passed = (answers: readonly { allowed: boolean }[]) => answers.filter(({ allowed }) => allowed).length;

    it('are 50 a day through all domains, in one batch, and the rest of its mail goes on', async () => {
      const { own, second, email } = await sender(0);
      const items = Array.from({ length: 52 }, (_, index) =>
        anIncrement(index % 3 === 0 ? own : second, { sender: email, ...RECEIPT }),
      );
      const answers = await world.countOutbound.executeAll(items);
      expect(passed(answers.filter((answer) => 'allowed' in answer))).toBe(50);
      expect(answers.slice(50)).toMatchObject(
        Array.from({ length: 2 }, () => ({ action: 'defer', reason: 'mailbox_limit' })),
      );
      expect(await world.send(own, { sender: email })).toMatchObject({ allowed: true });
    });

    it('are exactly 50 when two processes count them through two domains at once', async () => {
      const { own, second, email } = await sender(0);
      const sent = await Promise.all(
        Array.from({ length: 70 }, (_, index) => {
          const process = index % 2 === 0 ? world : other;
          return process.send(index % 3 === 0 ? own : second, { sender: email, ...RECEIPT });
        }),
      );
      expect(passed(sent)).toBe(50);
    });

    it('count as messages of the domain and of the mailbox too', async () => {
      const { own, email } = await sender(2);
      expect(await world.send(own, { sender: email, ...RECEIPT })).toMatchObject({ allowed: true, sentToday: 1 });
      expect(await world.send(own, { sender: email })).toMatchObject({ allowed: true, sentToday: 2 });
      expect(await world.send(own, { sender: email, ...RECEIPT })).toMatchObject({ reason: 'mailbox_limit' });
    });

    it('are counted anew on the next day, and after a reset of the day', async () => {
      const { own, email } = await sender(0);
      const send = () => world.send(own, { sender: email, ...RECEIPT });
      const sendAll = async () => {
        const items = Array.from({ length: 50 }, () => anIncrement(own, { sender: email, ...RECEIPT }));
        expect(await world.countOutbound.executeAll(items)).toMatchObject(items.map(() => ({ allowed: true })));
      };
      await sendAll();
      expect(await send()).toMatchObject({ allowed: false });
      world.clock.set(new Date(world.clock.now().getTime() + DAY_MS));
      await sendAll();
      expect(await send()).toMatchObject({ allowed: false });
      await world.resetDaily.execute(ACTOR);
      expect(await send()).toMatchObject({ allowed: true });
    });

    it('that are more than one recipient, or of a sender without a mailbox, are refused and not counted', async () => {
      const { own, email } = await sender(0);
      expect(await world.send(own, { sender: email, receipt: true, count: 2 })).toMatchObject({
        action: 'reject',
        reason: 'message_exceeds_limit',
        sentToday: 0,
      });
      expect(await world.send(own, { sender: `nobody@${own.name}`, ...RECEIPT })).toMatchObject({
        reason: 'mailbox_limit',
        sentToday: 0,
      });
    });
  });
}
