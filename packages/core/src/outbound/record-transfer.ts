import type { Clock } from '../clock.js';
import type { Notifier } from '../notifications/notifier.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { OutboundBook, type Refusal, type TransferAnswer, type TransferIncrement } from './outbound-book.js';
import type { OutboundLedger } from './outbound-ledger.js';
import { notifyReached } from './record-outbound.js';

const ITEMS_PER_TRANSACTION = 400;

/** Meters bytes that came in for domains: they count against the same monthly cap as what they send. */
export class RecordTransfer {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
  ) {}

  /** One outcome for each, in order. Items with an id may be sent again after a failure; the others may count twice then. */
  async execute(items: readonly TransferIncrement[]): Promise<(TransferAnswer | Refusal)[]> {
    const outcomes: (TransferAnswer | Refusal)[] = [];
    for (let start = 0; start < items.length; start += ITEMS_PER_TRANSACTION) {
      const slice = items.slice(start, start + ITEMS_PER_TRANSACTION);
      outcomes.push(...(await this.unitOfWork.run(() => this.record(slice))));
    }
    return outcomes;
  }

  private async record(items: readonly TransferIncrement[]): Promise<(TransferAnswer | Refusal)[]> {
    const now = this.clock.now();
    const page = await this.ledger.open(items, now);
    const book = new OutboundBook(page, now);
    const outcomes = items.map((item) => book.transfer(item));
    await notifyReached(this.notifier, book.reached, now);
    await this.ledger.post(book.changes, page.period, now);
    return outcomes;
  }
}
