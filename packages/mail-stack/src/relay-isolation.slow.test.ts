import { readFile } from 'node:fs/promises';
import { describeStack } from './testing/describe-stack.js';
import { MessageFates } from './testing/message-fates.js';
import { addAlias, addDomain, addMailboxes } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { runProgram, sendmail } from './testing/run-program.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const PARTNER_SENDER = 'carol@beta.test';

/** The view of an earlier release: it lists every alias of an open domain. */
const LAX_ALIASES = `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_aliases AS
  SELECT a.address, a.destination, d.name AS domain FROM alias a JOIN domain d ON d.id = a.domain_id`;

describeStack('mail that came in without a login never leaves by a relay', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start();
    await addPending('pend.test', 'pia@pend.test');
    await addAlias(stack.acme, 'lure@acme.test', 'pia@pend.test');
  });

  afterAll(async () => {
    await stack?.stop();
  });

  afterEach(() => {
    const strangers = stack.rig.relays
      .flatMap(({ messages }) => messages)
      .filter(({ text }) => !text.includes('LOGIN'));
    expect(strangers).toEqual([]);
  });

  /** Adds a domain of acme with mailboxes that is not open for inbound mail. */
  async function addPending(name: string, ...addresses: string[]): Promise<void> {
    await addDomain(stack.acme, name);
    await stack.platform.master.put(`/domains/${name}/inbound`, { inbound: 'pending' });
    await addMailboxes(stack.acme, ...addresses);
  }

  async function addSuspended(name: string): Promise<string> {
    const alias = `to.${name}@acme.test`;
    await addDomain(stack.acme, name);
    await addMailboxes(stack.acme, `sue@${name}`);
    await addAlias(stack.acme, alias, `sue@${name}`);
    await stack.acme.put(`/domains/${name}/suspend`);
    return alias;
  }

  const logged = async (pattern: RegExp): Promise<boolean> =>
    await until(`${pattern} in the log`, async () => pattern.test(await stack.rig.logs()));

  describe('by the views', () => {
    it('an alias to a mailbox of a pending domain is refused for every sender address', async () => {
      for (const from of [OUTSIDE, PARTNER_SENDER, '']) {
        expect(await stack.receive({ from, to: 'lure@acme.test' })).toMatchObject({ code: 550 });
      }
    });

    it('a pending domain does not affect other users’ mail to that name', async () => {
      await addPending('large.test', 'friend@large.test');
      expect(await stack.receive({ to: 'friend@large.test' })).toMatchObject({
        code: 554,
        text: expect.stringContaining('Relay access denied'),
      });
      const message = { from: PARTNER_SENDER, to: 'friend@large.test', subject: 'LOGIN to a pending name' };
      expect(await stack.submit(PARTNER_SENDER, message)).toMatchObject({ code: 250 });
      expect(await stack.rig.relays[0].arrival(message.subject)).toMatchObject({ to: ['friend@large.test'] });
    });
  });

  describe('by Postfix, when the view lists every alias', () => {
    let strict: string;

    beforeAll(async () => {
      const [view] = await stack.rig.services.database.query('SHOW CREATE VIEW mta_aliases');
      strict = String(view?.['Create View']).replace(/^CREATE /, 'CREATE OR REPLACE ');
      await stack.rig.services.database.query(LAX_ALIASES);
      await stack.rig.services.database.query(
        `INSERT INTO alias (domain_id, address, destination, destination_mailbox_id, created_at)
         SELECT id, 'out@acme.test', 'far@elsewhere.test', NULL, 0 FROM domain WHERE name = 'acme.test'`,
      );
    });

    afterAll(async () => {
      await stack.rig.services.database.query(strict);
    });

    it.each(['lure@acme.test', 'out@acme.test'])('mail to %s is bounced', async (to) => {
      for (const from of [OUTSIDE, PARTNER_SENDER]) {
        expect(await stack.receive({ from, to })).toMatchObject({ code: 250 });
      }
      const destination = to === 'lure@acme.test' ? 'pia@pend.test' : 'far@elsewhere.test';
      await logged(new RegExp(`to=<${destination}>.* dsn=5\\.1\\.2, status=bounced`));
      await stack.rig.arrival(PARTNER_SENDER, 'Undelivered Mail Returned to Sender');
    });

    it('mail without a sender is bounced too, and nobody is told', async () => {
      const headers = ['Message-ID: <of-nobody@rig.test>'];
      expect(await stack.receive({ from: '', to: 'out@acme.test', headers })).toMatchObject({ code: 250 });
      const id = await new MessageFates(stack.rig).queueId('of-nobody@rig.test');
      await logged(new RegExp(`${id}: to=<far@elsewhere\\.test>, .* dsn=5\\.1\\.2, status=bounced`));
      await logged(new RegExp(`${id}: removed`));
    });
  });

  describe('although its domain changes while it is queued', () => {
    const queued = async (name: string): Promise<void> => {
      const alias = await addSuspended(name);
      for (const from of [OUTSIDE, PARTNER_SENDER]) {
        expect(await stack.receive({ from, to: alias, subject: `waits for ${name}` })).toMatchObject({ code: 250 });
      }
      await stack.rig.deferral(`sue@${name}`, 'suspended');
    };

    it.each<[string, string, (name: string) => Promise<unknown>]>([
      ['deleted', 'gone.test', async (name) => await stack.acme.delete(`/domains/${name}`)],
      [
        'closed',
        'closed.test',
        async (name) => await stack.platform.master.put(`/domains/${name}/inbound`, { inbound: 'pending' }),
      ],
    ])('mail to a domain that is %s is bounced', async (_, name, change) => {
      await queued(name);
      await change(name);
      await stack.rig.retryQueue();
      await logged(new RegExp(`to=<sue@${name}>.* dsn=5\\.1\\.2, status=bounced`));
      await until('the bounce', async () => {
        const { length } = (await stack.rig.inbox(PARTNER_SENDER)).filter((subject) =>
          subject.startsWith('Undelivered'),
        );
        return length > 0;
      });
      expect(
        (await stack.rig.queue()).flatMap(({ recipients }) => recipients).map(({ address }) => address),
      ).not.toContain(`sue@${name}`);
    });

    it('mail to a domain that moved to another partner is delivered', async () => {
      await queued('moved.test');
      await stack.acme.delete('/aliases/to.moved.test@acme.test');
      await stack.platform.master.put('/domains/moved.test/partner', { partner_ref: 'beta' });
      await stack.platform.master.put('/domains/moved.test/activate');
      await stack.rig.retryQueue();
      await stack.rig.arrival('sue@moved.test', 'waits for moved.test');
    });
  });

  it('mail to a suspended domain waits in the queues of both instances, and is delivered after the activation', async () => {
    const alias = await addSuspended('both.test');
    await stack.receive({ to: alias, subject: 'of a stranger' });
    await stack.submit('alice@acme.test', { from: 'alice@acme.test', to: alias, subject: 'of a user' });
    await until('both to wait', async () => {
      const waiting = (await stack.rig.queue()).filter(({ queue_name }) => queue_name === 'deferred');
      return (
        waiting.filter(({ recipients }) => recipients.some(({ address }) => address === 'sue@both.test')).length === 2
      );
    });
    await stack.acme.put('/domains/both.test/activate');
    await stack.rig.retryQueue();
    await stack.rig.arrival('sue@both.test', 'of a stranger');
    await stack.rig.arrival('sue@both.test', 'of a user');
  });

  describe('mail of this host itself', () => {
    const text = (subject: string): string => `Subject: ${subject}\n\nHello\n`;

    it('from root reaches mailboxes, and is bounced to any other address', async () => {
      const { configDirectory } = stack.rig.settings.postfix;
      await sendmail(configDirectory, [PARTNER_SENDER], text('of root'), { from: 'alice@acme.test' });
      await stack.rig.arrival(PARTNER_SENDER, 'of root');
      await sendmail(configDirectory, ['root-to@elsewhere.test'], text('to the outside'), { from: 'alice@acme.test' });
      await stack.rig.arrival('alice@acme.test', 'Undelivered Mail Returned to Sender');
      await logged(/to=<root-to@elsewhere\.test>.* dsn=5\.1\.2, status=bounced/);
    });

    it('is accepted only from root, and never by the instance with the relays', async () => {
      // Not tested as another user: only root may use a configuration outside /etc/postfix.
      expect(await stack.rig.postfix('postconf', '-h', 'authorized_submit_users')).toBe('root\n\n');
    });

    it('cannot be submitted to the instance with the relays, also not by root', async () => {
      const { configDirectory } = stack.rig.settings.postfix.submissionInstance;
      await expect(sendmail(configDirectory, [OUTSIDE], text('x'), { from: 'alice@acme.test' })).rejects.toThrow(
        /not allowed to submit mail/,
      );
    });

    it('to the postmaster is sent directly while that address is outside the platform', async () => {
      await sendmail(stack.rig.settings.postfix.configDirectory, ['root@mx.rig.test'], text('a report'));
      await logged(/postfix\/direct\/smtp.*to=<postmaster@rig\.test>, /);
    });
  });

  it('users’ mail in an earlier release’s queue leaves by the relay after the commands of docs/mail-stack.md', async () => {
    const { configDirectory, queueDirectory, submissionInstance } = stack.rig.settings.postfix;
    stack.rig.relays[0].mode = 'throttle';
    const message = { from: 'alice@acme.test', to: 'old@elsewhere.test', subject: 'LOGIN before the upgrade' };
    expect(await stack.submit('alice@acme.test', message)).toMatchObject({ code: 250 });
    await stack.rig.deferral('old@elsewhere.test', 'Throttling');
    stack.rig.relays[0].mode = 'accept';
    const ofStranger = await addSuspended('older.test');
    await stack.receive({ to: ofStranger });
    await stack.rig.deferral('sue@older.test', 'suspended');
    const places = `${submissionInstance.queueDirectory}/deferred`;
    await runProgram('sh', ['-c', `find ${places} -type f -exec mv {} ${queueDirectory}/deferred/ \\;`]);
    await stack.rig.postfixAt(configDirectory, 'postsuper', '-s');
    expect(await stack.rig.postfixAt(submissionInstance.configDirectory, 'postqueue', '-j')).toBe('');

    const page = await readFile(new URL('../../../docs/mail-stack.md', import.meta.url), 'utf8');
    const [commands = ''] = /^postqueue -j \| [\s\S]*?^postsuper .* -s$/m.exec(page) ?? [];
    const here = commands
      .replaceAll('/var/spool/postfix-submission', submissionInstance.queueDirectory)
      .replaceAll('/var/spool/postfix/', `${queueDirectory}/`)
      .replaceAll('/etc/postfix-submission', submissionInstance.configDirectory)
      .replaceAll(/(postqueue|postcat) /g, `$1 -c ${configDirectory} `);
    await runProgram('bash', ['-euc', here]);
    await stack.rig.retryQueue();
    await stack.rig.relays[0].arrival('LOGIN before the upgrade');
    await stack.rig.deferral('sue@older.test', 'suspended');
  });
});
