import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import { reasonOf } from '@mailstead/core/errors';
import { Not } from 'typeorm';
import type { Logger } from '../../logger.js';
import type { NoteCorrected } from '../copies/sql-stored-copies.js';
import type { Database } from '../driver/database.js';
import type { DerivedCheck } from '../health/derived-check.js';
import { InstallationRow, readInstallation, storeInstallation } from '../installation/installation.js';
import { InstallationLease } from '../installation/installation-lease.js';
import { correctBlock } from './correct-derived.js';
import type { Derived } from './derived.js';

/** One statement compares so many described rows. */
const ROWS_PER_SLICE = 500;
/** After each slice, so that requests go first. A process that is not ready yet makes no pause. */
const PAUSE_MS = 50;
/** Another process goes on so long after its holder was killed. It is extended after each slice. */
export const COMPARISON_LEASE_MS = 15 * SECOND_MS;
/** Between two tries to hold the lease, and after an error. */
const TRY_EVERY_MS = SECOND_MS;

/** Rows of `installation`. The hash of the declarations with which the last comparison ended. */
export const COMPARED = 'derived_compared';
/** Where the comparison that runs, or was stopped, is: the hash, the table, and the last compared id. */
export const POSITION = 'derived_position';
export const COMPARISON_LEASE = 'derived_comparison';

interface Position {
  derived: Derived;
  after: number;
}

/**
 * Compares all derived rows once after each start, behind the open port: a process of an older release does not write
 * what this one adds. One process of the installation compares at a time, and another one goes on where a process
 * stopped or was killed. `DerivedCheck` waits for it when schema or declarations are others than at the last
 * comparison.
 */
export class DerivedComparison {
  private readonly lease: InstallationLease;
  private readonly stopping = new AbortController();
  private readonly hash: string;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    clock: Clock,
    private readonly check: DerivedCheck,
    private readonly noteCorrected: NoteCorrected,
    private readonly logger: Logger,
  ) {
    this.lease = new InstallationLease(database, clock, COMPARISON_LEASE, COMPARISON_LEASE_MS);
    this.hash = hashOf(database);
  }

  /** Decides whether this process is ready before its comparison. @throws AppError database_unavailable */
  async open(): Promise<void> {
    if (await this.isCompared()) return;
    if (await this.isEmpty()) await storeInstallation(this.database, COMPARED, this.hash);
    else {
      this.logger.info('not ready before the derived rows are compared: schema or declarations are others than before');
      this.check.begin();
    }
  }

  start(): void {
    if (this.tables.length > 0) this.running = this.run();
  }

  /** Resolves when this process does not wait for a comparison any more. */
  async ready(): Promise<void> {
    if (this.check.isWaiting) await new Promise<void>((resolve) => this.check.onEnded(resolve));
  }

  /** Stops after the present slice. The next process goes on there. Never rejects. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get tables(): readonly Derived[] {
    return this.database.derived.tables;
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    let told: string | null = null;
    const tellOnce = (sentence: string, details: object) => {
      if (told !== sentence) this.logger.warn(sentence, details);
      told = sentence;
    };
    for (let isOver = false; !isOver && !this.isStopped; ) {
      try {
        if (this.check.isWaiting) await this.look();
        if (await this.lease.hold()) isOver = await this.compare();
        else if (this.check.isWaiting) tellOnce('another process compares the derived rows', {});
      } catch (error) {
        tellOnce('the derived rows cannot be compared now; the comparison goes on by itself', {
          reason: reasonOf(error),
        });
      }
      if (!isOver) await this.pause(TRY_EVERY_MS);
    }
    await this.lease.release();
  }

  /** Another process may have compared. Otherwise rows are no longer those of the declarations of `COMPARED` either. */
  private async look(): Promise<void> {
    await this.database.manager.delete(InstallationRow, { name: COMPARED, value: Not(this.hash) });
    if (await this.isCompared()) this.check.end();
  }

  /** @returns whether all rows are compared: false when this process stops, or another one has the lease */
  private async compare(): Promise<boolean> {
    let position = await this.position();
    while (position !== null) {
      if (this.isStopped) return false;
      position = await this.compareSlice(position);
      if (!(await this.lease.hold())) return false;
      if (position === null) break;
      const { derived, after } = position;
      await storeInstallation(this.database, POSITION, `${this.hash} ${derived.table} ${after}`);
      if (!this.check.isWaiting) await this.pause(PAUSE_MS);
    }
    await storeInstallation(this.database, COMPARED, this.hash);
    await this.database.manager.delete(InstallationRow, { name: POSITION });
    this.check.end();
    this.logger.info('the derived rows are compared');
    return true;
  }

  /** @returns where the next slice begins; null after the last one */
  private async compareSlice({ derived, after }: Position): Promise<Position | null> {
    // Rows that exist, so that gaps between ids cost nothing.
    const [slice] = await this.database.read(
      `SELECT MAX(id) AS last, COUNT(*) AS found FROM (SELECT id FROM ${derived.of} WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_SLICE}) AS s`,
      [after],
    );
    const isLast = Number(slice?.found) < ROWS_PER_SLICE;
    const last = isLast ? Number.MAX_SAFE_INTEGER : Number(slice?.last);
    await correctBlock(this.database, derived, { after, last }, this.noteCorrected);
    return isLast ? this.beginOf(this.tables[this.tables.indexOf(derived) + 1]) : { derived, after: last };
  }

  /** Where a process stopped that compared the same declarations; otherwise the begin. */
  private async position(): Promise<Position | null> {
    const [hash, table, after] = ((await readInstallation(this.database, POSITION)) ?? '').split(' ');
    const derived = this.tables.find((each) => each.table === table);
    if (hash !== this.hash || derived === undefined) return this.beginOf(this.tables[0]);
    return { derived, after: Number(after) };
  }

  private beginOf(derived: Derived | undefined): Position | null {
    return derived === undefined ? null : { derived, after: 0 };
  }

  private async isCompared(): Promise<boolean> {
    return (await readInstallation(this.database, COMPARED)) === this.hash;
  }

  private async isEmpty(): Promise<boolean> {
    for (const { of } of this.tables) {
      if ((await this.database.read(`SELECT id FROM ${of} LIMIT 1`)).length > 0) return false;
    }
    return true;
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** Of the last migration that this release knows, and of what is declared. */
function hashOf({ writer, derived }: Database): string {
  const last = writer.migrations.at(-1)?.name ?? '';
  return createHash('sha256')
    .update(JSON.stringify([last, derived.tables]))
    .digest('hex');
}
