import { describeStack } from './testing/describe-stack.js';
import { leaks, noticesIn } from './testing/notices.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

describeStack('held and released mail', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start({ environment: { TRANSFER_CAP_SCOPE: 'both' } });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  beforeEach(() => {
    stack.policy.requests.length = 0;
    stack.policy.answer = () => 'DUNNO';
  });

  describe('a suspended domain', () => {
    const alias = 'tosue@acme.test';

    beforeAll(async () => {
      await addDomain(stack.acme, 'susp.test');
      await addDomain(stack.acme, 'sub.susp.test');
      await addMailboxes(stack.acme, 'sue@susp.test', 'sam@sub.susp.test');
      await addAlias(stack.acme, alias, 'sue@susp.test');
      await stack.receive({ to: 'sue@susp.test', subject: 'before' });
      await stack.rig.arrival('sue@susp.test', 'before');
      await stack.acme.put('/domains/susp.test/suspend');
    });

    it('is deferred at RCPT; other recipients and its subdomain are accepted', async () => {
      const client = await stack.rig.stranger();
      const { recipients } = await client.send({
        from: OUTSIDE,
        to: ['sue@susp.test', 'alice@acme.test', 'sam@sub.susp.test'],
      });
      await client.quit();
      expect(recipients.map(({ code }) => code)).toEqual([450, 250, 250]);
      expect(recipients[0]?.text).toContain('suspended');
    });

    it('allows no login, sends nothing, and keeps its mail', async () => {
      expect(await stack.login('sue@susp.test', PASSWORD)).toContain('Domain suspended');
      expect(await stack.submit('sue@susp.test', { from: 'sue@susp.test', to: OUTSIDE })).toMatchObject({ code: 450 });
      expect(await stack.rig.inbox('sue@susp.test')).toEqual(['before']);
    });

    it('keeps its inbound mail in the queue until every cause of its suspension is lifted', async () => {
      await stack.receive({ to: alias, subject: 'waited' });
      await stack.rig.deferral('sue@susp.test', 'suspended');
      await stack.platform.master.put('/domains/susp.test/suspend', { cause: 'billing' });
      expect(await stack.acme.put('/domains/susp.test/activate')).toMatchObject({
        status: 'suspended',
        suspension_causes: ['billing'],
      });
      expect(await stack.receive({ to: 'sue@susp.test' })).toMatchObject({ code: 450 });
      expect(await stack.login('sue@susp.test', PASSWORD)).toContain('Domain suspended');
      await stack.platform.master.put('/domains/susp.test/activate', { cause: 'billing' });
      expect(await stack.receive({ to: 'sue@susp.test', subject: 'after' })).toMatchObject({ code: 250 });
      await stack.rig.retryQueue();
      await stack.rig.arrival('sue@susp.test', 'waited');
      await stack.rig.arrival('sue@susp.test', 'after');
      expect(await stack.rig.inbox('sue@susp.test')).toContain('before');
      expect(await stack.login('sue@susp.test', PASSWORD)).toBe('OK');
    });
  });

  /** Creates a domain with the sender's mailbox, puts a message of it into Postfix's queue, and blocks the domain. */
  async function blockWithQueuedMail(
    name: string,
    message: { from: string; to: string; subject: string },
  ): Promise<void> {
    await addDomain(stack.acme, name);
    await addMailboxes(stack.acme, message.from);
    stack.rig.relays[0].mode = 'throttle';
    await stack.submit(message.from, message);
    await stack.rig.deferral(message.to, 'Throttling');
    stack.rig.relays[0].mode = 'accept';
    await stack.platform.master.put(`/domains/${name}/outbound`, { outbound_status: 'blocked' });
  }

  describe('a domain that may not send', () => {
    const far = 'far@elsewhere.test';

    beforeAll(async () => {
      await blockWithQueuedMail('held.test', { from: 'hal@held.test', to: far, subject: 'held' });
    });

    it('is refused with the policy daemon’s reason, and for now when that has none', async () => {
      stack.policy.answer = () => '550 5.7.1 Too many messages bounced';
      const message = { from: 'hal@held.test', to: OUTSIDE };
      expect(await stack.submit('hal@held.test', message)).toMatchObject({
        code: 550,
        text: expect.stringContaining('bounced'),
      });
      stack.policy.answer = () => 'DUNNO';
      expect(await stack.submit('hal@held.test', message)).toMatchObject({
        code: 450,
        text: expect.stringContaining('on hold'),
      });
    });

    it('sends to mailboxes on the platform, also to several of different partners', async () => {
      for (const to of [['alice@acme.test'], ['hal@held.test', 'carol@beta.test']]) {
        const subject = `from a blocked domain to ${to.join(' and ')}`;
        expect(await stack.submit('hal@held.test', { from: 'hal@held.test', to, subject })).toMatchObject({
          code: 250,
        });
        for (const recipient of to) await stack.rig.arrival(recipient, subject);
      }
    });

    it('sends nothing to the outside, also when the policy daemon accepts one recipient of several', async () => {
      const to = [OUTSIDE, 'alice@acme.test'];
      const message = { from: 'hal@held.test', to, subject: 'to inside and outside' };
      expect(await stack.submit('hal@held.test', message)).toMatchObject({ code: 250 });
      await stack.rig.arrival('alice@acme.test', message.subject);
      await stack.rig.deferral(OUTSIDE, 'on hold');
    });

    it('keeps its queued mail in the queue until it may send', async () => {
      await stack.rig.retryQueue();
      await stack.rig.deferral(far, 'on hold');
      await stack.platform.master.put('/domains/held.test/outbound', { outbound_status: 'active' });
      await stack.rig.retryQueue();
      await stack.rig.relays[0].arrival('held');
    });
  });

  it('the queued mail of a blocked domain stays held when its owner deletes the domain', async () => {
    const far = 'far.gone@elsewhere.test';
    await blockWithQueuedMail('gone.test', { from: 'gil@gone.test', to: far, subject: 'held and gone' });
    await stack.acme.delete('/domains/gone.test');
    await stack.rig.retryQueue();
    await stack.rig.deferral(far, 'on hold');
    expect(stack.rig.relays[0].messages.filter(({ text }) => text.includes('held and gone'))).toEqual([]);
  });

  it('new mail to a domain over its transfer cap is deferred when the scope is both, until the cap is raised', async () => {
    await addDomain(stack.acme, 'capped.test');
    await addMailboxes(stack.acme, 'cap@capped.test');
    await stack.platform.master.put('/domains/capped.test/transfer', { transfer_monthly_mb: 1 });
    expect(await stack.receive({ to: 'cap@capped.test' })).toMatchObject({ code: 250 });
    await stack.platform.policy.post('/transfer/increments', {
      items: [{ domain: 'capped.test', bytes: 1_048_576, id: 'a-delivery' }],
    });
    expect(await stack.receive({ to: 'cap@capped.test' })).toMatchObject({
      code: 450,
      text: expect.stringContaining('transfer cap'),
    });
    await stack.platform.master.put('/domains/capped.test/transfer', { transfer_monthly_mb: 2 });
    expect(await stack.receive({ to: 'cap@capped.test' })).toMatchObject({ code: 250 });
  });

  describe('a full mailbox', () => {
    const full = 'full@acme.test';

    it('is deferred at RCPT and at delivery, and receives the mail when its quota is raised', async () => {
      await stack.acme.post('/users/', { email: full, password: PASSWORD, quota_mb: 1 });
      const body = 'x'.repeat(70).concat('\n').repeat(8_500);
      expect(await stack.receive({ to: full, subject: 'first', body })).toMatchObject({ code: 250 });
      await stack.rig.arrival(full, 'first');
      expect(await stack.receive({ to: full, body, size: body.length })).toMatchObject({
        code: 452,
        text: expect.stringContaining('Mailbox is full'),
      });
      expect(await stack.receive({ to: full, subject: 'second', body })).toMatchObject({ code: 250 });
      await stack.rig.deferral(full, '452');
      await stack.acme.put(`/users/${full}/quota`, { quota_mb: 4 });
      await stack.rig.retryQueue();
      await stack.rig.arrival(full, 'second');
      expect(await stack.receive({ to: full, subject: 'third', body, size: body.length })).toMatchObject({ code: 250 });
    });
  });

  describe('a disabled mailbox', () => {
    const disabled = 'dora@acme.test';

    beforeAll(async () => {
      await addMailboxes(stack.acme, disabled);
      await addAlias(stack.acme, '@acme.test', 'bob@acme.test');
      await stack.acme.put(`/users/${disabled}`, { active: false });
    });

    it('receives its mail, and the catch-all does not', async () => {
      expect(await stack.receive({ to: disabled, subject: 'for dora' })).toMatchObject({ code: 250 });
      await stack.rig.arrival(disabled, 'for dora');
      expect(await stack.rig.inbox('bob@acme.test')).not.toContain('for dora');
    });

    it('cannot log in or send, and no other login can send as it', async () => {
      expect(await stack.login(disabled, PASSWORD)).toContain('Mailbox disabled');
      expect(await stack.submit(disabled, { from: disabled, to: OUTSIDE })).toMatchObject({
        code: 554,
        text: expect.stringContaining('disabled'),
      });
      expect((await stack.submit('bob@acme.test', { from: disabled, to: OUTSIDE })).code).toBe(553);
    });
  });

  it('queued mail to a deleted mailbox is bounced, and an outside sender is not told, because its address may be false', async () => {
    await addDomain(stack.acme, 'leaving.test');
    await addMailboxes(stack.acme, 'leo@leaving.test');
    await addAlias(stack.acme, 'toleo@acme.test', 'leo@leaving.test');
    await stack.acme.put('/domains/leaving.test/suspend');
    await stack.receive({ to: 'toleo@acme.test', subject: 'to nobody' });
    await stack.rig.deferral('leo@leaving.test', 'suspended');
    await stack.acme.delete('/users/leo@leaving.test');
    await stack.acme.put('/domains/leaving.test/activate');
    await stack.rig.retryQueue();
    const notices = await until('the bounce to be given up', async () => {
      const made = noticesIn(await stack.rig.logs());
      return made.length > 0 && made.every(({ removed }) => removed) ? made : null;
    });
    expect(leaks(notices)).toEqual([]);
    expect(notices.at(-1)?.fates).toMatchObject([{ original: OUTSIDE, status: 'bounced' }]);
    expect(stack.rig.relays.flatMap(({ messages }) => messages).filter(({ from }) => from === '')).toEqual([]);
  });
});
