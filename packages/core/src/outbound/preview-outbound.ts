import { Batcher } from '../batcher.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { needs } from '../needs.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import type { SuppressedAddress } from '../suppressions/suppression-address.js';
import { type SuppressionQuery, Suppressions, suppressionKey } from '../suppressions/suppressions.js';
import type { OpenSession } from './open-session.js';
import type { OutboundAnswer } from './outbound-answer.js';
import { NOT_ACCEPTED, OutboundBatch, type Refusal } from './outbound-batch.js';
import { type LedgerSnapshot, OutboundLedger } from './outbound-ledger.js';
import { countsAs, domainCountsAs, type Recipient } from './recipients.js';

/** A recipient of a message that is not accepted yet. */
export interface PreviewQuery {
  domain: DomainName;
  sender: string | null;
  /** Null for mail without a login, and when the age of its session is not known. */
  session: OpenSession | null;
  /** Null: any outside recipient. */
  recipient: Recipient | null;
  /**
   * Used instead of `recipient` when only its domain is known. Every address of a domain of this platform counts as 0.
   */
  recipientDomain: string | null;
  /** The recipient as suppressions name it; null when it cannot be suppressed. */
  address: SuppressedAddress | null;
  /** Mail of an outside sender that an alias of the domain forwards. */
  forwarded: boolean;
}

export interface Preview {
  verdict: OutboundAnswer | Refusal;
  /** The number of outside recipients that the recipient counts as. 0: the mail stays on this platform. */
  countsAs: number;
  /** The number of outside recipients that all enforced limits still allow; null when no limit is enforced. */
  headroom: number | null;
  /** Each recipient has to be asked about, whatever the headroom: the partner refuses suppressed ones. */
  eachRecipient: boolean;
  /** With the reason `recipient_suppressed`: since when; otherwise null. */
  suppressedSince: Date | null;
}

const NONE: ReadonlyMap<string, Date> = new Map();

/** Whether a recipient stays on the platform is not looked at: no message passes. */
const DEFERRED: Preview = {
  verdict: NOT_ACCEPTED,
  countsAs: 1,
  headroom: 0,
  eachRecipient: false,
  suppressedSince: null,
};

/**
 * Returns the verdict for one more recipient, without counting. Queries that arrive together share their statements.
 */
@needs(OutboundLedger, Suppressions, Clock, RestoreGate)
export class PreviewOutbound {
  private readonly batches: Batcher<PreviewQuery, Preview>;

  constructor(
    private readonly ledger: OutboundLedger,
    private readonly suppressions: Suppressions,
    private readonly clock: Clock,
    private readonly gate: RestoreGate,
  ) {
    this.batches = new Batcher((queries) => this.flush(queries), { maxItems: 500, maxInFlight: 2 });
  }

  /** @returns one preview for each query, in order. @throws AppError database_unavailable */
  execute(queries: readonly PreviewQuery[]): Promise<Preview[]> {
    if (this.gate.isClosed) return Promise.resolve(queries.map(() => DEFERRED));
    return this.batches.callAll(queries);
  }

  private async flush(queries: readonly PreviewQuery[]): Promise<Preview[]> {
    const now = this.clock.now();
    const ledgerQueries = queries.map(({ domain, sender, recipient, recipientDomain }) => {
      return { domain, sender, id: null, recipients: [recipient ?? { domain: recipientDomain, address: null }] };
    });
    const snapshot = await this.ledger.read(ledgerQueries, now);
    const batch = new OutboundBatch(snapshot, now);
    const suppressed = await this.suppressed(queries, snapshot, now);
    return queries.map((query) => {
      const { domain, sender, session, recipient, recipientDomain, forwarded } = query;
      const asked = suppressionQuery(query, snapshot);
      const since = asked === null ? null : (suppressed.get(suppressionKey(asked)) ?? null);
      const { verdict, headroom } = batch.preview({ domain, sender, session, forwarded }, since !== null);
      const isRefused = !('refused' in verdict) && verdict.reason === 'recipient_suppressed';
      return {
        verdict,
        headroom,
        countsAs:
          recipient === null
            ? domainCountsAs(recipientDomain, snapshot.recipients)
            : countsAs(recipient, snapshot.recipients),
        eachRecipient: snapshot.domains.get(domain)?.refusesSuppressed === true,
        suppressedSince: isRefused ? since : null,
      };
    });
  }

  /** Reads nothing for partners that refuse no recipients. */
  private async suppressed(
    queries: readonly PreviewQuery[],
    snapshot: LedgerSnapshot,
    now: Date,
  ): Promise<ReadonlyMap<string, Date>> {
    const asked = queries.flatMap((query) => suppressionQuery(query, snapshot) ?? []);
    return asked.length === 0 ? NONE : this.suppressions.suppressed(asked, now);
  }
}

/**
 * @returns null for a recipient on the platform, of forwarded mail, and of a domain whose partner refuses none. What an
 * alias sends to outside is left to the relay.
 */
function suppressionQuery(
  { domain: name, recipient, address, forwarded }: PreviewQuery,
  { domains, recipients }: LedgerSnapshot,
): SuppressionQuery | null {
  const domain = domains.get(name);
  if (domain === undefined || !domain.refusesSuppressed || forwarded || address === null) return null;
  const recipientDomain = recipient?.domain ?? null;
  if (recipientDomain !== null && recipients.open.has(recipientDomain)) return null;
  return { partnerId: domain.partnerId, domainId: domain.id, address };
}
