import type { StoredReason } from '../attention/attention.js';
import { utcDay } from '../clock.js';
import { isOfLimit, nearReasons } from '../outbound/announce-limits.js';
import { incomingOf } from '../outbound/incoming.js';
import type { LedgerDomain, LedgerFacts } from '../outbound/outbound-ledger.js';
import { Outlook, type View } from '../outbound/outlook.js';
import type { DnsLack } from '../relay/looks/dns-lacks.js';
import { type DomainState, decideState, type StateFacts } from './domain-state.js';

/** Of the whole installation. */
export interface StateSettings {
  /** Whether a reached transfer cap also defers incoming mail. */
  capDefersIncoming: boolean;
  /** A restored database is not accepted yet. */
  isRestored: boolean;
}

/** What is stored of a domain beside the facts of a preview. */
export interface StoredFacts {
  reasons: readonly StoredReason[];
  /** What it lacks in the DNS. */
  lacks: readonly DnsLack[];
}

/** The state of a domain now and later, when nobody acts and nothing is sent until then. */
export class StateOutlook {
  private readonly outlook: Outlook;

  constructor(
    snapshot: LedgerFacts,
    private readonly own: LedgerDomain,
    private readonly stored: StoredFacts,
    private readonly settings: StateSettings,
  ) {
    this.outlook = new Outlook(snapshot, { domain: own.name, sender: null, session: null, forwarded: false }, own);
  }

  at(now: Date): DomainState {
    const view = this.outlook.at(now);
    const state = this.stateOf(view, now, now);
    const isOther = (moment: Date) => {
      const { sends, receives, reason } = this.stateOf(this.outlook.at(moment), moment, now);
      return sends !== state.sends || receives !== state.receives || reason !== state.reason;
    };
    // Counts only fall at the end of a period: it changes nothing while no limit is near.
    const isCounted = 'refused' in view.verdict || nearReasons(view.facts).length > 0 || hasLimit(view);
    const isOfDay = this.stored.reasons.includes('suppressions_high');
    const moments = isCounted || isOfDay ? this.outlook.moments(now) : this.outlook.endsOfTimes(now);
    return { ...state, until: moments.find(isOther) ?? null };
  }

  private stateOf(view: View, moment: Date, now: Date): Omit<DomainState, 'until'> {
    const isCapped = view.stops.some(({ reason }) => reason === 'transfer_limit');
    return decideState({
      verdict: this.verdictOf(view),
      incoming: incomingOf(this.own, view.parent, this.settings.capDefersIncoming && isCapped),
      attention: [
        // That many addresses are suppressed holds for a day. The limits are those of the present counts.
        ...this.stored.reasons.filter(
          (reason) => !isOfLimit(reason) && (reason !== 'suppressions_high' || utcDay(moment) === utcDay(now)),
        ),
        ...nearReasons(view.facts),
      ],
      lacks: this.stored.lacks,
      isAwaited:
        this.own.verificationLostAt === null && this.own.verificationStatus !== 'failed' && !view.facts.verified,
    });
  }

  private verdictOf({ verdict }: View): StateFacts['verdict'] {
    if (this.settings.isRestored) return { action: 'defer', reason: 'restore_not_accepted' };
    if (!('refused' in verdict)) return verdict;
    // The domain is known and the message has no id, so that the other refusals do not occur.
    return { action: 'reject', reason: 'counter_overflow' };
  }
}

/** Of the domain or its parent, also a monitored one. */
function hasLimit({ stops }: View): boolean {
  return stops.some(({ reason }) => isOfLimit(reason));
}
