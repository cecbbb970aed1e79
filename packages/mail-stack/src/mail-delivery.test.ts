import { mailServersUnavailable } from './testing/mail-packages.js';
import { MailRig } from './testing/mail-rig.js';
import { PolicyStandIn } from './testing/policy-stand-in.js';
import { runProgram } from './testing/run-program.js';
import { PASSWORD, prepareScratchSchema, ScratchPlatform } from './testing/scratch-platform.js';
import type { SmtpReply, TestMessage } from './testing/smtp-client.js';
import { until } from './testing/until.js';

const unavailable = await mailServersUnavailable();
if (unavailable !== null && process.env.CI === 'true') {
  throw new Error(`The mail servers cannot be tested: ${unavailable}.`);
}
const describeStack = unavailable === null ? describe : describe.skip;

const OUTSIDE = 'friend@elsewhere.test';

describeStack(
  `the mail servers on the project's database${unavailable === null ? '' : ` (skipped: ${unavailable})`}`,
  () => {
    let rig: MailRig;
    let policy: PolicyStandIn;
    let platform: ScratchPlatform;

    beforeAll(async () => {
      policy = await PolicyStandIn.start();
      rig = await MailRig.start({ policyd: policy.address, prepareDatabase: prepareScratchSchema });
      platform = new ScratchPlatform(rig.database);
      await platform.addDomain('acme.test');
      await platform.addMailbox('alice@acme.test');
      await platform.addMailbox('bob@acme.test');
      await platform.addDomain('beta.test');
      await platform.addMailbox('carol@beta.test');
    }, 60_000);

    afterAll(async () => {
      await rig?.stop();
      await policy?.stop();
    }, 20_000);

    beforeEach(() => {
      policy.requests.length = 0;
      policy.answer = () => 'DUNNO';
    });

    /** Sends as a stranger on port 25. */
    async function receive(message: Omit<TestMessage, 'from'> & { from?: string }): Promise<SmtpReply> {
      const client = await rig.stranger();
      const { reply } = await client.send({ from: OUTSIDE, ...message });
      await client.quit();
      return reply;
    }

    /** Sends as a user on the submission port. */
    async function submit(user: string, message: TestMessage): Promise<SmtpReply> {
      const client = await rig.submission();
      const login = await client.login(user, PASSWORD);
      const reply = login.code === 235 ? (await client.send(message)).reply : login;
      await client.quit();
      return reply;
    }

    async function login(user: string, password: string): Promise<string> {
      const client = await rig.imap();
      const { ok, text } = await client.login(user, password);
      client.close();
      return ok ? 'OK' : text;
    }

    describe('delivery', () => {
      beforeAll(async () => {
        await platform.addAlias('info@acme.test', 'alice@acme.test');
        await platform.addAlias('team@acme.test', 'alice@acme.test', 'bob@acme.test');
        await platform.addAlias('@acme.test', 'bob@acme.test');
      });

      it('reaches a mailbox, whatever the case of its address, and IMAP shows it', async () => {
        expect(await receive({ to: 'Alice@ACME.test', subject: 'mailbox' })).toMatchObject({ code: 250 });
        await rig.arrival('alice@acme.test', 'mailbox');
        const imap = await rig.imap();
        await imap.login('alice@acme.test', PASSWORD);
        expect(await imap.subjects()).toContain('mailbox');
        await imap.logout();
      });

      it('reaches the mailbox behind an alias, and with a subaddress', async () => {
        await receive({ to: 'info@acme.test', subject: 'alias' });
        await receive({ to: 'alice+news@acme.test', subject: 'plus' });
        await rig.arrival('alice@acme.test', 'alias');
        await rig.arrival('alice@acme.test', 'plus');
      });

      it('reaches every destination of an alias', async () => {
        await receive({ to: 'team@acme.test', subject: 'team' });
        await rig.arrival('alice@acme.test', 'team');
        await rig.arrival('bob@acme.test', 'team');
      });

      it('reaches the catch-all only with what has no mailbox', async () => {
        await receive({ to: 'alice@acme.test', subject: 'own' });
        await receive({ to: 'whatever@acme.test', subject: 'caught' });
        await rig.arrival('bob@acme.test', 'caught');
        await rig.arrival('alice@acme.test', 'own');
        expect(await rig.inbox('bob@acme.test')).not.toContain('own');
      });

      it('keeps the mail under the random home of its row', async () => {
        const [row] = await rig.database.query("SELECT home FROM mda_users WHERE user = 'alice@acme.test'");
        const home = String(row?.home);
        expect(await rig.doveadm('user', '-f', 'home', 'alice@acme.test')).toBe(
          `${rig.settings.mail.root}/${home.slice(0, 2)}/${home}\n`,
        );
      });

      it('is refused for good to an unknown address, and to a domain that is not listed', async () => {
        expect(await receive({ to: 'nobody@beta.test' })).toMatchObject({ code: 550 });
        expect(await receive({ to: 'someone@unlisted.test' })).toMatchObject({
          code: 554,
          text: expect.stringContaining('Relay access denied'),
        });
      });

      it('takes the mail to this host’s postmaster to the operator', async () => {
        await platform.addDomain('rig.test');
        await platform.addMailbox('postmaster@rig.test');
        await receive({ to: 'postmaster@mx.rig.test', subject: 'to the operator' });
        await rig.arrival('postmaster@rig.test', 'to the operator');
      });
    });

    describe('login', () => {
      it('takes the right password by IMAP, and no other', async () => {
        expect(await login('alice@acme.test', PASSWORD)).toBe('OK');
        expect(await login('alice@acme.test', 'wrong password')).toContain('AUTHENTICATIONFAILED');
        expect(await login('nobody@acme.test', PASSWORD)).toContain('AUTHENTICATIONFAILED');
      });

      it('takes the right password on submission in TLS only, and no other', async () => {
        const plain = await rig.stranger();
        expect((await plain.login('alice@acme.test', PASSWORD)).code).toBe(503);
        await plain.quit();
        const client = await rig.submission();
        expect((await client.login('alice@acme.test', 'wrong password')).code).toBe(535);
        expect((await client.login('alice@acme.test', PASSWORD)).code).toBe(235);
        await client.quit();
      });

      it('is needed on submission', async () => {
        const client = await rig.submission();
        expect((await client.send({ from: 'alice@acme.test', to: OUTSIDE })).reply.code).toBe(554);
        await client.quit();
      });
    });

    describe('submission', () => {
      it('reaches the relay, in TLS with its credentials, once the policy daemon agreed at RCPT and at the end', async () => {
        expect(await submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE, subject: 'out' })).toMatchObject(
          { code: 250 },
        );
        const message = await rig.relays[0].arrival('out');
        expect(message).toMatchObject({ from: 'alice@acme.test', to: [OUTSIDE] });
        expect(policy.requests).toMatchObject([
          {
            protocol_state: 'RCPT',
            recipient: OUTSIDE,
            sasl_username: 'alice@acme.test',
            policy_context: 'mx.rig.test',
          },
          {
            protocol_state: 'END-OF-MESSAGE',
            recipient_count: '1',
            sasl_username: 'alice@acme.test',
            policy_context: 'mx.rig.test',
          },
        ]);
        expect(policy.requests[0]?.instance).toBe(policy.requests[1]?.instance);
      });

      it('goes to the relay that the database names for the domain', async () => {
        const { host, port } = rig.relays[1].settings;
        await platform.setRelay('beta.test', `[${host}]:${port}`);
        await submit('carol@beta.test', { from: 'carol@beta.test', to: OUTSIDE, subject: 'other relay' });
        await rig.relays[1].arrival('other relay');
      });

      it('refuses a sender that the login does not own, and takes its aliases', async () => {
        const as = async (from: string): Promise<number> =>
          (await submit('alice@acme.test', { from, to: 'bob@acme.test' })).code;
        expect(await as('carol@beta.test')).toBe(553);
        expect(await as('bob@acme.test')).toBe(553);
        expect(await as('somebody@elsewhere.test')).toBe(553);
        expect(await as('info@acme.test')).toBe(250);
        expect(await as('alice+tag@acme.test')).toBe(250);
      });

      it('refuses the null sender', async () => {
        expect(await submit('alice@acme.test', { from: '', to: 'bob@acme.test' })).toMatchObject({
          code: 554,
          text: expect.stringContaining('needs a sender'),
        });
      });

      it('tells the sender what the policy daemon says', async () => {
        policy.answer = ({ protocol_state }) =>
          protocol_state === 'RCPT' ? 'DUNNO' : '450 4.7.1 The daily limit is reached';
        expect(await submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE })).toMatchObject({
          code: 450,
          text: expect.stringContaining('The daily limit is reached'),
        });
      });

      it('waits in the queue while the relay throttles, and is bounced when it rejects', async () => {
        rig.relays[0].mode = 'throttle';
        await submit('alice@acme.test', { from: 'alice@acme.test', to: 'slow@elsewhere.test', subject: 'throttled' });
        await rig.deferral('slow@elsewhere.test', 'Throttling failure');
        rig.relays[0].mode = 'reject';
        await rig.retryQueue();
        await rig.arrival('alice@acme.test', 'Undelivered Mail Returned to Sender');
        rig.relays[0].mode = 'accept';
      });
    });

    describe('a suspended domain', () => {
      const alias = 'tosue@acme.test';

      beforeAll(async () => {
        await platform.addDomain('susp.test');
        await platform.addDomain('sub.susp.test');
        await platform.addMailbox('sue@susp.test');
        await platform.addMailbox('sam@sub.susp.test');
        await platform.addAlias(alias, 'sue@susp.test');
        await receive({ to: 'sue@susp.test', subject: 'before' });
        await rig.arrival('sue@susp.test', 'before');
        await platform.setSuspended('susp.test', true);
      });

      it('is refused for now at RCPT, alone among the recipients, and its subdomain is not', async () => {
        const client = await rig.stranger();
        const { recipients } = await client.send({
          from: OUTSIDE,
          to: ['sue@susp.test', 'alice@acme.test', 'sam@sub.susp.test'],
        });
        await client.quit();
        expect(recipients.map(({ code }) => code)).toEqual([450, 250, 250]);
        expect(recipients[0]?.text).toContain('suspended');
      });

      it('logs nobody in, sends nothing, and keeps its mail', async () => {
        expect(await login('sue@susp.test', PASSWORD)).toContain('Domain suspended');
        expect(await submit('sue@susp.test', { from: 'sue@susp.test', to: OUTSIDE })).toMatchObject({ code: 450 });
        expect(await rig.inbox('sue@susp.test')).toEqual(['before']);
      });

      it('has its queued mail wait, and gets it when activated', async () => {
        await receive({ to: alias, subject: 'waited' });
        await rig.deferral('sue@susp.test', 'suspended');
        await platform.setSuspended('susp.test', false);
        await rig.retryQueue();
        await rig.arrival('sue@susp.test', 'waited');
        expect(await login('sue@susp.test', PASSWORD)).toBe('OK');
      });
    });

    describe('a domain that may not send', () => {
      const far = 'far@elsewhere.test';

      beforeAll(async () => {
        await platform.addDomain('held.test');
        await platform.addMailbox('hal@held.test');
        rig.relays[0].mode = 'throttle';
        await submit('hal@held.test', { from: 'hal@held.test', to: far, subject: 'held' });
        await rig.deferral(far, 'Throttling');
        rig.relays[0].mode = 'accept';
        await platform.setOutboundHeld('held.test', true);
      });

      it('is refused with the policy daemon’s reason, and for now when that has none', async () => {
        policy.answer = () => '550 5.7.1 The domain is not verified';
        const message = { from: 'hal@held.test', to: OUTSIDE };
        expect(await submit('hal@held.test', message)).toMatchObject({
          code: 550,
          text: expect.stringContaining('not verified'),
        });
        policy.answer = () => 'DUNNO';
        expect(await submit('hal@held.test', message)).toMatchObject({
          code: 450,
          text: expect.stringContaining('on hold'),
        });
      });

      it('has its queued mail wait until it may', async () => {
        await rig.retryQueue();
        await rig.deferral(far, 'on hold');
        await platform.setOutboundHeld('held.test', false);
        await rig.retryQueue();
        await rig.relays[0].arrival('held');
      });
    });

    it('new mail to a domain over its inbound transfer cap is put off', async () => {
      await platform.addDomain('capped.test');
      await platform.addMailbox('cap@capped.test');
      await platform.setInboundCapped('capped.test', true);
      expect(await receive({ to: 'cap@capped.test' })).toMatchObject({
        code: 450,
        text: expect.stringContaining('transfer cap'),
      });
      await platform.setInboundCapped('capped.test', false);
      expect(await receive({ to: 'cap@capped.test' })).toMatchObject({ code: 250 });
    });

    describe('a full mailbox', () => {
      const full = 'full@acme.test';

      it('is refused for now at RCPT and at delivery, and filled when its quota is raised', async () => {
        await platform.addMailbox(full, 1);
        const body = 'x'.repeat(70).concat('\n').repeat(8_500);
        expect(await receive({ to: full, subject: 'first', body })).toMatchObject({ code: 250 });
        await rig.arrival(full, 'first');
        expect(await receive({ to: full, body, size: body.length })).toMatchObject({
          code: 452,
          text: expect.stringContaining('Mailbox is full'),
        });
        expect(await receive({ to: full, subject: 'second', body })).toMatchObject({ code: 250 });
        await rig.deferral(full, '452');
        await platform.setQuota(full, 4);
        await rig.retryQueue();
        await rig.arrival(full, 'second');
        expect(await receive({ to: full, subject: 'third', body, size: body.length })).toMatchObject({ code: 250 });
      });
    });

    describe('a disabled mailbox', () => {
      const disabled = 'dora@acme.test';

      beforeAll(async () => {
        await platform.addMailbox(disabled);
        await platform.disableMailbox(disabled);
      });

      it('gets its mail, and the catch-all does not', async () => {
        expect(await receive({ to: disabled, subject: 'for dora' })).toMatchObject({ code: 250 });
        await rig.arrival(disabled, 'for dora');
        expect(await rig.inbox('bob@acme.test')).not.toContain('for dora');
      });

      it('neither logs in nor sends, and nobody sends as it', async () => {
        expect(await login(disabled, PASSWORD)).toContain('Mailbox disabled');
        expect(await submit(disabled, { from: disabled, to: OUTSIDE })).toMatchObject({
          code: 554,
          text: expect.stringContaining('disabled'),
        });
        expect((await submit('bob@acme.test', { from: disabled, to: OUTSIDE })).code).toBe(553);
      });
    });

    it('bounces leave past the relay, which takes verified senders only', async () => {
      await platform.addAlias('gone@beta.test', 'ghost@beta.test');
      await receive({ to: 'gone@beta.test', subject: 'to nobody' });
      await until('the bounce to be tried', async () =>
        /postfix\/direct\/smtp\[.*to=<friend@elsewhere\.test>, relay=none/.test(await rig.logs()),
      );
      expect(rig.relays.flatMap(({ messages }) => messages).filter(({ from }) => from === '')).toEqual([]);
    });

    it('old mail stays old for the purge when its files are given a new owner or restored', async () => {
      const user = 'olga@acme.test';
      await platform.addMailbox(user);
      await receive({ to: user, subject: 'old' });
      await rig.arrival(user, 'old');
      const saved = await rig.doveadm('fetch', '-u', user, 'date.saved', 'all');
      const home = (await rig.doveadm('user', '-f', 'home', user)).trim();
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
      expect(await rig.doveadm('fetch', '-u', user, 'date.saved', 'all')).toBe(saved);
    });

    it('mail flows again as soon as the database is back', async () => {
      if (rig.database.isOwnServer) {
        await rig.database.kill();
        await rig.database.startAgain();
      }
      expect(await receive({ to: 'alice@acme.test', subject: 'after the restart' })).toMatchObject({ code: 250 });
      await rig.arrival('alice@acme.test', 'after the restart');
    });

    it('submission is put off while the policy daemon is away', async () => {
      await policy.stop();
      expect(await submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE })).toMatchObject({
        code: 451,
        text: expect.stringContaining('Outbound policy unavailable'),
      });
      expect(await receive({ to: 'alice@acme.test', subject: 'still received' })).toMatchObject({ code: 250 });
    });
  },
);
