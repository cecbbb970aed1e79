import { renderMailStack } from './render/render-mail-stack.js';
import { configDirectoryOf } from './render/render-postfix.js';
import { writeRendered } from './render/write-rendered.js';
import { describeUpgrade } from './testing/describe-stack.js';
import { addDomain, addMailboxes, PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { idHere, RootShell } from './testing/root-shell.js';
import { runProgram } from './testing/run-program.js';
import { until } from './testing/until.js';
import { OUTSIDE, WholeStack } from './testing/whole-stack.js';

const RAY = 'ray@keep.test';
const FULL = 'full@acme.test';
const ALICE = 'alice@acme.test';
const HALF_MEGABYTE = 'x'.repeat(70).concat('\r\n').repeat(7_500);

describeUpgrade('the mail of Debian 12 under the mail servers of Debian 13', () => {
  let stack: WholeStack<PolicyStandIn>;
  let shell: RootShell;
  let savedBefore = '';

  beforeAll(async () => {
    stack = await WholeStack.start({ environment: { RETENTION_GRACE_HOURS: '0' } });
    shell = await RootShell.open(stack.rig.folder);
    await addDomain(stack.acme, 'keep.test');
    await addMailboxes(stack.acme, RAY);
    await stack.acme.post('/users/', { email: FULL, password: PASSWORD, quota_mb: 4 });
    await fillMailboxes();
    savedBefore = await savedDates((args) => stack.rig.doveadm(...args));
    await fillQueues();
    await upgrade();
  });

  afterAll(async () => {
    await shell?.close();
    await stack?.stop();
  });

  /** Mail of 40, 20 and 0 days in one mailbox, and in the other one more than its quota. */
  async function fillMailboxes(): Promise<void> {
    await stack.rig.saveDaysAgo(RAY, 40, 'saved 40 days ago');
    await stack.rig.saveDaysAgo(RAY, 20, 'saved 20 days ago');
    await stack.receive({ to: RAY, subject: 'new' });
    await stack.rig.arrival(RAY, 'new');
    const imap = await stack.rig.imap();
    await imap.login(FULL, PASSWORD);
    for (let count = 0; count < 3; count += 1) {
      expect((await imap.append('INBOX', `Subject: large\r\n\r\n${HALF_MEGABYTE}`)).ok).toBe(true);
    }
    await imap.command('CREATE Archive.Entw&APw-rfe');
    await imap.logout();
    await stack.acme.put(`/users/${FULL}/quota`, { quota_mb: 1 });
  }

  /** A message of a user that the relay does not take, and one for a mailbox that Dovecot, stopped, does not take. */
  async function fillQueues(): Promise<void> {
    stack.rig.relays[0].mode = 'throttle';
    await stack.submit(ALICE, { from: ALICE, to: OUTSIDE, subject: 'queued to leave' });
    await stack.rig.deferral(OUTSIDE, 'Throttling');
    await stack.rig.doveadm('stop');
    expect(await stack.receive({ to: ALICE, subject: 'queued to arrive' })).toMatchObject({ code: 250 });
    await stack.rig.deferral(ALICE, 'connect to');
  }

  /** Does what the page about the upgrade says, but for the packages, which are those of the root. */
  async function upgrade(): Promise<void> {
    const { folder, settings } = stack.rig;
    await stack.rig.postfix('postfix', 'stop');
    // A backup that was copied back: the change times of the files are of now, and only the index has the save dates.
    await runProgram('cp', ['-a', `${folder}/vmail`, `${folder}/vmail.copy`]);
    await runProgram('rm', ['-r', `${folder}/vmail`]);
    await runProgram('mv', [`${folder}/vmail.copy`, `${folder}/vmail`]);
    settings.dovecot.version = '2.4';
    await writeRendered(renderMailStack(settings), folder);
    // The accounts of a server keep their numbers in an upgrade; those of the root have others than this machine.
    const places = `${folder}/queue ${folder}/queue-submission ${folder}/postfix-data* ${folder}/postfix/sql ${folder}/postfix-submission/sql`;
    await shell.run(
      [
        `find ${places} -uid ${idHere('passwd', 'postfix')} -exec chown -h postfix {} +`,
        `find ${places} -gid ${idHere('group', 'postfix')} -exec chgrp -h postfix {} +`,
        `find ${places} -gid ${idHere('group', 'postdrop')} -exec chgrp -h postdrop {} +`,
        `rm -rf ${folder}/dovecot-run/* ${folder}/dovecot-state/*`,
        ...directories().map((directory) => `postfix -c ${directory} check && postfix -c ${directory} start`),
        `dovecot -c ${folder}/dovecot/dovecot.conf`,
      ].join(' && '),
    );
    await until('the servers of Debian 13 to answer', async () => (await stack.login(ALICE, PASSWORD)) === 'OK');
  }

  const directories = (): string[] =>
    (['mx', 'submission'] as const).map((instance) => configDirectoryOf(stack.rig.settings, instance));
  const doveadm = async (args: readonly string[]): Promise<string> =>
    await shell.run(`doveadm -c ${stack.rig.folder}/dovecot/dovecot.conf ${args.map((each) => `'${each}'`).join(' ')}`);
  const savedDates = async (run: (args: string[]) => Promise<string>): Promise<string> =>
    await run(['fetch', '-u', RAY, 'uid guid date.saved', 'mailbox', 'INBOX', 'all']);

  it('is served by Dovecot 2.4 and Postfix 3.10', async () => {
    expect(await shell.run('dovecot --version')).toMatch(/^2\.4\./);
    expect(await shell.run('postconf -d -h mail_version')).toMatch(/^3\.10\./);
  });

  it('keeps its numbers, names and save dates, also when its files were copied', async () => {
    expect(savedBefore.match(/date\.saved/g)).toHaveLength(3);
    expect(await savedDates(doveadm)).toBe(savedBefore);
    expect(await doveadm(['mailbox', 'list', '-u', FULL])).toContain('\nArchive.Entwürfe\n');
  });

  it('is purged by its save date', async () => {
    await stack.platform.master.put('/domains/keep.test/retention', { retention_days: 30 });
    expect(await stack.platform.master.post('/domains/keep.test/retention/preview')).toMatchObject({ messages: 1 });
    await stack.platform.master.post('/jobs/retention.purge/run');
    const count = async (): Promise<string> =>
      (await doveadm(['mailbox', 'status', '-u', RAY, 'messages', 'INBOX'])).trim();
    await until('the old mail to be purged', async () => (await count()) === 'INBOX messages=2');
  });

  it('is still over its quota, is refused more at RCPT, and takes mail when the quota is raised', async () => {
    expect(await doveadm(['quota', 'get', '-u', FULL])).toMatch(/STORAGE\s+15\d\d\s+1024\s+15\d/);
    expect(await stack.receive({ to: FULL, subject: 'more' })).toMatchObject({ code: 452 });
    await stack.acme.put(`/users/${FULL}/quota`, { quota_mb: 4 });
    expect(await stack.receive({ to: FULL, subject: 'more' })).toMatchObject({ code: 250 });
  });

  it('leaves the queue of Postfix 3.7 for the relay and for the mailbox', async () => {
    const [relay] = stack.rig.relays;
    relay.mode = 'accept';
    for (const directory of directories()) await shell.run(`postqueue -c ${directory} -f`);
    await until('the queued message at the relay', async () => relay.messages.some(({ to }) => to.includes(OUTSIDE)));
    const subjects = async (): Promise<string> =>
      await doveadm(['fetch', '-u', ALICE, 'hdr.subject', 'mailbox', 'INBOX', 'all']);
    await until('the queued message in the mailbox', async () => (await subjects()).includes('queued to arrive'));
  });
});
