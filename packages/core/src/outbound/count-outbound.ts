import { Batcher, type BatchOptions } from '../batcher.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { Meters } from '../meters.js';
import { needs } from '../needs.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { RelayProvider } from '../relay/relay-provider.js';
import { RelayTrafficLog } from '../relay/relay-traffic-log.js';
import { wantedOf } from '../relay/verification.js';
import { CountedHosts } from '../trail/counted-hosts.js';
import { UnitOfWork } from '../unit-of-work.js';
import { AnnounceLimits } from './announce-limits.js';
import type { IncrementAnswer } from './outbound-answer.js';
import { type Increment, NOT_ACCEPTED, OutboundBatch, type Refusal } from './outbound-batch.js';
import { OutboundLedger } from './outbound-ledger.js';
import { relayFieldsOf } from './relay-fields.js';

/**
 * One batch is in flight. The next one collects callers while it commits, so batches of one process never wait for each
 * other's locks.
 */
const BATCHES: BatchOptions = { maxItems: 400, maxInFlight: 1, gather: { from: 24, ms: 3 } };

interface Unavailable {
  unavailable: AppError;
}

/** Decides and counts outbound messages. Increments that arrive together are decided in order, in one transaction. */
@needs(
  UnitOfWork,
  OutboundLedger,
  AnnounceLimits,
  Clock,
  Meters,
  RelayTrafficLog,
  RelayProvider,
  RestoreGate,
  CountedHosts,
)
export class CountOutbound {
  private readonly batches: Batcher<Increment, IncrementAnswer | Refusal | Unavailable>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly announceLimits: AnnounceLimits,
    private readonly clock: Clock,
    private readonly meters: Meters,
    private readonly relayTraffic: RelayTrafficLog,
    private readonly relay: Pick<RelayProvider, 'configurationSet' | 'tenants'>,
    private readonly gate: RestoreGate,
    private readonly hosts = new CountedHosts(),
  ) {
    this.batches = new Batcher((items) => this.flush(items), BATCHES);
  }

  /**
   * Counts one message. The count is committed when this returns.
   *
   * @returns a refusal only while the restored database is not accepted
   * @throws AppError domain_not_found, increment_id_reused, counter_overflow, database_unavailable
   */
  async execute(increment: Increment): Promise<IncrementAnswer | Refusal> {
    if (this.gate.isClosed) return this.defer();
    const outcome = outcomeOrThrow(await this.batches.call(increment));
    if ('refused' in outcome) throw new AppError(outcome.refused);
    return outcome;
  }

  /**
   * @returns one outcome for each item, in order; a refused item does not affect the others.
   * @throws AppError database_unavailable
   */
  async executeAll(increments: readonly Increment[]): Promise<(IncrementAnswer | Refusal)[]> {
    if (this.gate.isClosed) return increments.map(() => this.defer());
    return (await this.batches.callAll(increments)).map(outcomeOrThrow);
  }

  private defer(): Refusal {
    this.meters.verdict('defer', NOT_ACCEPTED.refused);
    return NOT_ACCEPTED;
  }

  private async flush(items: Increment[]): Promise<(IncrementAnswer | Refusal | Unavailable)[]> {
    try {
      const { outcomes, relayed } = await this.unitOfWork.run(() => this.count(items));
      const now = this.clock.now();
      this.relayTraffic.counted(relayed, now);
      items.forEach(({ id }, index) => {
        const outcome = outcomes[index];
        if (outcome !== undefined && 'action' in outcome && outcome.action === 'accept') this.hosts.note(id, now);
      });
      return outcomes;
    } catch (error) {
      // Not retried item by item: each item would wait for the database again, and the transaction may have been
      // committed although the response was lost.
      if (error instanceof AppError && error.kind === 'unavailable') return items.map(() => ({ unavailable: error }));
      throw error;
    }
  }

  private async count(items: Increment[]): Promise<{ outcomes: (IncrementAnswer | Refusal)[]; relayed: number }> {
    const now = this.clock.now();
    const snapshot = await this.ledger.lockAndRead(items, now);
    const batch = new OutboundBatch(snapshot, now);
    const wanted = wantedOf(this.relay);
    const outcomes = items.map((item) => {
      const outcome = batch.increment(item);
      if ('refused' in outcome) return outcome;
      return Object.assign(outcome, {
        relay: relayFieldsOf(item.domain, snapshot, wanted),
        headroom: batch.headroom(item),
      });
    });
    await this.announceLimits.execute(batch.reached, snapshot.period, now);
    await this.ledger.writeAndCommit(batch.changes, snapshot.period, now);
    this.measure(outcomes);
    return { outcomes, relayed: batch.relayed };
  }

  private measure(outcomes: readonly (IncrementAnswer | Refusal)[]): void {
    this.meters.batch('increments', outcomes.length);
    for (const outcome of outcomes) {
      if ('refused' in outcome) this.meters.verdict('reject', outcome.refused);
      else this.meters.verdict(outcome.action, outcome.reason);
    }
  }
}

function outcomeOrThrow(outcome: IncrementAnswer | Refusal | Unavailable): IncrementAnswer | Refusal {
  if ('unavailable' in outcome) throw outcome.unavailable;
  return outcome;
}
