import { appendFile, type FileHandle, mkdir, mkdtemp, open, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { openFilesIn } from '../testing/open-files.js';
import { Journal } from './journal.js';
import type { PassedMessage } from './passed-messages.js';

const NOW = Date.parse('2026-03-15T12:00:00.000Z');
const HOUR_MS = 3_600_000;

const passed = (id: string, fields: Partial<PassedMessage> = {}): PassedMessage => ({
  id,
  domain: 'a.example',
  sender: 'alice@a.example',
  recipients: [],
  count: 1,
  bytes: 10,
  at: NOW,
  ...fields,
});

describe('the journal of messages that passed uncounted', () => {
  let folder: string;
  let journal: Journal;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-journal-'));
    journal = await Journal.open(folder);
  });
  afterEach(async () => {
    for (const each of crashed.splice(0)) await each.close();
    await journal.close();
    expect(await openFilesIn(folder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  const lines = async () => (await readFile(join(folder, 'accepted.jsonl'), 'utf8')).split('\n').filter(Boolean);
  /** Journals of processes that were killed: nothing of them was written at their end. */
  const crashed: Journal[] = [];
  const reopened = async () => {
    crashed.push(journal);
    journal = await Journal.open(folder);
    return journal;
  };

  it('has written each message to the disk when add resolves', async () => {
    await Promise.all(['1', '2', '3'].map((id) => journal.add(passed(id))));
    const { passed: known, size } = await reopened();
    expect(size).toBe(3);
    expect(['1', '2', '3', '4'].map((id) => known.has(id))).toEqual([true, true, true, false]);
    expect(known.recipientsOf('alice@a.example', NOW)).toBe(3);
  });

  it.each([undefined, null, 'one@out.example', 3])(
    'keeps a line whose recipients are %p, with its count, and the lines after it',
    async (recipients) => {
      const line = JSON.stringify({ ...passed('1', { count: 3 }), recipients });
      await appendFile(join(folder, 'accepted.jsonl'), `${line}\n`);
      const { passed: known } = await reopened();
      await journal.add(passed('2'));
      expect(journal.oldest(9).map(({ id }) => id)).toEqual(['1', '2']);
      expect(journal.oldest(9)[0]?.recipients).toEqual([]);
      expect(known.recipientsOf('alice@a.example', NOW)).toBe(4);
    },
  );

  it('ignores a line that a crash cut, and keeps all lines after it', async () => {
    await journal.add(passed('1'));
    await appendFile(join(folder, 'accepted.jsonl'), '{"id":"2","dom');
    await (await reopened()).add(passed('3'));
    expect((await reopened()).oldest(9).map(({ id }) => id)).toEqual(['1', '3']);
  });

  it('starts with any other content in its file', async () => {
    await journal.add(passed('1'));
    await appendFile(join(folder, 'accepted.jsonl'), 'null\n5\n"text"\n\0\0\n');
    expect((await reopened()).oldest(9).map(({ id }) => id)).toContain('1');
  });

  it('never counts a message that it could not write to the disk, and continues with the next one', async () => {
    const file = await open(join(folder, 'accepted.jsonl'));
    const datasync = jest.spyOn(Object.getPrototypeOf(file) as FileHandle, 'datasync');
    await file.close();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    for (let failures = 0; failures < 3; failures += 1) datasync.mockRejectedValueOnce(full);
    const adding = await Promise.allSettled([journal.add(passed('1')), journal.add(passed('2'))]);
    datasync.mockRestore();
    expect(adding.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await journal.add(passed('3'));
    expect((await reopened()).oldest(9).map(({ id }) => id)).toEqual(['3']);
    expect(journal.passed.recipientsOf('alice@a.example', NOW)).toBe(1);
  });

  it('starts on a full disk with the messages in its file, accepts new ones, and rewrites the file when there is space', async () => {
    for (const id of ['1', '2', '3']) await journal.add(passed(id));
    await appendFile(join(folder, 'accepted.jsonl'), '{"id":"cut","dom');
    const fill = () => symlink('/dev/full', join(folder, 'accepted.jsonl.new'));
    await fill();
    await reopened();
    expect(journal.oldest(9).map(({ id }) => id)).toEqual(['1', '2', '3']);
    await fill();
    await journal.drop(2, NOW);
    expect(journal.oldest(9).map(({ id }) => id)).toEqual(['3']);
    // There was space for a line, and then for the file.
    await journal.add(passed('4'));
    await journal.drop(1, NOW);
    expect((await lines()).map((line) => (JSON.parse(line) as PassedMessage).id)).toEqual(['4']);
    expect((await reopened()).oldest(9).map(({ id }) => id)).toEqual(['4']);
  });

  it('empties its file on a full disk when everything is counted', async () => {
    for (const id of ['1', '2']) await journal.add(passed(id));
    await symlink('/dev/full', join(folder, 'accepted.jsonl.new'));
    await journal.drop(2, NOW);
    await journal.close();
    expect(await lines()).toEqual([]);
  });

  it('keeps its file and continues when it cannot rewrite it', async () => {
    for (const id of ['1', '2']) await journal.add(passed(id));
    const draft = join(folder, 'accepted.jsonl.new');
    await mkdir(draft);
    await expect(journal.drop(1, NOW)).rejects.toMatchObject({ code: 'EISDIR' });
    await journal.add(passed('3'));
    expect(journal.oldest(9).map(({ id }) => id)).toEqual(['2', '3']);
    expect(await lines()).toHaveLength(3);
    await rm(draft, { recursive: true });
    await journal.drop(1, NOW);
    await journal.add(passed('4'));
    expect((await reopened()).oldest(9).map(({ id }) => id)).toEqual(['3', '4']);
  });

  it('leaves no file open when it cannot rewrite its file at the end', async () => {
    for (const id of ['1', '2', '3']) await journal.add(passed(id));
    await journal.drop(1, NOW);
    const draft = join(folder, 'accepted.jsonl.new');
    await mkdir(draft);
    await expect(journal.close()).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await openFilesIn(folder)).toEqual([]);
    await rm(draft, { recursive: true });
    expect((await reopened()).oldest(9).map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('counts a mailbox’s recipients and keeps the message id for an hour, whether the message is counted or not', async () => {
    await journal.add(passed('1', { count: 60 }));
    await journal.add(passed('2', { sender: 'bob@a.example' }));
    await journal.drop(2, NOW);
    await journal.add(passed('3', { count: 5, at: NOW + 1 }));
    const recipients = (now: number) => journal.passed.recipientsOf('alice@a.example', now);
    expect([recipients(NOW), recipients(NOW + HOUR_MS), recipients(NOW + HOUR_MS + 1)]).toEqual([65, 5, 0]);
    expect(journal.passed.has('1')).toBe(true);
    await journal.drop(1, NOW + HOUR_MS);
    expect(['1', '2', '3'].map((id) => journal.passed.has(id))).toEqual([false, false, true]);
  });

  it('keeps an uncounted message for as long as it is not counted', async () => {
    await journal.add(passed('old', { at: NOW - 30 * HOUR_MS }));
    await journal.drop(0, NOW);
    expect(journal.passed.has('old')).toBe(true);
    expect((await reopened()).passed.has('old')).toBe(true);
  });

  it('rewrites at most one line for each line that it removes', async () => {
    for (let id = 0; id < 8; id += 1) await journal.add(passed(String(id)));
    await journal.drop(3, NOW);
    expect(await lines()).toHaveLength(8);
    await journal.drop(1, NOW);
    expect(await lines()).toHaveLength(4);
    await journal.drop(1, NOW);
    await journal.close();
    expect((await lines()).map((line) => (JSON.parse(line) as PassedMessage).id)).toEqual(['5', '6', '7']);
  });
});
