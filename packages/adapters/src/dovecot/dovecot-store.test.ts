import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { StoredMailbox } from '@mailstead/core/mailboxes/stored-mailbox';
import { mailStoreContract } from '@mailstead/core/testing/mail-store-contract';
import { ScratchMaildir } from '../maildir/testing/scratch-maildir.js';
import { DovecotStore } from './dovecot-store.js';
import { DoveadmServer } from './testing/doveadm-server.js';

const API_KEY = 'a key with spaces and ümlauts';
const DOMAIN = 'example.com' as DomainName;
const ALICE: StoredMailbox = { email: 'alice@example.com', home: 'a'.repeat(32) };

mailStoreContract(async () => {
  const server = await DoveadmServer.start(API_KEY);
  return {
    store: new DovecotStore({ url: server.url, apiKey: API_KEY }),
    save: async ({ email }, _folder, bytes) => {
      server.messages.push({ user: email, bytes, savedAt: Math.floor(Date.now() / 1_000) });
    },
    count: async ({ email }) => server.messages.filter(({ user }) => user === email).length,
    close: () => server.close(),
  };
});

describe('stored mail behind Dovecot', () => {
  let server: DoveadmServer;
  let store: DovecotStore;

  beforeEach(async () => {
    server = await DoveadmServer.start(API_KEY);
    store = new DovecotStore({ url: server.url, apiKey: API_KEY, timeoutMs: 5_000 });
  });
  afterEach(() => server.close());

  async function* nobody(): AsyncIterable<StoredMailbox[]> {
    yield [];
  }
  const purge = (from: DovecotStore, savedBefore = new Date('2026-03-01T00:00:00Z')) =>
    from.purge(DOMAIN, nobody(), savedBefore, false);
  const unavailable = (sentence: string) => ({
    code: 'mail_store_unavailable',
    message: expect.stringContaining(sentence),
  });

  test('is purged with two commands for a domain, and with one when nothing expired', async () => {
    server.messages = [{ user: 'alice@example.com', bytes: 1, savedAt: 1_000 }];
    await purge(store);
    expect(server.commands).toEqual(['fetch *@example.com', 'expunge *@example.com']);
    await purge(store);
    expect(server.commands).toHaveLength(3);
  });

  test('is kept when it was saved in the second of the limit', async () => {
    server.messages = [
      { user: 'alice@example.com', bytes: 1, savedAt: 1_999 },
      { user: 'alice@example.com', bytes: 2, savedAt: 2_000 },
    ];
    expect(await purge(store, new Date(2_000_999))).toEqual({ messages: 1, bytes: 1 });
    expect(server.messages).toHaveLength(1);
  });

  test('is counted in a response of many chunks', async () => {
    for (let index = 0; index < 5_000; index += 1) {
      server.messages.push({ user: `user${index}@example.com`, bytes: index, savedAt: 1 });
    }
    expect(await purge(store)).toEqual({ messages: 5_000, bytes: (4_999 * 5_000) / 2 });
  });

  test.each([
    [75, 'a temporary failure'],
    [67, 'it knows no such user'],
    [99, 'exit code was 99'],
    ['close', 'Dovecot did not carry out fetch'],
    ['cut', 'Dovecot did not carry out fetch'],
  ] as const)('is unavailable after %s, and nothing is removed', async (fault, sentence) => {
    server.messages = [{ user: 'alice@example.com', bytes: 1, savedAt: 1 }];
    server.fault = fault;
    await expect(purge(store)).rejects.toMatchObject(unavailable(sentence));
    expect(server.messages).toHaveLength(1);
    server.fault = null;
    expect(await purge(store)).toEqual({ messages: 1, bytes: 1 });
  });

  test('is unavailable when Dovecot does not respond, refuses the key or cannot be reached', async () => {
    server.fault = 'hang';
    const hasty = new DovecotStore({ url: server.url, apiKey: API_KEY, timeoutMs: 100 });
    await expect(purge(hasty)).rejects.toMatchObject(unavailable('no answer within 100 ms'));
    const stranger = new DovecotStore({ url: server.url, apiKey: 'wrong' });
    await expect(purge(stranger)).rejects.toMatchObject(unavailable('it refused DOVEADM_API_KEY'));
    const lost = new DovecotStore({ url: 'http://127.0.0.1:1/doveadm/v1', apiKey: API_KEY });
    await expect(purge(lost)).rejects.toMatchObject(unavailable('Dovecot did not carry out fetch'));
  });

  test('never sends a time that Dovecot cannot parse', async () => {
    await expect(purge(store, new Date(Number.NaN))).rejects.toThrow('not a Unix time');
    expect(server.commands).toEqual([]);
  });

  test('of a deleted mailbox is removed on the file system, when the folder of the homes is set', async () => {
    const mail = await ScratchMaildir.create();
    await mail.save(ALICE, '', 10);
    await expect(store.removeHome(ALICE)).rejects.toMatchObject(unavailable('MAILDIR_ROOT'));
    const near = new DovecotStore({ url: server.url, apiKey: API_KEY, root: mail.root });
    expect(await near.removeHome(ALICE)).toEqual({ messages: 1, bytes: 10 });
    expect(await near.removeHome(ALICE)).toEqual({ messages: 0, bytes: 0 });
    await mail.close();
  });
});
