import { hash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Batcher } from '@mailstead/core/batcher';
import type { Count } from '../outbound-api.js';
import { replaceFile } from '../replace-file.js';
import { chargedTo } from './passed-messages.js';

const FILE = 'unused-counts.json';
/** Must exceed the time after which mail servers try a deferred message again (Postfix: at most 4,000 s). */
const KEPT_MS = 4 * 3_600_000;
const MAX_COUNTS = 20_000;
/** A mail program may write another date or Message-ID when it repeats a message. */
const MAX_DIFFERENCE_BYTES = 1_024;

interface UnusedCount {
  /** The mailbox that logged in, or `@domain` of forwarded mail. */
  chargedTo: string;
  /** A hash of what the API compares for an id, such as the recipients and the sender addresses. */
  key: string;
  id: string;
  bytes: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * The counts of messages that did not pass. The API made such a count, or may have made it or may still make it,
 * because it did not respond in time. The next message with the same login, recipients and sender addresses takes over
 * the count by its id, and the API counts an id once. It does not matter whether that message is a repeat: one count,
 * one message that leaves.
 *
 * A count is written to the disk before its message is deferred, and removed from the disk before another message uses
 * it. So a crash loses at most counts that no message uses, and no count is used twice.
 */
export class UnusedCounts {
  private readonly saves = new Batcher<null, null>(
    async (calls) => {
      await this.save();
      return calls;
    },
    { maxItems: MAX_COUNTS, maxInFlight: 1 },
  );

  private constructor(
    private readonly path: string,
    private counts: UnusedCount[],
    private readonly onNotSaved: (error: unknown) => void,
    private readonly now: () => number,
  ) {}

  /** @param onNotSaved is called when the folder cannot be written. The counts are then kept until the process ends. */
  static async open(
    folder: string,
    onNotSaved: (error: unknown) => void,
    now: () => number = Date.now,
  ): Promise<UnusedCounts> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch(() => '[]');
    return new UnusedCounts(path, readCounts(text), onNotSaved, now);
  }

  /** Whether a message of this mailbox, or of `@domain`, may take over a count. */
  has(charged: string): boolean {
    return this.counts.some((count) => count.chargedTo === charged && this.isKept(count));
  }

  /**
   * Returns the item with the id and the size of an unused count, which is then no longer unused; or the item itself.
   */
  async takeOver(item: Count): Promise<Count> {
    if (this.counts.length === 0) return item;
    const key = keyOf(item);
    const found = this.counts.find(
      (count) => count.key === key && Math.abs(count.bytes - item.bytes) <= MAX_DIFFERENCE_BYTES && this.isKept(count),
    );
    if (found === undefined) return item;
    this.counts = this.counts.filter((count) => count !== found);
    try {
      await this.saves.call(null);
    } catch (error) {
      // After a crash the count would be used a second time.
      this.counts.push(found);
      this.onNotSaved(error);
      return item;
    }
    return { ...item, id: found.id, bytes: found.bytes };
  }

  /** Adds the count of a message that is deferred. */
  async add(item: Count): Promise<void> {
    const { id, bytes } = item;
    this.counts.push({ chargedTo: chargedTo(item), key: keyOf(item), id, bytes, at: this.now() });
    this.counts = this.counts.filter((count) => this.isKept(count)).slice(-MAX_COUNTS);
    await this.saves.call(null).catch(this.onNotSaved);
  }

  private isKept({ at }: UnusedCount): boolean {
    return at > this.now() - KEPT_MS;
  }

  private async save(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await replaceFile(this.path, JSON.stringify(this.counts));
  }
}

function keyOf({ domain, sender, forwarded, recipients, count, claims, receipt }: Count): string {
  const parts: unknown[] = [domain, sender, forwarded, recipients, count, claims];
  if (receipt === true) parts.push('receipt');
  return hash('sha256', JSON.stringify(parts));
}

function readCounts(text: string): UnusedCount[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isUnusedCount) : [];
  } catch {
    return [];
  }
}

function isUnusedCount(value: unknown): value is UnusedCount {
  const { chargedTo, key, id, bytes, at } = (value ?? {}) as Partial<Record<keyof UnusedCount, unknown>>;
  return [chargedTo, key, id].every((text) => typeof text === 'string') && [bytes, at].every(Number.isFinite);
}
