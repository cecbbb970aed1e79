import { mailServersUnavailable } from './testing/mail-packages.js';
import { runProgram } from './testing/run-program.js';
import { PASSWORD } from './testing/scratch-platform.js';
import { OUTSIDE, ScratchStack } from './testing/scratch-stack.js';
import { until } from './testing/until.js';

const unavailable = await mailServersUnavailable();
if (unavailable !== null && process.env.CI === 'true') {
  throw new Error(`The mail servers cannot be tested: ${unavailable}.`);
}
const describeStack = unavailable === null ? describe : describe.skip;

describeStack(`what holds mail back, and lets it go${unavailable === null ? '' : ` (skipped: ${unavailable})`}`, () => {
  let stack: ScratchStack;

  beforeAll(async () => {
    stack = await ScratchStack.start();
  }, 60_000);

  afterAll(async () => {
    await stack?.stop();
  }, 20_000);

  beforeEach(() => {
    stack.policy.requests.length = 0;
    stack.policy.answer = () => 'DUNNO';
  });

  describe('a suspended domain', () => {
    const alias = 'tosue@acme.test';

    beforeAll(async () => {
      await stack.platform.addDomain('susp.test');
      await stack.platform.addDomain('sub.susp.test');
      await stack.platform.addMailbox('sue@susp.test');
      await stack.platform.addMailbox('sam@sub.susp.test');
      await stack.platform.addAlias(alias, 'sue@susp.test');
      await stack.receive({ to: 'sue@susp.test', subject: 'before' });
      await stack.rig.arrival('sue@susp.test', 'before');
      await stack.platform.setSuspended('susp.test', true);
    });

    it('is refused for now at RCPT, alone among the recipients, and its subdomain is not', async () => {
      const client = await stack.rig.stranger();
      const { recipients } = await client.send({
        from: OUTSIDE,
        to: ['sue@susp.test', 'alice@acme.test', 'sam@sub.susp.test'],
      });
      await client.quit();
      expect(recipients.map(({ code }) => code)).toEqual([450, 250, 250]);
      expect(recipients[0]?.text).toContain('suspended');
    });

    it('logs nobody in, sends nothing, and keeps its mail', async () => {
      expect(await stack.login('sue@susp.test', PASSWORD)).toContain('Domain suspended');
      expect(await stack.submit('sue@susp.test', { from: 'sue@susp.test', to: OUTSIDE })).toMatchObject({ code: 450 });
      expect(await stack.rig.inbox('sue@susp.test')).toEqual(['before']);
    });

    it('has its queued mail wait, and gets it when activated', async () => {
      await stack.receive({ to: alias, subject: 'waited' });
      await stack.rig.deferral('sue@susp.test', 'suspended');
      await stack.platform.setSuspended('susp.test', false);
      await stack.rig.retryQueue();
      await stack.rig.arrival('sue@susp.test', 'waited');
      expect(await stack.login('sue@susp.test', PASSWORD)).toBe('OK');
    });
  });

  describe('a domain that may not send', () => {
    const far = 'far@elsewhere.test';

    beforeAll(async () => {
      await stack.platform.addDomain('held.test');
      await stack.platform.addMailbox('hal@held.test');
      stack.rig.relays[0].mode = 'throttle';
      await stack.submit('hal@held.test', { from: 'hal@held.test', to: far, subject: 'held' });
      await stack.rig.deferral(far, 'Throttling');
      stack.rig.relays[0].mode = 'accept';
      await stack.platform.setOutboundHeld('held.test', true);
    });

    it('is refused with the policy daemon’s reason, and for now when that has none', async () => {
      stack.policy.answer = () => '550 5.7.1 The domain is not verified';
      const message = { from: 'hal@held.test', to: OUTSIDE };
      expect(await stack.submit('hal@held.test', message)).toMatchObject({
        code: 550,
        text: expect.stringContaining('not verified'),
      });
      stack.policy.answer = () => 'DUNNO';
      expect(await stack.submit('hal@held.test', message)).toMatchObject({
        code: 450,
        text: expect.stringContaining('on hold'),
      });
    });

    it('has its queued mail wait until it may', async () => {
      await stack.rig.retryQueue();
      await stack.rig.deferral(far, 'on hold');
      await stack.platform.setOutboundHeld('held.test', false);
      await stack.rig.retryQueue();
      await stack.rig.relays[0].arrival('held');
    });
  });

  it('new mail to a domain over its inbound transfer cap is put off', async () => {
    await stack.platform.addDomain('capped.test');
    await stack.platform.addMailbox('cap@capped.test');
    await stack.platform.setInboundCapped('capped.test', true);
    expect(await stack.receive({ to: 'cap@capped.test' })).toMatchObject({
      code: 450,
      text: expect.stringContaining('transfer cap'),
    });
    await stack.platform.setInboundCapped('capped.test', false);
    expect(await stack.receive({ to: 'cap@capped.test' })).toMatchObject({ code: 250 });
  });

  describe('a full mailbox', () => {
    const full = 'full@acme.test';

    it('is refused for now at RCPT and at delivery, and filled when its quota is raised', async () => {
      await stack.platform.addMailbox(full, 1);
      const body = 'x'.repeat(70).concat('\n').repeat(8_500);
      expect(await stack.receive({ to: full, subject: 'first', body })).toMatchObject({ code: 250 });
      await stack.rig.arrival(full, 'first');
      expect(await stack.receive({ to: full, body, size: body.length })).toMatchObject({
        code: 452,
        text: expect.stringContaining('Mailbox is full'),
      });
      expect(await stack.receive({ to: full, subject: 'second', body })).toMatchObject({ code: 250 });
      await stack.rig.deferral(full, '452');
      await stack.platform.setQuota(full, 4);
      await stack.rig.retryQueue();
      await stack.rig.arrival(full, 'second');
      expect(await stack.receive({ to: full, subject: 'third', body, size: body.length })).toMatchObject({ code: 250 });
    });
  });

  describe('a disabled mailbox', () => {
    const disabled = 'dora@acme.test';

    beforeAll(async () => {
      await stack.platform.addMailbox(disabled);
      await stack.platform.disableMailbox(disabled);
    });

    it('gets its mail, and the catch-all does not', async () => {
      expect(await stack.receive({ to: disabled, subject: 'for dora' })).toMatchObject({ code: 250 });
      await stack.rig.arrival(disabled, 'for dora');
      expect(await stack.rig.inbox('bob@acme.test')).not.toContain('for dora');
    });

    it('neither logs in nor sends, and nobody sends as it', async () => {
      expect(await stack.login(disabled, PASSWORD)).toContain('Mailbox disabled');
      expect(await stack.submit(disabled, { from: disabled, to: OUTSIDE })).toMatchObject({
        code: 554,
        text: expect.stringContaining('disabled'),
      });
      expect((await stack.submit('bob@acme.test', { from: disabled, to: OUTSIDE })).code).toBe(553);
    });
  });

  it('bounces leave past the relay, which takes verified senders only', async () => {
    await stack.platform.addAlias('gone@beta.test', 'ghost@beta.test');
    await stack.receive({ to: 'gone@beta.test', subject: 'to nobody' });
    await until('the bounce to be tried', async () =>
      /postfix\/direct\/smtp\[.*to=<friend@elsewhere\.test>, relay=none/.test(await stack.rig.logs()),
    );
    expect(stack.rig.relays.flatMap(({ messages }) => messages).filter(({ from }) => from === '')).toEqual([]);
  });

  it('old mail stays old for the purge when its files are given a new owner or restored', async () => {
    const user = 'olga@acme.test';
    await stack.platform.addMailbox(user);
    await stack.receive({ to: user, subject: 'old' });
    await stack.rig.arrival(user, 'old');
    const saved = await stack.rig.doveadm('fetch', '-u', user, 'date.saved', 'all');
    const home = (await stack.rig.doveadm('user', '-f', 'home', user)).trim();
    await until('the clock to be a second further', async () => {
      await runProgram('chown', ['-R', '5000:5000', home]);
      const changed = await runProgram('find', [
        home,
        '-type',
        'f',
        '-path',
        '*/new/*',
        '-newerct',
        saved.replace('date.saved: ', '').trim(),
      ]);
      return changed !== '' && new Date(saved.replace('date.saved: ', '').trim()).getTime() + 1500 < Date.now();
    });
    expect(await stack.rig.doveadm('fetch', '-u', user, 'date.saved', 'all')).toBe(saved);
  });

  it('mail flows again as soon as the database is back', async () => {
    if (stack.rig.database.isOwnServer) {
      await stack.rig.database.kill();
      await stack.rig.database.startAgain();
    }
    expect(await stack.receive({ to: 'alice@acme.test', subject: 'after the restart' })).toMatchObject({ code: 250 });
    await stack.rig.arrival('alice@acme.test', 'after the restart');
  });

  it('submission is put off while the policy daemon is away', async () => {
    await stack.policy.stop();
    expect(await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE })).toMatchObject({
      code: 451,
      text: expect.stringContaining('Outbound policy unavailable'),
    });
    expect(await stack.receive({ to: 'alice@acme.test', subject: 'still received' })).toMatchObject({ code: 250 });
  });
});
