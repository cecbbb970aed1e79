import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const REMEMBERED_MS = 24 * 3_600_000;
const MAX_DOMAINS = 20_000;
const FILE = 'refused.json';

/** The domains whose last verdict was a refusal, for 24 h; on the disk soon after, so a crash forgets at most the newest. */
export class RefusalMemory {
  private hasChanged = false;
  private saving: Promise<void> | null = null;

  private constructor(
    private readonly path: string,
    private readonly refusedAt: Map<string, number>,
    private readonly now: () => number,
  ) {}

  static async open(folder: string, now: () => number = Date.now): Promise<RefusalMemory> {
    const path = join(folder, FILE);
    const text = await readFile(path, 'utf8').catch(() => '[]');
    return new RefusalMemory(path, new Map(readPairs(text)), now);
  }

  has(domain: string): boolean {
    return (this.refusedAt.get(domain) ?? 0) > this.now() - REMEMBERED_MS;
  }

  note(domain: string, refused: boolean): void {
    if (!refused && !this.refusedAt.has(domain)) return;
    this.hasChanged = true;
    this.refusedAt.delete(domain);
    if (refused) this.refusedAt.set(domain, this.now());
    const [oldest] = this.refusedAt.keys();
    if (this.refusedAt.size > MAX_DOMAINS && oldest !== undefined) this.refusedAt.delete(oldest);
    this.saved().catch(() => undefined);
  }

  /** Waits until everything that was noted is on the disk. */
  saved(): Promise<void> {
    this.saving ??= this.save().finally(() => {
      this.saving = null;
    });
    return this.saving;
  }

  private async save(): Promise<void> {
    while (this.hasChanged) {
      this.hasChanged = false;
      await writeFile(`${this.path}.new`, JSON.stringify([...this.refusedAt]), { mode: 0o600 });
      await rename(`${this.path}.new`, this.path);
    }
  }
}

function readPairs(text: string): [string, number][] {
  try {
    return JSON.parse(text) as [string, number][];
  } catch {
    return [];
  }
}
