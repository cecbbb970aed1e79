import { Batcher } from '../batcher.js';
import type { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type OutboundAnswer, OutboundBook, type Refusal } from './outbound-book.js';
import type { OutboundLedger } from './outbound-ledger.js';

/** A question before a message is sent. */
export interface Look {
  domain: DomainName;
  sender: string | null;
  /** The domain of one recipient; null when it is not asked for, or is no domain name. */
  recipientDomain: DomainName | null;
}

export interface LookAnswer {
  verdict: OutboundAnswer | Refusal;
  /** Whether the recipient's mail stays on this platform, and so is not counted as outbound. */
  staysHere: boolean;
}

/** Says what one more recipient would be answered, and counts nothing. Looks that arrive together share their statements. */
export class LookOutbound {
  private readonly batches: Batcher<Look, LookAnswer>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly clock: Clock,
  ) {
    this.batches = new Batcher((looks) => this.flush(looks), { maxItems: 500, maxFlights: 2 });
  }

  /** One answer for each, in order. @throws AppError database_unavailable */
  execute(looks: readonly Look[]): Promise<LookAnswer[]> {
    return this.batches.callAll(looks);
  }

  private flush(looks: readonly Look[]): Promise<LookAnswer[]> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const items = looks.map(({ domain, sender }) => {
        return { domain, sender, id: null, count: 1, bytes: 0, record: false };
      });
      const recipientDomains = looks.flatMap(({ recipientDomain }) => recipientDomain ?? []);
      const { page, inbound } = await this.ledger.look(items, recipientDomains, now);
      const book = new OutboundBook(page, now);
      return looks.map(({ recipientDomain }, index) => ({
        verdict: items[index] === undefined ? { refused: 'domain_not_found' } : book.look(items[index]),
        staysHere: recipientDomain !== null && inbound.has(recipientDomain),
      }));
    });
  }
}
