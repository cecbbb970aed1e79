import { Batcher } from '../batcher.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { needs } from '../needs.js';
import type { OutboundAnswer } from './outbound-answer.js';
import { OutboundBatch, type Refusal } from './outbound-batch.js';
import { OutboundLedger } from './outbound-ledger.js';
import { countsAs, domainCountsAs, type Recipient } from './recipients.js';

/** A recipient of a message that is not accepted yet. */
export interface PreviewQuery {
  domain: DomainName;
  sender: string | null;
  /** Null: any outside recipient. */
  recipient: Recipient | null;
  /**
   * Used instead of `recipient` when only its domain is known. Every address of a domain of this platform counts as 0.
   */
  recipientDomain: string | null;
  /** Mail of an outside sender that an alias of the domain forwards. */
  forwarded: boolean;
}

export interface Preview {
  verdict: OutboundAnswer | Refusal;
  /** The number of outside recipients that the recipient counts as. 0: the mail stays on this platform. */
  countsAs: number;
  /** The number of outside recipients that all enforced limits still allow; null when no limit is enforced. */
  headroom: number | null;
}

/**
 * Returns the verdict for one more recipient, without counting. Queries that arrive together share their statements.
 */
@needs(OutboundLedger, Clock)
export class PreviewOutbound {
  private readonly batches: Batcher<PreviewQuery, Preview>;

  constructor(
    private readonly ledger: OutboundLedger,
    private readonly clock: Clock,
  ) {
    this.batches = new Batcher((queries) => this.flush(queries), { maxItems: 500, maxInFlight: 2 });
  }

  /** @returns one preview for each query, in order. @throws AppError database_unavailable */
  execute(queries: readonly PreviewQuery[]): Promise<Preview[]> {
    return this.batches.callAll(queries);
  }

  private async flush(queries: readonly PreviewQuery[]): Promise<Preview[]> {
    const now = this.clock.now();
    const ledgerQueries = queries.map(({ domain, sender, recipient, recipientDomain }) => {
      return { domain, sender, id: null, recipients: [recipient ?? { domain: recipientDomain, address: null }] };
    });
    const snapshot = await this.ledger.read(ledgerQueries, now);
    const batch = new OutboundBatch(snapshot, now);
    return queries.map(({ domain, sender, recipient, recipientDomain, forwarded }) => ({
      ...batch.preview({ domain, sender, forwarded }),
      countsAs:
        recipient === null
          ? domainCountsAs(recipientDomain, snapshot.recipients)
          : countsAs(recipient, snapshot.recipients),
    }));
  }
}
