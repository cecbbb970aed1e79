import { needs } from '@mailstead/core/needs';
import { chunksOf } from '../driver/chunks.js';
import { Database, type Parameter } from '../driver/database.js';

const WRITE_EVERY_MS = 2_000;

/** The tables with a `last_used_at`. */
type StampedTable = 'api_key' | 'portal_session';

/**
 * Collects the times when API keys and sessions were used, and writes them every few seconds, so that no request waits
 * for it. A crash loses the times of the last seconds.
 */
@needs(Database)
export class LastUsedStamps {
  private pending = noStamps();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  note(table: StampedTable, id: number, at: Date): void {
    this.pending[table].set(id, at.getTime());
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.writing = this.write();
    }, WRITE_EVERY_MS);
  }

  /** Writes the pending times now. They are lost when the database cannot be reached; later ones are not. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    await this.write();
  }

  private async write(): Promise<void> {
    const { pending } = this;
    this.pending = noStamps();
    await this.writeAll('api_key', pending.api_key);
    await this.writeAll('portal_session', pending.portal_session);
  }

  private async writeAll(table: StampedTable, stamps: Map<number, number>): Promise<void> {
    for (const chunk of chunksOf([...stamps], ([id, at]) => [id, at, id])) {
      const cases = chunk.map(() => 'WHEN ? THEN ?').join(' ');
      const ids = chunk.map(() => '?').join(', ');
      const parameters: Parameter[] = [...chunk.flat(), ...chunk.map(([id]) => id)];
      await this.database
        .write(`UPDATE ${table} SET last_used_at = CASE id ${cases} END WHERE id IN (${ids})`, parameters)
        .catch(() => undefined);
    }
  }
}

function noStamps(): Record<StampedTable, Map<number, number>> {
  return { api_key: new Map(), portal_session: new Map() };
}
