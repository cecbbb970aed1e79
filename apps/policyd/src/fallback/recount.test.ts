import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OutboundApi } from '../outbound-api.js';
import { openFilesIn } from '../testing/open-files.js';
import { Journal } from './journal.js';
import { Recount } from './recount.js';
import { RefusalMemory } from './refusal-memory.js';

const MESSAGES = 2_000;

const MESSAGE = { domain: 'a.example', sender: 'a@a.example', recipients: [], count: 1, bytes: 1 };

describe('the recount', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-recount-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('ends after the request in flight when it is stopped, and leaves the remaining messages in the journal', async () => {
    const journal = await Journal.open(folder);
    const add = (_: unknown, id: number) => journal.add({ ...MESSAGE, id: String(id), at: Date.now() });
    await Promise.all(Array.from({ length: MESSAGES }, add));
    let requests = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const countAlreadySent = async () => {
      requests += 1;
      begin();
      await answered;
      return 'counted';
    };
    const api = { countAlreadySent } as unknown as OutboundApi;
    const recount = new Recount(journal, await RefusalMemory.open(folder), api, () => undefined);
    await begun;
    const stopped = recount.stop();
    answer();
    await stopped;
    expect(requests).toBe(1);
    expect(await openFilesIn(folder)).toEqual([]);
    const remaining = await Journal.open(folder);
    expect(remaining.size).toBe(MESSAGES - 500);
    await remaining.close();
  });
});
