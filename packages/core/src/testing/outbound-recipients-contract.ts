import { hash } from 'node:crypto';
import { Alias } from '../aliases/alias.js';
import { DAY_MS } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import type { Address } from '../mailboxes/address.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import { systemActor } from '../operators/actor.js';
import type { Increment } from '../outbound/outbound-batch.js';
import { PreviewOutbound } from '../outbound/preview-outbound.js';
import { parseRecipient } from '../outbound/recipients.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { anIncrement, type OutboundPorts, OutboundWorld } from './outbound-world.js';

/**
 * The guarantees of every outbound ledger for increments with recipients and for forwarded mail. Outside forwarding is
 * switched on.
 *
 * @param open returns the ports of one process.
 */
export function outboundRecipientsContract(open: () => Promise<OutboundPorts>): void {
  let world: OutboundWorld;
  let another: OutboundWorld;
  let previews: PreviewOutbound;

  beforeAll(async () => {
    world = new OutboundWorld(await open());
    another = new OutboundWorld(await open());
    previews = new PreviewOutbound(world.ports.ledger, world.ports.suppressions, world.clock, new RestoreGate());
  });
  beforeEach(() => {
    for (const each of [world, another]) each.clock.set(new Date('2026-03-15T12:00:00.000Z'));
  });

  const hosted = (fields: Partial<Domain> = {}) => world.domain({ inbound: 'open', ...fields });

  /** Creates aliases `local@domain`; an empty local part creates the catch-all. */
  const alias = (domain: Domain, local: string, destinations: readonly string[], mailbox: Mailbox | null = null) =>
    world.ports.unitOfWork.run(async () => {
      for (const destination of destinations) {
        await world.ports.aliases.add(
          Alias.create({
            domainId: domain.id,
            address: `${local}@${domain.name}` as Address,
            destination: destination as Address,
            destinationMailboxId: mailbox?.id ?? null,
            createdAt: world.clock.now(),
          }),
        );
      }
    });
  const outside = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@out.example`);
  const to = (recipients: readonly string[], fields: Partial<Increment> = {}): Partial<Increment> => ({
    count: 0,
    recipients: recipients.map(parseRecipient),
    fingerprint: hash('sha256', recipients.join(' ')).slice(0, 32),
    ...fields,
  });
  const preview = async (domain: Domain, recipient: string, forwarded = false, sender: string | null = null) => {
    const query = {
      domain: domain.name,
      sender,
      recipient: parseRecipient(recipient),
      recipientDomain: null,
      session: null,
      address: null,
      forwarded,
    };
    return (await previews.execute([query]))[0];
  };

  describe('recipients', () => {
    it('of a domain count as inside from the message after it opened until it is deleted, in every process', async () => {
      const domain = await hosted();
      const other = await hosted({ inbound: 'pending' });
      const bob = await world.mailbox(other, 'bob', 0);
      await alias(other, 'team', outside(3));
      const counts = () =>
        Promise.all([world, another].map((each) => each.send(domain, to([bob.email, `team@${other.name}`]))));
      const looks = async () => [
        (await preview(domain, bob.email))?.countsAs,
        (await preview(domain, `team@${other.name}`))?.countsAs,
      ];
      expect(await counts()).toMatchObject([{ count: 2 }, { count: 2 }]);
      expect(await looks()).toEqual([1, 1]);
      await world.ports.unitOfWork.run(() => world.ports.domains.save(Object.assign(other, { inbound: 'open' })));
      expect(await looks()).toEqual([0, 3]);
      expect(await counts()).toMatchObject([{ count: 3 }, { count: 3 }]);
      expect(await counts()).toMatchObject([{ count: 3 }, { count: 3 }]);
      await world.delete(other);
      expect(await counts()).toMatchObject([{ count: 2 }, { count: 2 }]);
      expect(await looks()).toEqual([1, 1]);
    });

    it('are counted as outside recipients, behind aliases too, with the bytes of each copy', async () => {
      const domain = await hosted();
      const bob = await world.mailbox(domain, 'bob', 0);
      await alias(domain, 'team', outside(3));
      await alias(domain, 'team', [bob.email], bob);
      await alias(domain, '', ['rest@out.example', 'rest2@out.example']);
      const recipients = ['x@away.example', `BOB+a@${domain.name}`, `Team+b@${domain.name}`, `nobody@${domain.name}`];
      expect(await world.send(domain, to(recipients, { bytes: 100 }))).toMatchObject({
        allowed: true,
        count: 6,
        sentToday: 6,
      });
      expect(await world.live(domain)).toMatchObject({ sentToday: 6, bytesThisMonth: 600 });
    });

    it('on the platform are not counted, and are accepted unless the domain is suspended', async () => {
      const domain = await hosted({ operatorDailyLimit: 1, outboundStatus: 'blocked' });
      const bob = await world.mailbox(domain, 'bob', 0);
      const mail = to([bob.email], { bytes: 5, id: 'inside', sender: bob.email });
      expect(await world.send(domain, mail)).toMatchObject({ allowed: true, reason: null, count: 0 });
      expect(await world.live(domain)).toMatchObject({ sentToday: 0, bytesThisMonth: 0 });
      expect(await world.senders(domain)).toEqual([]);
      const suspended = await hosted({ suspensionCauses: ['billing'] });
      expect(await world.send(suspended, mail)).toMatchObject({
        action: 'defer',
        reason: 'domain_suspended',
        count: 0,
      });
    });

    it('behind an alias are all counted or none, as the preview returned before', async () => {
      const domain = await hosted({ operatorDailyLimit: 60 });
      await alias(domain, 'list', outside(50));
      const list = `list@${domain.name}`;
      expect(await preview(domain, list)).toMatchObject({
        countsAs: 50,
        headroom: 60,
        verdict: { allowed: true, sentToday: 0 },
      });
      expect(await world.send(domain, to([list]))).toMatchObject({ allowed: true, count: 50 });
      expect(await preview(domain, list)).toMatchObject({ countsAs: 50, headroom: 10 });
      expect(await world.send(domain, to([list]))).toMatchObject({ action: 'defer', reason: 'daily_limit', count: 50 });
      expect(await world.live(domain)).toMatchObject({ sentToday: 50 });
    });

    it('behind aliases are those in the maps of the mail servers: an address with only a hidden alias uses the catch-all', async () => {
      const [own, later] = [await hosted(), await world.domain({ inbound: 'pending' })];
      const eve = await world.mailbox(later, 'eve', 0);
      const asked = async (local: string) => (await preview(own, `${local}@${own.name}`))?.countsAs;
      await alias(own, 'eve', [eve.email], eve);
      await alias(own, 'list', [`list@${later.name}`]);
      await alias(later, 'list', outside(4));
      expect(await preview(own, `list@${later.name}`)).toMatchObject({ countsAs: 1 });
      expect([await asked('eve'), await asked('list')]).toEqual([0, 1]);
      await alias(own, '', outside(2));
      expect([await asked('eve'), await asked('list')]).toEqual([2, 1]);
      await world.ports.unitOfWork.run(() => world.ports.domains.save(Object.assign(later, { inbound: 'open' })));
      expect(await preview(own, `list@${later.name}`)).toMatchObject({ countsAs: 4 });
      expect([await asked('eve'), await asked('list')]).toEqual([0, 2]);
    });

    it('with an id are a repeat even when their alias changed meanwhile, and other recipients under the same id are refused', async () => {
      const domain = await hosted();
      await alias(domain, 'list', outside(3));
      const mail = to([`list@${domain.name}`], { id: 'queue-id' });
      const first = await world.send(domain, mail);
      await alias(domain, 'list', ['one-more@out.example']);
      expect(await world.send(domain, mail)).toMatchObject({ ...first, sentToday: 3 });
      for (const other of [to(['x@out.example'], { id: 'queue-id' }), { id: 'queue-id', count: 3 }]) {
        await expect(world.send(domain, other)).rejects.toMatchObject({ code: 'increment_id_reused' });
      }
      expect(await world.live(domain)).toMatchObject({ sentToday: 3 });
    });

    it('count as at least the given count when their alias was emptied between preview and increment', async () => {
      const domain = await hosted();
      expect(await world.send(domain, to([`gone@${domain.name}`], { count: 50, bytes: 2 }))).toMatchObject({
        count: 50,
      });
      expect(await world.live(domain)).toMatchObject({ sentToday: 50, bytesThisMonth: 100 });
    });

    it('are counted exactly up to the limit when two processes send many messages at once', async () => {
      const domain = await hosted({ operatorDailyLimit: 20 });
      await alias(domain, 'pair', outside(2));
      const mail = () => to([`pair@${domain.name}`, 'x@out.example']);
      const sent = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? world : another).send(domain, mail())),
      );
      expect(sent.filter(({ allowed }) => allowed)).toHaveLength(6);
      expect(await world.live(domain)).toMatchObject({ sentToday: 18 });
    });

    it('may be more in one batch than the parameters of one statement allow', async () => {
      const domain = await hosted({ outboundTier: 'unlimited' });
      await alias(domain, 'pair', outside(2));
      const many = Array.from({ length: 999 }, (_, index) => `r${index}@d${index}.example`);
      const items = Array.from({ length: 40 }, () => anIncrement(domain, to([...many, `pair@${domain.name}`])));
      const answers = await world.countOutbound.executeAll(items);
      expect(answers.at(-1)).toMatchObject({ count: 1_001, sentToday: 40_040 });
    });
  });

  describe('the headroom', () => {
    it('is the smallest remainder of the limits of the domain, the parent and the mailbox, and null when no limit is enforced', async () => {
      const parent = await hosted({ operatorDailyLimit: 9 });
      const own = { operatorDailyLimit: 20, operatorMonthlyLimit: 12, outboundEnforcement: 'enforce' } as const;
      const domain = await hosted({ parentId: parent.id, ...own });
      const bob = await world.mailbox(domain, 'bob', 5);
      await world.send(domain, { count: 2, sender: bob.email });
      expect(await preview(domain, 'x@out.example')).toMatchObject({ headroom: 7, countsAs: 1 });
      expect(await preview(domain, 'x@out.example', false, bob.email)).toMatchObject({ headroom: 3 });
      await world.ports.unitOfWork.run(() =>
        world.ports.domains.save(Object.assign(parent, { outboundEnforcement: 'monitor' })),
      );
      expect(await preview(domain, 'x@out.example')).toMatchObject({ headroom: 10 });
      const monitored = await hosted({ operatorDailyLimit: 1, outboundEnforcement: 'monitor' });
      const free = await hosted({ outboundTier: 'unlimited' });
      for (const each of [monitored, free])
        expect(await preview(each, 'x@out.example')).toMatchObject({ headroom: null });
    });

    it('is 0 while the state of the domain or its transfer cap stops all messages', async () => {
      const blocked = await hosted({ outboundStatus: 'blocked', outboundTier: 'unlimited' });
      const suspended = await hosted({ suspensionCauses: ['partner'] });
      const capped = await hosted({ transferMonthlyMb: 1 });
      await world.send(capped, { bytes: 1_048_576 });
      for (const each of [blocked, suspended, capped])
        expect(await preview(each, 'x@out.example')).toMatchObject({ headroom: 0, verdict: { allowed: false } });
    });

    it('in the answer to a count is what a preview leaves after it, whatever the verdict and for a repeat too', async () => {
      const parent = await hosted({ operatorDailyLimit: 30 });
      const domain = await hosted({ parentId: parent.id, operatorDailyLimit: 20, transferMonthlyMb: 1 });
      const bob = await world.mailbox(domain, 'bob', 9);
      const free = await hosted({ outboundTier: 'unlimited' });
      const both = async (sender: string | null, fields: Partial<Increment> = {}, on = domain) => {
        const { headroom } = await world.send(on, { sender, ...fields });
        return [headroom, (await preview(on, 'x@out.example', fields.forwarded, sender))?.headroom];
      };
      expect(await both(bob.email, { count: 2, id: 'message:1' })).toEqual([7, 7]);
      expect(await both(null, { count: 2 })).toEqual([16, 16]);
      expect(await both(bob.email, { count: 8 })).toEqual([7, 7]);
      expect(await both(bob.email, { count: 3, alreadySent: true })).toEqual([4, 4]);
      expect(await both(bob.email, { count: 2, id: 'message:1' })).toEqual([4, 4]);
      await world.send(parent, { count: 20 });
      expect(await both(bob.email)).toEqual([2, 2]);
      expect(await both(bob.email, to([`bob@${domain.name}`]))).toEqual([2, 2]);
      expect(await both(null, { forwarded: true, count: 5 })).toEqual([15, 15]);
      expect(await both(null, { bytes: 1_048_576 })).toEqual([0, 0]);
      expect(await both(null, { count: 5_000 }, free)).toEqual([null, null]);
    });

    it('in the answers to a batch falls with each item that is counted before', async () => {
      const domain = await hosted({ operatorDailyLimit: 10 });
      const items = [3, 3, 9, 4].map((count) => anIncrement(domain, { count }));
      expect(await world.countOutbound.executeAll(items)).toMatchObject([7, 4, 4, 0].map((headroom) => ({ headroom })));
    });
  });

  describe('forwarded mail', () => {
    it('is counted separately from sent mail, up to the daily limit, also on an unverified domain', async () => {
      const domain = await world.domain({ inbound: 'open', operatorDailyLimit: 5 }, { status: 'pending' });
      await alias(domain, 'list', outside(3));
      const list = `list@${domain.name}`;
      const forward = (id: string) => world.send(domain, to([list], { forwarded: true, id, bytes: 10 }));
      expect(await preview(domain, list, true)).toMatchObject({ countsAs: 3, headroom: 5, verdict: { allowed: true } });
      const first = await forward('f1');
      expect(first).toMatchObject({ allowed: true, count: 3, forwardedToday: 3, sentToday: 0, sentThisMonth: 0 });
      expect(await forward('f1')).toEqual(first);
      expect(await forward('f2')).toMatchObject({ action: 'defer', reason: 'daily_limit', forwardedToday: 3 });
      expect(await preview(domain, list, true)).toMatchObject({ countsAs: 3, headroom: 2 });
      expect(await world.live(domain)).toMatchObject({
        forwardedToday: 3,
        sentToday: 0,
        sentThisMonth: 0,
        bytesThisMonth: 0,
        window: { sent: 0 },
      });
      expect(await world.senders(domain)).toEqual([]);
      world.clock.advance(DAY_MS);
      expect(await world.live(domain)).toMatchObject({ forwardedToday: 0 });
      expect(await forward('f2')).toMatchObject({ allowed: true, forwardedToday: 3 });
    });

    it('does not use the limit of the domain’s own mail, and own mail does not use its limit', async () => {
      const domain = await hosted({ operatorDailyLimit: 2 });
      const forward = () => world.send(domain, to(['x@out.example'], { forwarded: true }));
      for (let round = 0; round < 2; round += 1) {
        expect(await forward()).toMatchObject({ allowed: true });
        expect(await world.send(domain)).toMatchObject({ allowed: true });
      }
      expect(await forward()).toMatchObject({ allowed: false, sentToday: 2, forwardedToday: 2 });
      expect(await world.send(domain)).toMatchObject({ allowed: false });
      expect((await world.live(domain)).window.sent).toBe(2);
    });

    it('is counted on the linked parent too, and is deferred or rejected while a domain is suspended or blocked', async () => {
      const parent = await hosted({ operatorDailyLimit: 1 });
      const child = await hosted({ parentId: parent.id });
      const forward = (domain: Domain) => world.send(domain, to(['x@out.example'], { forwarded: true }));
      expect(await forward(child)).toMatchObject({ allowed: true });
      expect(await forward(child)).toMatchObject({ reason: 'daily_limit', limitedBy: parent.name });
      expect(await world.live(parent)).toMatchObject({ forwardedToday: 1, sentToday: 0 });
      expect(await forward(await hosted({ outboundStatus: 'blocked' }))).toMatchObject({
        action: 'reject',
        reason: 'outbound_blocked',
      });
      expect(await forward(await hosted({ suspensionCauses: ['abuse'] }))).toMatchObject({
        action: 'defer',
        reason: 'domain_suspended',
      });
    });

    it('is accepted and not counted when all of it stays on the platform, whatever the domain may send', async () => {
      for (const state of [{ outboundStatus: 'blocked' as const }, { suspensionCauses: ['abuse' as const] }]) {
        const domain = await hosted(state);
        const bob = await world.mailbox(domain, 'bob', 0);
        const mail = to([bob.email, `nobody@${domain.name}`], { forwarded: true, bytes: 10 });
        expect(await world.send(domain, mail)).toMatchObject({ action: 'accept', reason: null, count: 0 });
        expect(await world.live(domain)).toMatchObject({ forwardedToday: 0, bytesThisMonth: 0 });
      }
    });

    it('is reset with the day, and is not changed when the month is frozen', async () => {
      const domain = await hosted();
      await world.send(domain, { count: 4 });
      await world.send(domain, to(['x@out.example'], { forwarded: true }));
      await world.resetMonthly.execute(systemActor('test'));
      expect(await world.live(domain)).toMatchObject({ forwardedToday: 1, sentToday: 4, sentThisMonth: 0 });
      await world.resetDaily.execute(systemActor('test'));
      expect(await world.live(domain)).toMatchObject({ forwardedToday: 0, sentToday: 0, window: { sent: 4 } });
      await world.send(domain, to(['x@out.example'], { forwarded: true }));
      expect(await world.live(domain)).toMatchObject({ forwardedToday: 1, sentToday: 0, window: { sent: 4 } });
      expect(await world.history(domain)).toMatchObject([{ sent: 4 }]);
    });
  });
}
