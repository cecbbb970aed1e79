import { spawnSync } from 'node:child_process';
import { ask } from './doctor/ask.js';
import { configDirectoryOf } from './render/render-postfix.js';
import { describeStack } from './testing/describe-stack.js';
import { addAlias, addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const COMPLAINT = /\b(warning|error|fatal|deprecated|obsolete|unused)\b/i;

/** Runs a program. @returns its exit code, and the lines of both outputs that complain. */
const complaintsOf = (program: string, ...args: string[]): [code: number | null, complaints: string[]] => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  // What the files say may contain such a word.
  const text = program === 'postfix' ? `${stdout}\n${stderr}` : stderr;
  return [status, text.split('\n').filter((line) => COMPLAINT.test(line))];
};

describeStack('delivery, login and submission, set up by the API', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start({ inProcess: true });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  beforeEach(() => {
    stack.policy.requests.length = 0;
    stack.policy.answer = () => 'DUNNO';
  });

  // The first ones, because mail and wrong logins are in the same logs.
  describe('the rendered files, read by the installed Postfix and Dovecot', () => {
    it('are accepted by Postfix without a warning', async () => {
      for (const instance of ['mx', 'submission'] as const) {
        const directory = configDirectoryOf(stack.rig.settings, instance);
        for (const option of ['-n', '-M', '-P'])
          expect(complaintsOf('postconf', '-c', directory, option)).toEqual([0, []]);
        expect(complaintsOf('postfix', '-c', directory, 'check')).toEqual([0, []]);
      }
      const atStart = (await stack.rig.logs()).split('\n').filter((line) => /postfix-script|postlog/.test(line));
      expect(atStart.filter((line) => COMPLAINT.test(line))).toEqual([]);
    });

    it('are accepted by Dovecot without a warning, also when it runs', async () => {
      const file = `${stack.rig.settings.dovecot.configDirectory}/dovecot.conf`;
      expect(complaintsOf('doveconf', '-n', '-c', file)).toEqual([0, []]);
      expect(
        (await stack.rig.logs()).split('\n').filter((line) => /: (Warning|Error|Fatal|Panic): /.test(line)),
      ).toEqual([]);
    });

    it('defer mail at delivery to a suspended domain, refuse an unknown address, and take all other mail', async () => {
      await addDomain(stack.acme, 'sleeping.test');
      await addMailboxes(stack.acme, 'sue@sleeping.test');
      await stack.acme.put('/domains/sleeping.test/suspend');
      const replyTo = async (recipient: string): Promise<string | undefined> => {
        const commands = `LHLO rig.test\r\nMAIL FROM:<>\r\nRCPT TO:<${recipient}>\r\nQUIT\r\n`;
        const replies = await ask(stack.rig.settings.dovecot.lmtp, commands, (text) => text.includes('\r\n221 '), {
          greets: true,
        });
        return replies.toString('latin1').split('\r\n').at(-3);
      };
      expect(await replyTo('sue@sleeping.test')).toMatch(/^451 4\.3\.0 /);
      expect(await replyTo('nobody@acme.test')).toMatch(/^550 5\.1\.1 /);
      expect(await replyTo('Alice+news@ACME.test')).toMatch(/^250 2\.1\.5 /);
    });
  });

  describe('delivery', () => {
    beforeAll(async () => {
      await addAlias(stack.acme, 'info@acme.test', 'alice@acme.test');
      await addAlias(stack.acme, 'team@acme.test', 'alice@acme.test', 'bob@acme.test');
      await addAlias(stack.acme, '@acme.test', 'bob@acme.test');
    });

    it('uses the MX host that the API returns, from the rendered settings', async () => {
      const { checks } = await stack.acme.get('/domains/acme.test/dns-check');
      expect(checks).toContainEqual(expect.objectContaining({ record: 'mx', expected: ['mx.rig.test'] }));
    });

    it('reaches a mailbox, with its address in upper or lower case, and IMAP shows the message', async () => {
      expect(await stack.receive({ to: 'Alice@ACME.test', subject: 'mailbox' })).toMatchObject({ code: 250 });
      await stack.rig.arrival('alice@acme.test', 'mailbox');
      const imap = await stack.rig.imap();
      await imap.login('alice@acme.test', PASSWORD);
      expect(await imap.subjects()).toContain('mailbox');
      await imap.logout();
    });

    it('reaches the mailbox of an alias and of a subaddress', async () => {
      await stack.receive({ to: 'info@acme.test', subject: 'alias' });
      await stack.receive({ to: 'alice+news@acme.test', subject: 'plus' });
      await stack.rig.arrival('alice@acme.test', 'alias');
      await stack.rig.arrival('alice@acme.test', 'plus');
    });

    it('reaches every destination of an alias', async () => {
      await stack.receive({ to: 'team@acme.test', subject: 'team' });
      await stack.rig.arrival('alice@acme.test', 'team');
      await stack.rig.arrival('bob@acme.test', 'team');
    });

    it('reaches the catch-all only for addresses without a mailbox', async () => {
      await stack.receive({ to: 'alice@acme.test', subject: 'own' });
      await stack.receive({ to: 'whatever@acme.test', subject: 'caught' });
      await stack.rig.arrival('bob@acme.test', 'caught');
      await stack.rig.arrival('alice@acme.test', 'own');
      expect(await stack.rig.inbox('bob@acme.test')).not.toContain('own');
    });

    it('stores the mail in the random home of the mailbox', async () => {
      const [row] = await stack.rig.services.database.query(
        "SELECT home FROM mda_users WHERE user = 'alice@acme.test'",
      );
      const home = String(row?.home);
      expect(await stack.rig.doveadm('user', '-f', 'home', 'alice@acme.test')).toBe(
        `${stack.rig.settings.mail.root}/${home.slice(0, 2)}/${home}\n`,
      );
    });

    it('is refused permanently to an unknown address, and to a domain that is not listed', async () => {
      expect(await stack.receive({ to: 'nobody@beta.test' })).toMatchObject({ code: 550 });
      expect(await stack.receive({ to: 'someone@unlisted.test' })).toMatchObject({
        code: 554,
        text: expect.stringContaining('Relay access denied'),
      });
    });

    it('is counted by the API: messages and megabytes of the mailbox', async () => {
      await addMailboxes(stack.acme, 'uma@acme.test');
      // The figures are null while Dovecot takes longer than the API waits.
      const usage = async (): Promise<unknown> =>
        await until('the figures of Dovecot', async () => {
          const found = await stack.acme.get('/users/uma@acme.test');
          return found.messages === null ? null : found;
        });
      expect(await usage()).toMatchObject({ storage_used_mb: 0, messages: 0 });
      await stack.receive({ to: 'uma@acme.test', subject: 'large', body: 'x'.repeat(1023).concat('\n').repeat(512) });
      await stack.rig.arrival('uma@acme.test', 'large');
      expect(await usage()).toMatchObject({ storage_used_mb: expect.closeTo(0.5, 1), messages: 1 });
    });

    it('sends mail for this host’s postmaster to the operator', async () => {
      // The name of a host of MX_HOSTS is reserved: only the operator may create it.
      const { master } = stack.platform;
      await addDomain(master, 'rig.test');
      await addMailboxes(master, 'postmaster@rig.test');
      await stack.receive({ to: 'postmaster@mx.rig.test', subject: 'to the operator' });
      await stack.rig.arrival('postmaster@rig.test', 'to the operator');
    });
  });

  describe('login', () => {
    it('accepts only the right password by IMAP', async () => {
      expect(await stack.login('alice@acme.test', PASSWORD)).toBe('OK');
      expect(await stack.login('alice@acme.test', 'wrong password')).toContain('AUTHENTICATIONFAILED');
      expect(await stack.login('nobody@acme.test', PASSWORD)).toContain('AUTHENTICATIONFAILED');
    });

    it('accepts a new password at once, and refuses the old one', async () => {
      await addMailboxes(stack.acme, 'pat@acme.test');
      expect(await stack.login('pat@acme.test', PASSWORD)).toBe('OK');
      await stack.acme.put('/users/pat@acme.test', { password: 'a quite new password' });
      expect(await stack.login('pat@acme.test', PASSWORD)).toContain('AUTHENTICATIONFAILED');
      expect(await stack.login('pat@acme.test', 'a quite new password')).toBe('OK');
    });

    it('accepts only the right password on submission, and only with TLS', async () => {
      const plain = await stack.rig.stranger();
      expect((await plain.login('alice@acme.test', PASSWORD)).code).toBe(503);
      await plain.quit();
      const client = await stack.rig.submission();
      expect((await client.login('alice@acme.test', 'wrong password')).code).toBe(535);
      expect((await client.login('alice@acme.test', PASSWORD)).code).toBe(235);
      await client.quit();
    });

    it('is needed on submission', async () => {
      const client = await stack.rig.submission();
      expect((await client.send({ from: 'alice@acme.test', to: OUTSIDE })).reply.code).toBe(554);
      await client.quit();
    });
  });

  describe('submission', () => {
    it('reaches the relay with TLS and credentials, after the policy daemon accepted at RCPT and the milter at the end', async () => {
      const before = stack.milter.ended;
      expect(
        await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE, subject: 'out' }),
      ).toMatchObject({ code: 250 });
      const message = await stack.rig.relays[0].arrival('out');
      expect(message).toMatchObject({ from: 'alice@acme.test', to: [OUTSIDE] });
      expect(stack.policy.requests).toMatchObject([
        {
          protocol_state: 'RCPT',
          recipient: OUTSIDE,
          sasl_username: 'alice@acme.test',
          policy_context: 'outside',
        },
      ]);
      expect(stack.milter.ended).toBe(before + 1);
    });

    it('tells the policy daemon which recipients are outside the platform, and which of them belong to one message', async () => {
      const from = 'alice@acme.test';
      const client = await stack.rig.submission();
      await client.login(from, PASSWORD);
      stack.policy.requests.length = 0;
      const to = [OUTSIDE, 'bob+news@ACME.test', '"bob"@acme.test', 'x@sub.acme.test'];
      for (const command of [
        `MAIL FROM:<${from}>`,
        ...to.map((each) => `RCPT TO:<${each}>`),
        'RSET',
        `MAIL FROM:<${from}>`,
        `RCPT TO:<${OUTSIDE}>`,
      ])
        await client.command(command);
      await client.quit();
      const asked = stack.policy.requests;
      expect(asked.map(({ policy_context }) => policy_context)).toEqual([
        'outside',
        'mx.rig.test',
        'mx.rig.test',
        'outside',
        'outside',
      ]);
      const instances = asked.map(({ instance }) => instance);
      expect(new Set(instances.slice(0, 4)).size).toBe(1);
      expect(instances[4]).not.toBe(instances[0]);
    });

    it('uses the relay that the database has for the domain', async () => {
      const { host, port } = stack.rig.relays[1].settings;
      await stack.rig.services.database.query('INSERT INTO mta_relay_host (domain, relayhost) VALUES (?, ?)', [
        'beta.test',
        `[${host}]:${port}`,
      ]);
      await stack.submit('carol@beta.test', { from: 'carol@beta.test', to: OUTSIDE, subject: 'other relay' });
      await stack.rig.relays[1].arrival('other relay');
    });

    it('refuses a sender that the login may not use, and accepts the login’s aliases', async () => {
      const as = async (from: string): Promise<number> =>
        (await stack.submit('alice@acme.test', { from, to: 'bob@acme.test' })).code;
      expect(await as('carol@beta.test')).toBe(553);
      expect(await as('bob@acme.test')).toBe(553);
      expect(await as('somebody@elsewhere.test')).toBe(553);
      expect(await as('info@acme.test')).toBe(250);
      expect(await as('alice+tag@acme.test')).toBe(250);
    });

    it('without a sender never leaves by a relay, also when the milter lets it pass as it is', async () => {
      const message = { from: '', to: OUTSIDE, headerFrom: 'alice@acme.test', subject: 'without a sender' };
      const before = (await stack.rig.logs()).split('A notice does not leave this platform').length;
      expect(await stack.submit('alice@acme.test', message)).toMatchObject({ code: 250 });
      await until('its refusal', async () => {
        return (await stack.rig.logs()).split('A notice does not leave this platform').length > before;
      });
      await until('the queue to be empty', async () => (await stack.rig.queue()).length === 0);
      expect(stack.rig.relays[0].messages.filter(({ text }) => text.includes('without a sender'))).toEqual([]);
    });

    it('returns the policy daemon’s reply to the sender', async () => {
      stack.policy.answer = () => '450 4.7.1 The daily limit is reached';
      expect(await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: OUTSIDE })).toMatchObject({
        code: 450,
        text: expect.stringContaining('The daily limit is reached'),
      });
    });

    it('waits in the queue while the relay throttles, and is bounced when it rejects', async () => {
      stack.rig.relays[0].mode = 'throttle';
      await stack.submit('alice@acme.test', {
        from: 'alice@acme.test',
        to: 'slow@elsewhere.test',
        subject: 'throttled',
      });
      await stack.rig.deferral('slow@elsewhere.test', 'Throttling failure');
      stack.rig.relays[0].mode = 'reject';
      await stack.rig.retryQueue();
      await stack.rig.arrival('alice@acme.test', 'Undelivered Mail Returned to Sender');
      stack.rig.relays[0].mode = 'accept';
    });
  });
});
