import { access, constants, type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Batcher } from '@mailstead/core/batcher';
import { Mutex } from '@mailstead/core/mutex';
import { isDiskFull, replaceOpenFile } from '../replace-file.js';
import { type PassedMessage, PassedMessages } from './passed-messages.js';

const FILE = 'accepted.jsonl';
const FOR_APPENDING = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

/** Stores the messages that passed and are not counted yet in a file, one per line. */
export class Journal {
  readonly passed = new PassedMessages();
  private readonly appends: Batcher<PassedMessage, void>;
  /** Appends and rewrites of the file run one after the other. */
  private readonly mutex = new Mutex();

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private readonly uncounted: PassedMessage[],
    /** Lines of the file that the next rewrite removes. */
    private surplusLines: number,
  ) {
    this.appends = new Batcher((items) => this.mutex.run(() => this.append(items)), {
      maxItems: 1_000,
      maxInFlight: 1,
    });
    for (const message of uncounted) {
      this.passed.charge(message);
      this.passed.add(message);
    }
  }

  /**
   * Opens the journal also on a full disk, because the messages in the file must be counted.
   *
   * @throws Error when the folder cannot be written for another reason.
   */
  static async open(folder: string): Promise<Journal> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const messages = readMessages(text);
    try {
      // The message of a last line that a crash cut did not pass. Nothing may be appended to that line.
      return new Journal(path, await replaceOpenFile(path, toLines(messages)), messages, 0);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Each append begins with a line feed, which also ends a cut line.
      return new Journal(path, await open(path, FOR_APPENDING, 0o600), messages, 1);
    }
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

  /** Resolves when the message is written to the disk. */
  async add(message: PassedMessage): Promise<void> {
    this.passed.charge(message);
    try {
      await this.appends.call(message);
    } catch (error) {
      this.passed.uncharge(message);
      throw error;
    }
  }

  /** Returns the oldest uncounted messages, in order. */
  oldest(limit: number): PassedMessage[] {
    return this.uncounted.slice(0, limit);
  }

  /** Removes the oldest messages, which are counted. `oldest` may return some of them again after a crash. */
  drop(count: number, now: number): Promise<void> {
    return this.mutex.run(async () => {
      const dropped = this.uncounted.splice(0, count);
      this.passed.release(dropped, now);
      this.surplusLines += dropped.length;
      // A rewrite removes at least as many lines as it writes.
      if (this.surplusLines >= this.uncounted.length) await this.rewriteIfRoom();
    });
  }

  /**
   * Closes the file.
   *
   * @throws Error when the counted messages could not be removed from the file. Their ids count once within a day.
   */
  async close(): Promise<void> {
    await this.mutex.run(async () => {
      try {
        if (this.surplusLines > 0) await this.rewriteIfRoom();
      } finally {
        await this.file.close();
      }
    });
  }

  private async append(messages: PassedMessage[]): Promise<void[]> {
    await this.appendLines(toLines(messages));
    this.uncounted.push(...messages);
    return messages.map((message) => this.passed.add(message));
  }

  private async appendLines(lines: string): Promise<void> {
    const { size } = await this.file.stat();
    try {
      // The line feed before them ends a line that a full disk cut earlier.
      await this.file.appendFile(`\n${lines}`);
      await this.file.datasync();
    } catch (error) {
      // The messages do not pass, so none of their lines may be counted after a restart.
      await this.file.truncate(size).catch(() => undefined);
      throw error;
    }
  }

  /** A full disk leaves the file unchanged, with its counted messages. Their ids count once within a day. */
  private async rewriteIfRoom(): Promise<void> {
    try {
      await this.rewrite();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }

  private async rewrite(): Promise<void> {
    if (this.uncounted.length === 0) {
      // Truncating works on a full disk and frees space.
      await this.file.truncate(0);
      await this.file.datasync();
      this.surplusLines = 0;
      return;
    }
    const former = this.file;
    // The new file is already open: appending must work also when no further file can be opened.
    this.file = await replaceOpenFile(this.path, toLines(this.uncounted));
    this.surplusLines = 0;
    await former.close();
  }
}

function toLines(messages: readonly PassedMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function readMessages(text: string): PassedMessage[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      if (typeof value !== 'object' || value === null) return [];
      const message = value as PassedMessage;
      // The file may be edited. The API refuses other wrong fields, but a list is needed before it is asked.
      return [{ ...message, recipients: Array.isArray(message.recipients) ? message.recipients : [] }];
    } catch {
      return [];
    }
  });
}
