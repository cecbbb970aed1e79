import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deadline } from '@mailstead/core/deadlines';
import { PartnerQueue } from '@mailstead/core/limits/partner-queue';
import type { RequestOwner } from '@mailstead/core/partners/partner-scope';

/** The changes of a partner that wait: more than a browser and a few programs send at once. */
const WAITING_PER_PARTNER = 200;

/**
 * The turns of changes: units of work, and writes outside of them. The partners take turns, and the changes of one
 * partner are in the order of their calls. Operators count as one partner. Changes of the service itself (jobs,
 * batches) do not wait for the changes of a partner, but for one of each partner at most.
 *
 * With one writer (SQLite), one change runs at a time. Otherwise the changes of one partner hold a quarter of the
 * connections at most, and those of all requests three quarters: changes that wait for the same lock leave connections
 * to the others. The service itself then takes no turn.
 */
export class WriterTurns {
  private readonly owners = new AsyncLocalStorage<RequestOwner | null>();
  private readonly queue: PartnerQueue;

  /** @param connections null with one writer */
  constructor(private readonly connections: number | null) {
    this.queue = new PartnerQueue(
      {
        workers: partOf(connections, 3 / 4),
        runningPerPartner: partOf(connections, 1 / 4),
        waitingPerPartner: WAITING_PER_PARTNER,
        waiting: Number.POSITIVE_INFINITY,
        waitMs: deadline('databaseTurn'),
      },
      { ofPartner: 'busy', ofQueue: 'busy' },
    );
  }

  /** Runs work whose changes are of this owner. @param owner null: of the service */
  of<T>(owner: RequestOwner | null, work: () => T): T {
    return this.owners.run(owner, work);
  }

  /** @throws AppError busy */
  run<T>(change: () => Promise<T>): Promise<T> {
    const owner = this.owners.getStore() ?? null;
    if (this.connections !== null) return owner === null ? change() : this.queue.run(owner, change);
    // SQLite returns without I/O, so a task that writes many chunks would otherwise block all requests until its end.
    const inNewTurn = () => nextTurn().then(change);
    return owner === null
      ? this.queue.run(Symbol('service'), inNewTurn, { refusable: false })
      : this.queue.run(owner, inNewTurn);
  }

  close(): void {
    // Node keeps a store in use for ever, and with it what it can reach.
    this.owners.disable();
  }
}

function partOf(connections: number | null, part: number): number {
  return Math.max(1, Math.floor((connections ?? 1) * part));
}
