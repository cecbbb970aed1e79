import { Batcher } from '../batcher.js';
import type { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { type OutboundAnswer, OutboundBatch, type Refusal } from './outbound-batch.js';
import type { OutboundLedger } from './outbound-ledger.js';
import { countsAs, domainCountsAs, type Recipient } from './recipients.js';

/** A question before a message is sent. */
export interface PreviewQuery {
  domain: DomainName;
  sender: string | null;
  /** Null when none is asked about: then it is about any outside recipient. */
  recipient: Recipient | null;
  /** A recipient of which no more is told, instead: any address of a domain of this platform stays here. */
  recipientDomain: string | null;
  /** A stranger's mail, which an alias of the domain forwards. */
  forwarded: boolean;
}

export interface Preview {
  verdict: OutboundAnswer | Refusal;
  /** How many outside recipients the recipient stands for. 0: its mail stays on this platform. */
  countsAs: number;
  /** How many outside recipients there is room for now; null when no limit is enforced. */
  headroom: number | null;
}

/** Says what one more recipient would be answered, and counts nothing. Looks that arrive together share their statements. */
export class PreviewOutbound {
  private readonly batches: Batcher<PreviewQuery, Preview>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly clock: Clock,
  ) {
    this.batches = new Batcher((looks) => this.flush(looks), { maxItems: 500, maxInFlight: 2 });
  }

  /** One answer for each, in order. @throws AppError database_unavailable */
  execute(looks: readonly PreviewQuery[]): Promise<Preview[]> {
    return this.batches.callAll(looks);
  }

  private flush(looks: readonly PreviewQuery[]): Promise<Preview[]> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const queries = looks.map(({ domain, sender, recipient, recipientDomain }) => {
        return { domain, sender, id: null, recipients: [recipient ?? { domain: recipientDomain, address: null }] };
      });
      const snapshot = await this.ledger.read(queries, now);
      const batch = new OutboundBatch(snapshot, now);
      return looks.map(({ domain, sender, recipient, recipientDomain, forwarded }) => ({
        ...batch.look({ domain, sender, forwarded }),
        countsAs:
          recipient === null
            ? domainCountsAs(recipientDomain, snapshot.recipients)
            : countsAs(recipient, snapshot.recipients),
      }));
    });
  }
}
