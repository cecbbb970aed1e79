import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { isInScope } from '../partners/partner-scope.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import type { OutboundReason, OutboundStop, Verdict } from './decide-outbound.js';
import { type Incoming, incomingOf } from './incoming.js';
import { type LimitUse, limitUseOf } from './limit-use.js';
import type { Refusal } from './outbound-batch.js';
import { type LedgerDomain, OutboundLedger } from './outbound-ledger.js';
import { Outlook } from './outlook.js';
import { type StoppedDomains, type StopRecord, StopRecords } from './stop-records.js';
import { sinceOf } from './stop-since.js';
import {
  causesOf,
  LIFTERS,
  type Lifter,
  liftersOf,
  type StopContext,
  seesParent,
  type VerdictCause,
} from './verdict-causes.js';

/** Why a message to one outside recipient would be stopped now, or would not be. */
interface ExplainedVerdict {
  action: Verdict['action'];
  reason: OutboundReason | 'counter_overflow' | 'restore_not_accepted' | null;
  /** The parent when the reason comes from the parent and the caller sees it. */
  limitedBy: DomainName | null;
  /** The other reasons that hold, in order; with an accepted message those of monitored limits. */
  also: OutboundReason[];
  /** Of the reason. */
  causes: VerdictCause[];
  /** Of the reason, when it is a limit that the caller sees. */
  limit: LimitUse | null;
  since: Date | null;
  /** When no reason holds any more by itself; null when somebody must act, and without a reason. */
  until: Date | null;
  /** Everybody who must act, or `itself` alone; empty without a reason. */
  liftedBy: Lifter[];
}

export interface Explanation {
  verdict: ExplainedVerdict;
  incoming: Incoming;
}

const NO_RECORD: StopRecord = {
  domains: new Map(),
  suspensions: [],
  messages: {},
  capDefersIncoming: false,
  changes: [],
};

/**
 * Explains what a message to one outside recipient would get now: the verdict is that of the preview, and what it is
 * explained by are the facts of that verdict.
 */
@needs(OutboundLedger, StopRecords, Clock, RestoreGate)
export class ExplainOutbound {
  constructor(
    private readonly ledger: OutboundLedger,
    private readonly records: StopRecords,
    private readonly clock: Clock,
    private readonly gate: RestoreGate,
  ) {}

  /**
   * Reads what a preview reads, and once more when a reason holds.
   *
   * @param sender the mailbox that logs in; null for any, whose own limit is then not known
   * @returns null for a domain that the viewer does not have
   * @throws AppError database_unavailable
   */
  async execute(viewer: Actor, domain: DomainName, sender: string | null): Promise<Explanation | null> {
    const now = this.clock.now();
    const recipients = [{ domain: null, address: null }];
    const snapshot = await this.ledger.read([{ domain, sender, id: null, recipients }], now);
    const own = snapshot.domains.get(domain);
    if (own === undefined || !isInScope(scopeOf(viewer), own)) return null;
    const outlook = new Outlook(snapshot, { domain, sender, session: null, forwarded: false }, own);
    const { verdict, facts, parent, stops } = outlook.at(now);
    const record = stops.length === 0 ? NO_RECORD : await this.records.read(stoppedDomains(own, parent));
    const context: StopContext = { viewer, own, parent, record };
    const isStopped = 'refused' in verdict || !verdict.allowed;
    // Behind a reason that stops the message, a limit that is only monitored is none.
    const holding = stops.filter(({ enforced }) => enforced === isStopped);
    const [first] = holding;
    const causes = first === undefined ? [] : causesOf(first.reason, context);
    const isCapped = record.capDefersIncoming && stops.some(({ reason }) => reason === 'transfer_limit');
    const incoming = incomingOf(own, parent, isCapped);
    if (this.gate.isClosed) return { verdict: notAccepted(stops), incoming };
    return {
      verdict: {
        ...decisionOf(verdict, context),
        also: [...new Set(holding.map(({ reason }) => reason))].filter((reason) => reason !== first?.reason),
        causes,
        limit: first === undefined ? null : limitUseOf(first, facts, context, snapshot.tiers, now),
        since: first === undefined ? null : sinceOf(first, causes, facts, context, now),
        ...(isStopped || first !== undefined ? endOf(holding, outlook, context, now) : { until: null, liftedBy: [] }),
      },
      incoming,
    };
  }
}

/** Goes before all other reasons. */
function notAccepted(stops: readonly OutboundStop[]): ExplainedVerdict {
  return {
    action: 'defer',
    reason: 'restore_not_accepted',
    limitedBy: null,
    also: [...new Set(stops.filter(({ enforced }) => enforced).map(({ reason }) => reason))],
    causes: [],
    limit: null,
    since: null,
    until: null,
    liftedBy: ['operator'],
  };
}

function stoppedDomains(own: LedgerDomain, parent: LedgerDomain | null): StoppedDomains {
  return {
    suspendedPartner: own.partnerStage === null ? null : own.partnerRef,
    domains: (parent === null ? [own] : [own, parent]).map(({ id, name }) => ({ id, name })),
  };
}

function decisionOf(
  verdict: Verdict | Refusal,
  { parent, viewer }: StopContext,
): Pick<ExplainedVerdict, 'action' | 'reason' | 'limitedBy'> {
  // The domain is known and the message has no id, so that the other refusals do not occur.
  if ('refused' in verdict) return { action: 'reject', reason: 'counter_overflow', limitedBy: null };
  const { action, reason, limitedBy } = verdict;
  const isShown = limitedBy !== null && parent !== null && seesParent(viewer, parent);
  return { action, reason, limitedBy: isShown ? limitedBy : null };
}

/** When it ends by itself, and who must act when it does not. */
function endOf(
  holding: readonly OutboundStop[],
  outlook: Outlook,
  context: StopContext,
  now: Date,
): Pick<ExplainedVerdict, 'until' | 'liftedBy'> {
  const until = outlook.endAfter(now);
  if (until !== null) return { until, liftedBy: ['itself'] };
  const lifters = (stops: readonly OutboundStop[]) => stops.flatMap(({ reason }) => liftersOf(reason, context));
  const acting = lifters(holding);
  // Each reason of now ends, but before that another begins, such as the end of the grace of a lost verification.
  if (acting.length === 0) acting.push(...lifters(outlook.lastAfter(now).stops));
  return { until, liftedBy: LIFTERS.filter((lifter) => acting.includes(lifter)) };
}
