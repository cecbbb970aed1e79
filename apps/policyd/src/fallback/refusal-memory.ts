import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NewestEntries } from '../newest-entries.js';
import { replaceFile } from '../replace-file.js';

const REMEMBERED_MS = 24 * 3_600_000;
const MAX_DOMAINS = 20_000;
const FILE = 'refused.json';
const SAVE_EVERY_MS = 1_000;

/**
 * Stores for 24 h the domains whose last verdict was a refusal. Changes are saved within a second; a crash loses at
 * most the changes of the last second.
 */
export class RefusalMemory {
  private hasChanged = false;
  private saving: Promise<void> = Promise.resolve();
  private savedAt = -SAVE_EVERY_MS;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly path: string,
    private readonly refusedAt: NewestEntries<number>,
    private readonly now: () => number,
  ) {}

  static async open(folder: string, now: () => number = Date.now): Promise<RefusalMemory> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch(() => '[]');
    return new RefusalMemory(path, readRefusals(text), now);
  }

  has(domain: string): boolean {
    return (this.refusedAt.get(domain) ?? 0) > this.now() - REMEMBERED_MS;
  }

  note(domain: string, refused: boolean): void {
    if (!refused && !this.refusedAt.has(domain)) return;
    this.hasChanged = true;
    if (refused) this.refusedAt.set(domain, this.now());
    else this.refusedAt.delete(domain);
    const wait = Math.max(0, this.savedAt + SAVE_EVERY_MS - performance.now());
    this.timer ??= setTimeout(() => void this.saved().catch(() => undefined), wait).unref();
  }

  /**
   * Resolves when all changes so far are written to the disk.
   *
   * @throws Error when they could not be saved. Saving is retried.
   */
  saved(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.saving = this.saving.catch(() => undefined).then(() => this.save());
    return this.saving;
  }

  private async save(): Promise<void> {
    if (!this.hasChanged) return;
    this.hasChanged = false;
    this.savedAt = performance.now();
    try {
      await replaceFile(this.path, JSON.stringify([...this.refusedAt]));
    } catch (error) {
      this.hasChanged = true;
      throw error;
    }
  }
}

function readRefusals(text: string): NewestEntries<number> {
  const refusals = new NewestEntries<number>(MAX_DOMAINS);
  try {
    for (const [domain, at] of JSON.parse(text) as [string, number][]) refusals.set(domain, at);
  } catch {
    // A file that cannot be read is none.
  }
  return refusals;
}
