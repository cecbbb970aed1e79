import { access, lstat, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import { mailStoreContract } from '@mailstead/core/testing/mail-store-contract';
import { MaildirStore } from './maildir-store.js';
import { savedAt } from './maildir-walk.js';
import { ScratchMaildir } from './testing/scratch-maildir.js';

mailStoreContract(async () => {
  const mail = await ScratchMaildir.create();
  return {
    store: new MaildirStore({ root: mail.root }),
    save: async (mailbox, folder, bytes) => void (await mail.save(mailbox, folder, bytes)),
    count: (mailbox) => mail.count(mailbox),
    close: () => mail.close(),
  };
});

const DOMAIN = 'example.com' as DomainName;
const aMailbox = (digit: string): StoredMailbox => ({ email: `${digit}@example.com`, home: digit.repeat(32) });
const ALICE = aMailbox('a');
const BOB = aMailbox('b');

async function* inOneChunk(...mailboxes: StoredMailbox[]): AsyncIterable<StoredMailbox[]> {
  yield mailboxes;
}

describe('stored mail in Maildirs', () => {
  let mail: ScratchMaildir;
  let store: MaildirStore;

  beforeEach(async () => {
    mail = await ScratchMaildir.create();
    store = new MaildirStore({ root: mail.root, concurrency: 2 });
  });
  afterEach(() => mail.close());

  const later = () => new Date(Date.now() + 3_600_000);
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );

  /** Saves messages until the ctime is later than `after`. */
  async function saveAfter(mailbox: StoredMailbox, after: number): Promise<{ path: string; at: number }> {
    for (;;) {
      const path = await mail.save(mailbox, '', 1);
      const at = savedAt(await lstat(path));
      if (at > after) return { path, at };
      await rename(path, join(dirname(dirname(path)), 'tmp', 'early'));
    }
  }

  test('are purged when they were saved before the limit, not by the date of the message', async () => {
    const first = await saveAfter(ALICE, 0);
    const second = await saveAfter(ALICE, first.at + 2);
    const third = await saveAfter(ALICE, second.at + 2);
    expect((await stat(first.path)).mtimeMs).toBe(0);
    const cut = new Date(Math.floor(second.at) + 1);
    expect(await store.purge(DOMAIN, inOneChunk(ALICE), new Date(Math.floor(second.at)), true)).toMatchObject({
      messages: 1,
    });
    expect(await store.purge(DOMAIN, inOneChunk(ALICE), cut, false)).toMatchObject({ messages: 2 });
    expect(await exists(third.path)).toBe(true);
  });

  test('are purged of new and read messages, but not of other files', async () => {
    await mail.save(ALICE, '', 10, 'new');
    await mail.save(ALICE, 'Junk', 20, 'cur');
    const maildir = join(mail.homeOf(ALICE), 'Maildir');
    const kept = [join(maildir, 'tmp', 'arriving'), join(maildir, 'dovecot-uidlist'), join(maildir, '.Junk', 'notes')];
    for (const path of kept) await writeFile(path, 'x');
    await mkdir(join(maildir, 'cur', 'folder'));
    expect(await store.purge(DOMAIN, inOneChunk(ALICE), later(), false)).toEqual({ messages: 2, bytes: 30 });
    for (const path of kept) expect(await exists(path)).toBe(true);
  });

  test('are never reached through symbolic links', async () => {
    const treasure = await mail.save(BOB, '', 5);
    const bobsMaildir = join(mail.homeOf(BOB), 'Maildir');
    await mail.save(ALICE, '', 1);
    const maildir = join(mail.homeOf(ALICE), 'Maildir');
    await symlink(bobsMaildir, join(maildir, '.Linked'));
    await mkdir(join(maildir, '.Half'));
    await symlink(join(bobsMaildir, 'cur'), join(maildir, '.Half', 'cur'));
    await symlink(treasure, join(maildir, 'cur', 'link:2,S'));
    expect(await store.purge(DOMAIN, inOneChunk(ALICE), later(), false)).toEqual({ messages: 1, bytes: 1 });
    expect(await store.removeHome(ALICE)).toEqual({ messages: 0, bytes: 0 });
    expect(await exists(treasure)).toBe(true);

    const linked = aMailbox('c');
    await mkdir(join(mail.root, 'cc'));
    await symlink(mail.homeOf(BOB), mail.homeOf(linked));
    expect(await store.purge(DOMAIN, inOneChunk(linked), later(), false)).toEqual({ messages: 0, bytes: 0 });
    expect(await store.removeHome(linked)).toEqual({ messages: 0, bytes: 0 });
    expect(await exists(treasure)).toBe(true);
  });

  test.each(['', '..', '../../../../etc', 'a'.repeat(31), 'A'.repeat(32), `${'a'.repeat(31)}/`])(
    'are refused for the home %j, which is outside the root',
    async (home) => {
      const stray = { email: 'stray@example.com', home };
      const refused = { code: 'mail_store_unavailable', message: expect.stringContaining('not 32 hex digits') };
      await expect(store.purge(DOMAIN, inOneChunk(stray), later(), false)).rejects.toMatchObject(refused);
      await expect(store.removeHome(stray)).rejects.toMatchObject(refused);
    },
  );

  test('are purged in all other mailboxes when one is refused', async () => {
    await mail.save(ALICE, '', 1);
    await mail.save(BOB, '', 1);
    const all = inOneChunk({ email: 'stray@example.com', home: '..' }, ALICE, BOB);
    await expect(store.purge(DOMAIN, all, later(), false)).rejects.toMatchObject({ code: 'mail_store_unavailable' });
    expect(await mail.count(ALICE)).toBe(0);
    expect(await mail.count(BOB)).toBe(0);
  });

  test('are unavailable, not empty, when the root is missing', async () => {
    const lost = new MaildirStore({ root: join(mail.root, 'gone') });
    const refused = { code: 'mail_store_unavailable' };
    await expect(lost.purge(DOMAIN, inOneChunk(ALICE), later(), false)).rejects.toMatchObject(refused);
    await expect(lost.removeHome(ALICE)).rejects.toMatchObject(refused);
  });

  test('of a deleted mailbox are removed with their home, once', async () => {
    await mail.save(ALICE, '', 10);
    await mail.save(ALICE, 'Sent.2025', 5);
    await writeFile(join(mail.homeOf(ALICE), 'Maildir', 'dovecot.index.cache'), 'x');
    await mail.save(BOB, '', 1);
    expect(await store.removeHome(ALICE)).toEqual({ messages: 2, bytes: 15 });
    expect(await exists(mail.homeOf(ALICE))).toBe(false);
    expect(await store.removeHome(ALICE)).toEqual({ messages: 0, bytes: 0 });
    expect(await mail.count(BOB)).toBe(1);
  });

  // More than two parts of a folder.
  test('are all counted when files are removed during the walk', async () => {
    for (let index = 0; index < 520; index += 1) await mail.save(ALICE, '', 2);
    expect(await store.purge(DOMAIN, inOneChunk(ALICE), later(), false)).toEqual({ messages: 520, bytes: 1_040 });
    expect(await mail.count(ALICE)).toBe(0);
  });
});
