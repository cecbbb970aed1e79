import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Batcher } from '@mailstead/core/batcher';
import type { Count } from '../outbound-api.js';

/** A message that passed while the API was away, and when. */
export interface JournalEntry extends Count {
  at: number;
}

const FILE = 'accepted.jsonl';
const HOUR_MS = 3_600_000;

/**
 * The messages that passed uncounted, a line each, in a file that survives this process. An entry that was counted leaves the
 * file; for the hourly bound it is remembered until its hour is over.
 */
export class Journal {
  private readonly appends: Batcher<JournalEntry, void>;
  /** On their way to the disk; they count for the hourly bound already. */
  private readonly appending = new Set<JournalEntry>();
  /** One after the other: appends, and the rewriting without what was counted. */
  private lastWork: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private entries: JournalEntry[],
    private counted: JournalEntry[] = [],
  ) {
    this.appends = new Batcher((items) => this.inTurn(() => this.append(items)), { maxItems: 1_000, maxFlights: 1 });
  }

  /** @throws Error when the folder cannot be written. */
  static async open(folder: string): Promise<Journal> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const journal = new Journal(path, await open(path, 'a', 0o600), readEntries(text));
    // A last line that was cut by a crash was never answered; new lines must not be put behind it.
    await journal.inTurn(() => journal.rewrite());
    return journal;
  }

  get size(): number {
    return this.entries.length;
  }

  holds(id: string): boolean {
    return this.entries.some((entry) => entry.id === id) || this.counted.some((entry) => entry.id === id);
  }

  /** How many recipients of a mailbox passed since then. */
  recipientsSince(sender: string, since: number): number {
    return [...this.entries, ...this.counted, ...this.appending]
      .filter((entry) => entry.sender === sender && entry.at > since)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** On the disk when it returns. */
  async add(entry: JournalEntry): Promise<void> {
    this.appending.add(entry);
    try {
      await this.appends.call(entry);
    } finally {
      this.appending.delete(entry);
    }
  }

  /** The oldest entries, in order. */
  oldest(limit: number): JournalEntry[] {
    return this.entries.slice(0, limit);
  }

  /** Forgets the oldest entries: they are counted. */
  drop(count: number, now: number): Promise<void> {
    return this.inTurn(async () => {
      this.counted = [...this.counted, ...this.entries.splice(0, count)].filter(({ at }) => at > now - HOUR_MS);
      await this.rewrite();
    });
  }

  async close(): Promise<void> {
    await this.inTurn(() => this.file.close());
  }

  private async append(items: JournalEntry[]): Promise<void[]> {
    // The line feed before them ends a line that a full disk cut the last time.
    await this.file.appendFile(`\n${items.map((item) => `${JSON.stringify(item)}\n`).join('')}`);
    await this.file.datasync();
    this.entries.push(...items);
    return items.map(() => undefined);
  }

  private async rewrite(): Promise<void> {
    const path = `${this.path}.new`;
    const fresh = await open(path, 'w', 0o600);
    await fresh.writeFile(this.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    await fresh.datasync();
    await rename(path, this.path);
    await this.file.close();
    this.file = fresh;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastWork.then(work);
    this.lastWork = turn.catch(() => undefined);
    return turn;
  }
}

function readEntries(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}
