import { SECOND_MS } from '@mailstead/core/clock';
import type { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import type { Database } from '../database/driver/database.js';
import { readRestoreMark } from '../database/recovery/restore-mark.js';
import { OneAtATime } from '../jobs/one-at-a-time.js';
import type { Logger } from '../logger.js';

/** Processes must notice within 5 s, and a read takes at most 3. */
const LOOK_EVERY_MS = 1.5 * SECOND_MS;

/** Sets the gate of this process from the row in the database, again and again. */
export class RestoreWatch {
  private readonly looks = new OneAtATime(() => this.look().catch(() => undefined));
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly gate: RestoreGate,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.looks.run(), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** While the database does not answer, the gate stays as it is. @throws AppError database_unavailable */
  async look(): Promise<void> {
    const isClosed = (await readRestoreMark(this.database)) !== null;
    if (isClosed === this.gate.isClosed) return;
    if (isClosed) this.logger.warn('closed: the database was restored from a backup and is not accepted yet');
    else this.logger.info('open: the restored database is accepted');
    this.gate.set(isClosed);
  }
}
