import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FailOpen } from './fail-open.js';
import { Journal } from './journal.js';
import { RefusalMemory } from './refusal-memory.js';

const SENDER = 'alice@acme.test';
const UNCHECKED = '451 4.7.1 The sender cannot be checked now, try again later';

describe('mail that passes while the API is unavailable', () => {
  let folder: string;
  let journal: Journal;
  let fallback: FailOpen;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-open-'));
    journal = await Journal.open(folder);
    fallback = new FailOpen(journal, await RefusalMemory.open(folder));
  });
  afterEach(async () => {
    await journal.close();
    await rm(folder, { recursive: true, force: true });
  });

  const count = (id: string, ...claims: string[]) =>
    fallback.count({ domain: 'acme.test', sender: SENDER, recipients: ['x@out.test'], bytes: 1, id, claims });

  it('names only the login in its header; a message with any other sender is deferred', async () => {
    expect(await count('own', SENDER)).toBe('DUNNO');
    expect(await count('alias', 'info@acme.test')).toBe(UNCHECKED);
    expect(await count('both', SENDER, 'info@acme.test')).toBe(UNCHECKED);
    expect(journal.oldest(10).map(({ id }) => id)).toEqual(['own']);
  });

  it('is no read receipt, whose number only the API knows', async () => {
    const item = { domain: 'acme.test', sender: SENDER, recipients: ['x@out.test'], bytes: 1, id: 'receipt' };
    expect(await fallback.count({ ...item, receipt: true })).toMatch(/^451 4\.3\.5 /);
    expect(journal.size).toBe(0);
  });

  it('is checked also when its id is that of a message which passed before', async () => {
    expect(await count('reused', SENDER)).toBe('DUNNO');
    expect(await count('reused', SENDER)).toBe('DUNNO');
    expect(await count('reused', 'info@acme.test')).toBe(UNCHECKED);
    expect(journal.size).toBe(1);
  });

  it('may be of an older session, whose age is not in the journal', async () => {
    const message = { domain: 'acme.test', sender: SENDER, recipients: ['x@out.test'], bytes: 1, id: 'old' };
    expect(await fallback.count({ ...message, sessionBegan: -1_000_000 })).toBe('DUNNO');
    expect(journal.oldest(1)[0]).toEqual({ ...message, at: expect.any(Number) });
  });

  it('is in the journal without its claims, which an older API would refuse', async () => {
    await count('own', SENDER);
    expect(Object.keys(journal.oldest(1)[0] ?? {}).sort()).toEqual([
      'at',
      'bytes',
      'domain',
      'id',
      'recipients',
      'sender',
    ]);
  });
});
