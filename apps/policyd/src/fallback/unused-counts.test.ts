import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Count } from '../outbound-api.js';
import { UnusedCounts } from './unused-counts.js';

const HOUR_MS = 3_600_000;
const ALICE = 'alice@acme.example';

describe('the count of a message that did not pass', () => {
  let folder: string;
  let now: number;
  let notSaved: unknown[];
  let ids = 0;

  const open = () =>
    UnusedCounts.open(
      folder,
      (error) => notSaved.push(error),
      () => now,
    );
  const message = (fields: Partial<Count> = {}): Count => {
    ids += 1;
    const recipients = ['x@out.example', 'list@acme.example'];
    const sent = { domain: 'acme.example', sender: ALICE, claims: [ALICE], recipients, count: 4, bytes: 5_000 };
    return { ...sent, id: `mx:${ids}`, ...fields };
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-unused-'));
    now = Date.parse('2026-03-15T12:00:00Z');
    notSaved = [];
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(`${folder}.away`, { recursive: true, force: true });
  });

  it('is taken over once, with its id and size, by the next message of the login to the same recipients', async () => {
    const [counts, first, second] = [await open(), message(), message({ bytes: 5_900 })];
    expect(await counts.takeOver(second)).toBe(second);
    await counts.add(first);
    expect(await counts.takeOver(second)).toEqual({ ...second, id: first.id, bytes: 5_000 });
    expect(await counts.takeOver(second)).toBe(second);
  });

  it('is not taken over by a message that counts otherwise', async () => {
    const counts = await open();
    await counts.add(message());
    for (const other of [
      { sender: 'bob@acme.example' },
      { recipients: ['x@out.example'] },
      { recipients: ['list@acme.example', 'x@out.example'] },
      { claims: ['info@acme.example'] },
      { count: 5 },
      { domain: 'beta.example' },
      { forwarded: true },
      { receipt: true },
      { bytes: 6_025 },
      { bytes: 3_975 },
    ]) {
      const item = message(other);
      expect(await counts.takeOver(item)).toBe(item);
    }
    expect([counts.has(ALICE), counts.has('bob@acme.example')]).toEqual([true, false]);
  });

  it('is kept over a crash until it is taken over, and not longer than four hours', async () => {
    const [first, second] = [message(), message()];
    await (await open()).add(first);
    await (await open()).add(second);
    expect((await (await open()).takeOver(message())).id).toBe(first.id);
    const later = await open();
    now += 4 * HOUR_MS;
    expect(later.has(ALICE)).toBe(false);
    const item = message();
    expect(await later.takeOver(item)).toBe(item);
    now -= 1;
    expect((await later.takeOver(item)).id).toBe(second.id);
  });

  it('of forwarded mail belongs to its domain', async () => {
    const counts = await open();
    await counts.add({
      domain: 'acme.example',
      recipients: ['list@acme.example'],
      bytes: 1,
      id: 'mx:f',
      forwarded: true,
    });
    expect([counts.has('@acme.example'), counts.has(ALICE)]).toEqual([true, false]);
  });

  it('is kept in memory while the disk cannot be written, and is taken over only when that can be written', async () => {
    const counts = await open();
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'not a folder');
    const [first, second] = [message(), message()];
    await counts.add(first);
    expect(await counts.takeOver(second)).toBe(second);
    expect(notSaved).toHaveLength(2);
    await rm(folder);
    expect((await counts.takeOver(second)).id).toBe(first.id);
  });

  it.each(['', '{}', '[1, null]', 'null', '[{"id": "mx:1"}]', '[{"id'])(
    'is absent when the file has the content %j',
    async (text) => {
      await writeFile(join(folder, 'unused-counts.json'), text);
      const [counts, item] = [await open(), message()];
      expect(await counts.takeOver(item)).toBe(item);
    },
  );
});
