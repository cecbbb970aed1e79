import { access, type FileHandle, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Batcher } from '@mailstead/core/batcher';
import { replaceOpenFile } from '../replace-file.js';
import { type PassedMessage, PassedMessages } from './passed-messages.js';

const FILE = 'accepted.jsonl';

/** The messages that passed and are not counted yet, a line each, in a file that survives this process. */
export class Journal {
  readonly passed = new PassedMessages();
  private readonly appends: Batcher<PassedMessage, void>;
  /** One after the other: appends, and the rewriting without what was counted. */
  private lastWork: Promise<unknown> = Promise.resolve();
  private countedLines = 0;

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private readonly uncounted: PassedMessage[],
  ) {
    this.appends = new Batcher((items) => this.inTurn(() => this.append(items)), { maxItems: 1_000, maxFlights: 1 });
    for (const message of uncounted) {
      this.passed.charge(message);
      this.passed.add(message);
    }
  }

  /** @throws Error when the folder cannot be written. */
  static async open(folder: string): Promise<Journal> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const messages = readMessages(text);
    // A last line that was cut by a crash was never answered; new lines must not be put behind it.
    return new Journal(path, await replaceOpenFile(path, toLines(messages)), messages);
  }

  static exists(folder: string): Promise<boolean> {
    return access(join(folder, FILE)).then(
      () => true,
      () => false,
    );
  }

  get size(): number {
    return this.uncounted.length;
  }

  /** On the disk when it returns. */
  async add(message: PassedMessage): Promise<void> {
    this.passed.charge(message);
    try {
      await this.appends.call(message);
    } catch (error) {
      this.passed.uncharge(message);
      throw error;
    }
  }

  /** The oldest messages that are not counted, in order. */
  oldest(limit: number): PassedMessage[] {
    return this.uncounted.slice(0, limit);
  }

  /** Forgets the oldest messages: they are counted. After a crash some may be named once more, under the same ids. */
  drop(count: number, now: number): Promise<void> {
    return this.inTurn(async () => {
      const dropped = this.uncounted.splice(0, count);
      this.passed.release(dropped, now);
      this.countedLines += dropped.length;
      // Never more lines are written than are left out.
      if (this.countedLines >= this.uncounted.length) await this.rewrite();
    });
  }

  async close(): Promise<void> {
    await this.inTurn(async () => {
      if (this.countedLines > 0) await this.rewrite();
      await this.file.close();
    });
  }

  private async append(messages: PassedMessage[]): Promise<void[]> {
    await this.putAtTheEnd(toLines(messages));
    this.uncounted.push(...messages);
    return messages.map((message) => this.passed.add(message));
  }

  private async putAtTheEnd(lines: string): Promise<void> {
    const { size } = await this.file.stat();
    try {
      // The line feed before them ends a line that a full disk cut the last time.
      await this.file.appendFile(`\n${lines}`);
      await this.file.datasync();
    } catch (error) {
      // The messages do not pass: whole lines among them would be counted after a restart.
      await this.file.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  private async rewrite(): Promise<void> {
    const former = this.file;
    // Not opened anew: where no file can be opened any more, appending has to go on.
    this.file = await replaceOpenFile(this.path, toLines(this.uncounted));
    this.countedLines = 0;
    await former.close();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastWork.then(work);
    this.lastWork = turn.catch(() => undefined);
    return turn;
  }
}

function toLines(messages: readonly PassedMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function readMessages(text: string): PassedMessage[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value as PassedMessage] : [];
    } catch {
      return [];
    }
  });
}
