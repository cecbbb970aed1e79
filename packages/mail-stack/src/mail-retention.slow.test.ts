import { access } from 'node:fs/promises';
import { describeStack } from './testing/describe-stack.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const DAY_MS = 86_400_000;

describeStack('the retention of mail', () => {
  let stack: WholeStack<PolicyStandIn>;

  beforeAll(async () => {
    stack = await WholeStack.start({ environment: { RETENTION_GRACE_HOURS: '0', DELETED_MAIL_GRACE_DAYS: '0' } });
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
});
