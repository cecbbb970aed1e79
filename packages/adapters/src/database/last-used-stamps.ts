import { chunksOf } from './driver/chunks.js';
import type { Database, Parameter } from './driver/database.js';

const WRITE_EVERY_MS = 2_000;

/**
 * Collects which keys were used when, and writes it behind: never on a request's path, at most seconds late. What a
 * crash loses is the last seconds of a hint.
 */
export class LastUsedStamps {
  private pending = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  note(keyId: number, at: Date): void {
    this.pending.set(keyId, at.getTime());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.writing = this.write();
    }, WRITE_EVERY_MS);
  }

  /** Writes what is pending now. A database that is away loses these stamps, not later ones. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    await this.write();
  }

  private async write(): Promise<void> {
    const stamps = [...this.pending];
    this.pending = new Map();
    for (const chunk of chunksOf(stamps, ([id, at]) => [id, at, id])) {
      const cases = chunk.map(() => 'WHEN ? THEN ?').join(' ');
      const ids = chunk.map(() => '?').join(', ');
      const parameters: Parameter[] = [...chunk.flat(), ...chunk.map(([id]) => id)];
      await this.database
        .write(`UPDATE api_key SET last_used_at = CASE id ${cases} END WHERE id IN (${ids})`, parameters)
        .catch(() => undefined);
    }
  }
}
