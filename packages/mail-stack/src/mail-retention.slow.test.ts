import { access } from 'node:fs/promises';
import { DovecotStore } from '@mailstead/adapters/dovecot/dovecot-store';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';
import { describeStack } from './testing/describe-stack.js';
import { dovecotQueries } from './testing/dovecot-queries.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const DAY_MS = 86_400_000;

/** What a purge is given: the domain, its mailboxes, the time and whether it only counts. */
type Purged = Parameters<DovecotStore['purge']>;

describeStack('the retention of mail', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start({
      environment: { RETENTION_GRACE_HOURS: '0', DELETED_MAIL_GRACE_DAYS: '0' },
      // A test reads the log of all its queries.
      ownDatabase: true,
    });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  const home = async (user: string): Promise<string> => (await stack.rig.doveadm('user', '-f', 'home', user)).trim();

  it('the purge removes old mail by its save date, and keeps new mail and mail imported with an old date', async () => {
    const user = 'ray@keep.test';
    await addDomain(stack.acme, 'keep.test');
    await addMailboxes(stack.acme, user);
    await stack.rig.saveDaysAgo(user, 40, 'saved 40 days ago');
    await stack.rig.saveDaysAgo(user, 20, 'saved 20 days ago');
    await stack.receive({ to: user, subject: 'new' });
    await stack.rig.arrival(user, 'new');
    const imap = await stack.rig.imap();
    await imap.login(user, PASSWORD);
    const imported = await imap.append(
      'INBOX',
      'Subject: imported\r\n\r\nFrom an archive\r\n',
      new Date(Date.now() - 400 * DAY_MS),
    );
    await imap.logout();
    expect(imported.ok).toBe(true);

    await stack.platform.master.put('/domains/keep.test/retention', { retention_days: 30 });
    expect(await stack.platform.master.post('/domains/keep.test/retention/preview')).toMatchObject({ messages: 1 });
    await stack.platform.master.post('/jobs/retention.purge/run');
    await until('the old mail to be purged', async () => !(await stack.rig.inbox(user)).includes('saved 40 days ago'));
    expect((await stack.rig.inbox(user)).sort()).toEqual(['imported', 'new', 'saved 20 days ago']);
  });

  it('the purge still removes old mail after a change of its files’ owner or a restore', async () => {
    const user = 'olga@acme.test';
    await addMailboxes(stack.acme, user);
    await stack.rig.saveDaysAgo(user, 40, 'old');
    const saved = await stack.rig.doveadm('fetch', '-u', user, 'date.saved', 'all');
    await runProgram('chown', ['-R', '5000:5000', await home(user)]);
    expect(await stack.rig.doveadm('fetch', '-u', user, 'date.saved', 'all')).toBe(saved);
    await stack.platform.master.put('/domains/acme.test/retention', { retention_days: 30 });
    await stack.platform.master.post('/jobs/retention.purge/run');
    await until('the old mail to be purged', async () => !(await stack.rig.inbox(user)).includes('old'));
  });

  it('a domain that another partner creates again shows no old mail, which is removed after the grace period', async () => {
    const user = 'gus@again.test';
    await addDomain(stack.acme, 'again.test');
    await addMailboxes(stack.acme, user);
    await stack.receive({ to: user, subject: 'of the first partner' });
    await stack.rig.arrival(user, 'of the first partner');
    const oldHome = await home(user);
    await stack.acme.delete('/domains/again.test');
    expect(await stack.receive({ to: user })).toMatchObject({ code: 554 });

    await stack.beta.post('/domains/', { name: 'again.test' });
    await addMailboxes(stack.beta, user);
    expect(await stack.receive({ to: user })).toMatchObject({ code: 554 });
    await stack.platform.master.put('/domains/again.test/inbound', { inbound: 'open' });
    await stack.receive({ to: user, subject: 'of the second partner' });
    await stack.rig.arrival(user, 'of the second partner');
    expect(await stack.rig.inbox(user)).toEqual(['of the second partner']);

    await stack.platform.master.post('/jobs/deleted-mail.remove/run');
    await until('the old home to be removed', async () =>
      access(oldHome).then(
        () => false,
        () => true,
      ),
    );
    expect(await stack.rig.inbox(user)).toEqual(['of the second partner']);
  });

  it('a deleted mailbox is refused by every new session at once, and its login fails', async () => {
    const user = 'dee@acme.test';
    await addMailboxes(stack.acme, user);
    expect(await stack.receive({ to: user })).toMatchObject({ code: 250 });
    await stack.acme.delete(`/users/${user}`);
    for (let session = 0; session < 5; session += 1) {
      expect(await stack.receive({ to: user })).toMatchObject({ code: 550 });
    }
    expect(await stack.login(user, PASSWORD)).toContain('AUTHENTICATIONFAILED');
  });

  describe('the question of Dovecot for the mailboxes of a mask', () => {
    const [ALICE, BOB, CAROL] = ['alice@acme.test', 'bob@acme.test', 'carol@beta.test'];
    let connection: Connection;
    let question: string;

    beforeAll(async () => {
      const { user, password } = stack.rig.settings.database.dovecot;
      const uri = stack.rig.services.database.url;
      connection = await createConnection({ uri, user, password, connectTimeout: PATIENCE_MS });
      question = new Map(await dovecotQueries(stack.rig)).get('iterate_query') ?? '';
    });
    afterAll(async () => await connection?.end());

    const questionFor = (domain: string): string =>
      question.replaceAll(/%d|%\{user\|domain\}/g, connection.escape(domain).slice(1, -1));
    const namesFor = async (domain: string): Promise<string[]> =>
      (await connection.query<RowDataPacket[]>(questionFor(domain)))[0].map(({ user }) => String(user)).sort();

    it('reads one domain by its indexes, and all mailboxes for a mask of domains or none', async () => {
      for (const domain of ['', '*', '*.test', 'acme.tes?', '?', '*acme.test']) {
        expect([domain, await namesFor(domain)]).toEqual([domain, expect.arrayContaining([ALICE, BOB, CAROL])]);
      }
      expect(await namesFor('beta.test')).toEqual([CAROL]);
      expect(await namesFor('BETA.Test')).toEqual([CAROL]);
      for (const domain of ['test', "' OR '1'='1", "\\' OR 1=1 -- ", 'beta.test ']) {
        expect([domain, (await namesFor(domain)).filter((name) => name !== CAROL)]).toEqual([domain, []]);
      }
      for (const domain of ['beta.test', 'nowhere.test']) {
        const rows = await stack.rig.services.database.query(`EXPLAIN ${questionFor(domain)}`);
        expect([domain, rows.map(({ table, type, key }) => [table, type, key])]).toEqual([
          domain,
          domain === 'beta.test'
            ? [
                ['d', 'const', 'uq_mta_domain'],
                ['m', 'ref', 'ix_mailbox_domain'],
              ]
            : [[null, null, null]],
        ]);
      }
    });

    it('is answered as before: each mask finds its mailboxes, and -A finds all', async () => {
      for (const [mask, names] of [
        ['*@beta.test', [CAROL]],
        ['a*@acme.test', [ALICE]],
        ['*@be*.test', [CAROL]],
        ['*@bet?.test', [CAROL]],
        ['carol@*', [CAROL]],
        ['carol*', [CAROL]],
      ] as const) {
        expect([mask, (await stack.rig.doveadm('user', mask)).trim().split('\n')]).toEqual([mask, names]);
      }
      const everyone = await stack.rig.doveadm('quota', 'get', '-A');
      const all = (await stack.rig.doveadm('user', '*')).trim().split('\n');
      expect(all).toEqual(expect.arrayContaining([ALICE, BOB, CAROL]));
      for (const user of all) expect(everyone).toContain(user);
    });

    it('names the mailboxes of the purged domain alone, once where nothing expired, and twice where something did', async () => {
      const { database } = stack.rig.services;
      const user = 'sue@log.test';
      await addDomain(stack.acme, 'log.test');
      await addMailboxes(stack.acme, user);
      await stack.rig.saveDaysAgo(user, 40, 'old');
      const { doveadm } = stack.rig.settings.dovecot;
      const url = `http://127.0.0.1:${doveadm.address.port}/doveadm/v1`;
      const store = new DovecotStore({ url, apiKey: doveadm.apiKey });
      const purge = async () =>
        await store.purge('log.test' as Purged[0], nobody(), new Date(Date.now() - 30 * DAY_MS), false);
      /** What Dovecot asks the database meanwhile: for the names of a domain, and about which mailboxes. */
      const asked = async (work: () => Promise<unknown>): Promise<{ domains: string[]; users: string[] }> => {
        await database.query("TRUNCATE mysql.general_log; SET GLOBAL log_output = 'TABLE', general_log = 1");
        await work();
        await database.query('SET GLOBAL general_log = 0');
        const rows = await database.query(
          "SELECT argument FROM mysql.general_log WHERE argument LIKE 'SELECT user%FROM mda_users%' ORDER BY event_time",
        );
        const keys = (kind: RegExp) =>
          rows.flatMap(({ argument }) => kind.exec(String(argument))?.[1] ?? []).filter((key) => key !== '');
        return { domains: keys(/WHERE domain = CONVERT\('(.*?)'/), users: keys(/WHERE user = CONVERT\('(.*?)'/) };
      };
      expect(await asked(async () => expect(await purge()).toMatchObject({ messages: 1 }))).toEqual({
        domains: ['log.test', 'log.test'],
        users: [user, user],
      });
      expect(await asked(async () => expect(await purge()).toEqual({ messages: 0, bytes: 0 }))).toEqual({
        domains: ['log.test'],
        users: [user],
      });
    });
  });
});

/** Dovecot finds the mailboxes itself. */
async function* nobody(): Purged[1] {
  yield [];
}
