import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { UnitOfWork } from '../unit-of-work.js';
import { AnnounceLimits } from './announce-limits.js';
import type { TransferAnswer } from './outbound-answer.js';
import { OutboundBatch, type Refusal, type TransferIncrement } from './outbound-batch.js';
import { OutboundLedger } from './outbound-ledger.js';

const ITEMS_PER_TRANSACTION = 400;

/** Counts bytes that domains received or read. They use the same monthly transfer cap as the bytes that they send. */
@needs(UnitOfWork, OutboundLedger, AnnounceLimits, Clock, RestoreGate)
export class CountTransfer {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly announceLimits: AnnounceLimits,
    private readonly clock: Clock,
    private readonly gate: RestoreGate,
  ) {}

  /**
   * @returns one outcome for each item, in order. After an error, items with an id may be sent again; items without an
   * id may then be counted twice.
   * @throws AppError restore_not_accepted, and the caller keeps what it has to report
   */
  async execute(items: readonly TransferIncrement[]): Promise<(TransferAnswer | Refusal)[]> {
    this.gate.refuse();
    const outcomes: (TransferAnswer | Refusal)[] = [];
    for (let start = 0; start < items.length; start += ITEMS_PER_TRANSACTION) {
      const slice = items.slice(start, start + ITEMS_PER_TRANSACTION);
      outcomes.push(...(await this.unitOfWork.run(() => this.count(slice))));
    }
    return outcomes;
  }

  private async count(items: readonly TransferIncrement[]): Promise<(TransferAnswer | Refusal)[]> {
    const now = this.clock.now();
    const snapshot = await this.ledger.lockAndRead(items, now);
    const batch = new OutboundBatch(snapshot, now);
    const outcomes = items.map((item) => batch.transfer(item));
    await this.announceLimits.execute(batch.reached, snapshot.period, now);
    await this.ledger.writeAndCommit(batch.changes, snapshot.period, now);
    return outcomes;
  }
}
