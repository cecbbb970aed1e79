import { readFile, writeFile } from 'node:fs/promises';
import { DOVECOT, describeStack } from './testing/describe-stack.js';
import type { ImapClient, ImapReply } from './testing/imap-client.js';
import { PASSWORD } from './testing/platform.js';
import type { PolicyStandIn } from './testing/policy-stand-in.js';
import { until } from './testing/until.js';
import { WholeStack } from './testing/whole-stack.js';

const MB = 1_048_576;
/** The largest message, and what servers add to its header. */
const LARGEST = 1.01 * MB;
const TRASH = ['Trash', 'Trash.2026', 'Trash.a.b', 'Deleted Items', 'Deleted Items.old', 'Deleted Messages'];
const SENT = ['Sent', 'Sent Items', 'Sent Messages'];
const OTHERS = ['INBOX', 'Junk', 'Trashcan', 'Sent.2026', 'Deleted', 'Deleted Items 2', 'Archive.Trash'];

describeStack('a mailbox that is full', () => {
  let stack: WholeStack<PolicyStandIn>;
  let users = 0;

  beforeAll(async () => {
    stack = await WholeStack.start({ messageSizeMb: 1 });
  });

  afterAll(async () => {
    await stack?.stop();
  });

  /** A session of a new mailbox that has all these folders and, with a quota, no space for a kilobyte in the inbox. */
  async function fullMailbox(quotaMb = 1): Promise<{ user: string; imap: ImapClient }> {
    users += 1;
    const user = `full${users}@acme.test`;
    // Only an operator may give a mailbox no quota (0).
    await stack.platform.master.post('/users/', { email: user, password: PASSWORD, quota_mb: quotaMb });
    const imap = await stack.rig.imap();
    await imap.login(user, PASSWORD);
    for (const folder of [...TRASH, ...SENT, ...OTHERS]) await imap.command(`CREATE "${folder}"`);
    for (let filled = 0; filled < 4 * quotaMb; filled += 1) {
      expect(await save(imap, 'INBOX', MB / 4 - 100)).toMatchObject({ ok: true });
    }
    return { user, imap };
  }

  const save = (imap: ImapClient, folder: string, bytes: number): Promise<ImapReply> =>
    imap.append(folder, 'Subject: saved\r\n\r\n'.padEnd(bytes - 2, 'x').concat('\r\n'));
  const refused = { ok: false, text: expect.stringContaining('[OVERQUOTA]') };
  const usage = async (user: string): Promise<string> => await stack.rig.doveadm('quota', 'get', '-u', user);

  it('is emptied as Outlook does it: each folder of deleted mail takes a copy, then the original goes', async () => {
    for (const folder of TRASH) {
      const { imap } = await fullMailbox();
      await imap.command('SELECT INBOX');
      expect([folder, await imap.command(`UID COPY 1:4 "${folder}"`)]).toEqual([
        folder,
        expect.objectContaining({ ok: true }),
      ]);
      expect(await imap.command('UID STORE 1:4 +FLAGS.SILENT (\\Deleted \\Seen)')).toMatchObject({ ok: true });
      expect(await imap.command('EXPUNGE')).toMatchObject({ ok: true });
      await imap.command(`SELECT "${folder}"`);
      await imap.command('UID STORE 1:* +FLAGS.SILENT (\\Deleted)');
      expect(await imap.command('EXPUNGE')).toMatchObject({ ok: true });
      expect(await save(imap, 'INBOX', MB - 200)).toMatchObject({ ok: true });
      await imap.logout();
    }
  });

  it('is emptied as K-9 does it: Trash takes what is moved, one message or many', async () => {
    const { imap } = await fullMailbox();
    await imap.command('SELECT INBOX');
    for (const set of ['1', '2:4']) {
      expect(await imap.command(`UID MOVE ${set} "Trash"`)).toMatchObject({ ok: true });
    }
    expect(await imap.command('SELECT "Trash"')).toMatchObject({ lines: expect.arrayContaining(['* 4 EXISTS']) });
    await imap.command('UID STORE 1:* +FLAGS.SILENT (\\Deleted)');
    await imap.command('CLOSE');
    expect(await save(imap, 'INBOX', MB - 200)).toMatchObject({ ok: true });
    await imap.logout();
  });

  it('keeps a message that left in each folder of sent mail, and takes the largest one in Trash', async () => {
    for (const folder of [...SENT, 'Trash', 'Deleted Messages']) {
      const { imap } = await fullMailbox();
      expect([folder, await save(imap, folder, LARGEST)]).toEqual([folder, expect.objectContaining({ ok: true })]);
      await imap.logout();
    }
  });

  it('takes nothing more in other folders, whatever their names begin or end with', async () => {
    const { imap } = await fullMailbox();
    await imap.command('SELECT INBOX');
    for (const folder of OTHERS) {
      expect([folder, await save(imap, folder, 1000)]).toEqual([folder, expect.objectContaining(refused)]);
      expect([folder, await imap.command(`UID COPY 1 "${folder}"`)]).toEqual([
        folder,
        expect.objectContaining(refused),
      ]);
    }
    // A move takes no space.
    expect(await imap.command('UID MOVE 1 "Junk"')).toMatchObject({ ok: true });
    await imap.logout();
  });

  it('has an end: the largest message and a megabyte beyond the quota, or with a large quota in Trash a tenth', async () => {
    const small = await fullMailbox();
    expect(await save(small.imap, 'Trash', 1.9 * MB)).toMatchObject({ ok: true });
    for (const folder of [...TRASH, ...SENT]) {
      expect([folder, await save(small.imap, folder, 0.2 * MB)]).toEqual([folder, expect.objectContaining(refused)]);
    }
    await small.imap.logout();

    const large = await fullMailbox(40);
    expect(await save(large.imap, 'Sent', 1.9 * MB)).toMatchObject({ ok: true });
    expect(await save(large.imap, 'Sent', 0.2 * MB)).toMatchObject(refused);
    expect(await save(large.imap, 'Deleted Items', 2 * MB)).toMatchObject({ ok: true });
    expect(await save(large.imap, 'Trash.a.b', 0.2 * MB)).toMatchObject(refused);
    await large.imap.logout();
  });

  it('defers new mail at the quota itself, at RCPT and at delivery, also to a subaddress and beyond the quota', async () => {
    const { user, imap } = await fullMailbox();
    const body = 'x'.repeat(70).concat('\n').repeat(200);
    const subaddress = user.replace('@', '+Trash@');
    const deferred = async (): Promise<void> => {
      for (const to of [user, subaddress]) {
        expect(await stack.receive({ to, body, size: 20_000 })).toMatchObject({
          code: 452,
          text: expect.stringContaining('Mailbox is full'),
        });
      }
    };
    await deferred();
    // Without an announced size it is accepted while less than the quota is used, and then LMTP decides.
    expect(await stack.receive({ to: user, subject: 'later', body })).toMatchObject({ code: 250 });
    await stack.rig.deferral(user, '452');

    expect(await save(imap, 'Trash', MB)).toMatchObject({ ok: true });
    await deferred();
    expect(await stack.receive({ to: user })).toMatchObject({ code: 452 });
    await stack.rig.retryQueue();
    await stack.rig.deferral(user, '452');

    for (const folder of ['INBOX', 'Trash']) {
      await imap.command(`SELECT "${folder}"`);
      await imap.command('UID STORE 1:* +FLAGS.SILENT (\\Deleted)');
      await imap.command('EXPUNGE');
    }
    await stack.rig.retryQueue();
    await stack.rig.arrival(user, 'later');
    await imap.logout();
  });

  it('reports the quota itself for every folder, and what is used beyond it', async () => {
    const { user, imap } = await fullMailbox();
    expect(await save(imap, 'Trash', MB)).toMatchObject({ ok: true });
    for (const folder of ['INBOX', 'Trash', 'Sent']) {
      const { lines } = await imap.command(`GETQUOTAROOT "${folder}"`);
      expect([folder, lines.at(-1)]).toEqual([
        folder,
        expect.stringMatching(/^\* QUOTA "User quota" \(STORAGE 204\d 1024\)$/),
      ]);
    }
    expect(await usage(user)).toMatch(/STORAGE\s+204\d\s+1024\s+(199|200)/);
    // While Dovecot takes longer than the API waits, the mailbox is returned without its usage.
    const used = async () => (await stack.acme.get(`/users/${user}`)).storage_used_mb;
    await until('the API to report what is used', async () => (await used()) === 2);
    await imap.logout();
  });

  it('is never one without a quota', async () => {
    const { user, imap } = await fullMailbox(0);
    for (const folder of [...OTHERS, ...TRASH, ...SENT]) {
      expect([folder, await save(imap, folder, 2.5 * MB)]).toEqual([folder, expect.objectContaining({ ok: true })]);
    }
    expect(await usage(user)).toMatch(/STORAGE\s+4\d{4}\s+-\s+0/);
    expect(await stack.receive({ to: user, subject: 'arrives', size: MB / 2 })).toMatchObject({ code: 250 });
    await stack.rig.arrival(user, 'arrives');
    await imap.logout();
  });

  it('is emptied, up to the largest message, while Dovecot still has the queries of the former files', async () => {
    // As when the new files are copied and only some of Dovecot's processes have read them.
    const file = `${stack.rig.settings.dovecot.configDirectory}/${DOVECOT === '2.3' ? 'dovecot-sql.conf.ext' : 'dovecot.conf'}`;
    const text = await readFile(file, 'utf8');
    const before = await fullMailbox();
    await before.imap.logout();
    const fields = async () => await stack.rig.doveadm('user', before.user);
    expect(await fields()).toContain('trash_slack');
    await writeFile(file, text.replaceAll(/GREATEST\(.*AS (userdb_)?trash_slack\b(?=,| \\)/g, '1 AS $1nothing'));
    await stack.rig.doveadm('reload');
    await until('the queries without the field', async () => !(await fields()).includes('trash_slack'));
    const { imap } = await fullMailbox();
    expect(await save(imap, 'Trash', LARGEST)).toMatchObject({ ok: true });
    expect(await save(imap, 'Trash', LARGEST)).toMatchObject(refused);
    await imap.logout();
  });
});
