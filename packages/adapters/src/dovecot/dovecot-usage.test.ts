import type { Address } from '@mailstead/core/mailboxes/address';
import { DovecotUsage } from './dovecot-usage.js';
import { DoveadmServer } from './testing/doveadm-server.js';

const API_KEY = 'a key with spaces and ümlauts';
const ALICE = 'alice@example.com' as Address;

describe('the usage of a mailbox', () => {
  let server: DoveadmServer;
  let usage: DovecotUsage;

  beforeEach(async () => {
    server = await DoveadmServer.start(API_KEY);
    server.messages = [
      { user: ALICE, bytes: 3_000_000, savedAt: 1 },
      { user: ALICE, bytes: 72, savedAt: 2 },
      { user: 'bob@example.com', bytes: 1, savedAt: 3 },
    ];
    usage = new DovecotUsage({ url: server.url, apiKey: API_KEY, timeoutMs: 5_000 });
  });
  afterEach(() => server.close());

  it("is Dovecot's count of bytes, in whole kilobytes, and of messages", async () => {
    expect(await usage.read(ALICE)).toEqual({ bytes: 2_930 * 1_024, messages: 2 });
    expect(server.commands).toEqual(['quotaGet alice@example.com']);
  });

  it('of an empty mailbox is 0', async () => {
    server.messages = [];
    expect(await usage.read(ALICE)).toEqual({ bytes: 0, messages: 0 });
  });

  it.each([[67], [75], ['close'], ['cut']] as const)('is unknown after %s', async (fault) => {
    server.fault = fault;
    expect(await usage.read(ALICE)).toBeNull();
  });

  it('is unknown after an answer without an end, of which little is read', async () => {
    server.fault = 'endless';
    expect(await usage.read(ALICE)).toBeNull();
    // What the kernel and the connection hold is written, but not read.
    expect(server.endlessBytes).toBeLessThan(16 * 1_024 * 1_024);
  });

  it('is unknown when Dovecot does not respond, refuses the key or cannot be reached', async () => {
    server.fault = 'hang';
    expect(await new DovecotUsage({ url: server.url, apiKey: API_KEY, timeoutMs: 100 }).read(ALICE)).toBeNull();
    server.fault = null;
    expect(await new DovecotUsage({ url: server.url, apiKey: 'wrong' }).read(ALICE)).toBeNull();
    expect(await new DovecotUsage({ url: 'http://127.0.0.1:1/doveadm/v1', apiKey: API_KEY }).read(ALICE)).toBeNull();
  });
});
