import type { StoredReason } from '../attention/attention.js';
import { utcDay } from '../clock.js';
import { isOfLimit, nearReasons } from '../outbound/announce-limits.js';
import { incomingOf } from '../outbound/incoming.js';
import type { LedgerDomain, LedgerSnapshot } from '../outbound/outbound-ledger.js';
import { Outlook, type View } from '../outbound/outlook.js';
import { type DomainState, decideState, type StateFacts } from './domain-state.js';

/** Of the whole installation. */
export interface StateSettings {
  /** Whether a reached transfer cap also defers incoming mail. */
  capDefersIncoming: boolean;
  /** A restored database is not accepted yet. */
  isRestored: boolean;
}

/** The state of a domain now and later, when nobody acts and nothing is sent until then. */
export class StateOutlook {
  private readonly outlook: Outlook;

  constructor(
    snapshot: LedgerSnapshot,
    private readonly own: LedgerDomain,
    private readonly storedReasons: readonly StoredReason[],
    private readonly settings: StateSettings,
  ) {
    this.outlook = new Outlook(snapshot, { domain: own.name, sender: null, session: null, forwarded: false }, own);
  }

  at(now: Date): DomainState {
    const state = this.stateAt(now, now);
    const isOther = ({ sends, receives, reason }: typeof state) =>
      sends !== state.sends || receives !== state.receives || reason !== state.reason;
    const until = this.outlook.moments(now).find((moment) => isOther(this.stateAt(moment, now))) ?? null;
    return { ...state, until };
  }

  private stateAt(moment: Date, now: Date): Omit<DomainState, 'until'> {
    const view = this.outlook.at(moment);
    const isCapped = view.stops.some(({ reason }) => reason === 'transfer_limit');
    return decideState({
      verdict: this.verdictOf(view),
      incoming: incomingOf(this.own, view.parent, this.settings.capDefersIncoming && isCapped),
      attention: [
        // That many addresses are suppressed holds for a day. The limits are those of the present counts.
        ...this.storedReasons.filter(
          (reason) => !isOfLimit(reason) && (reason !== 'suppressions_high' || utcDay(moment) === utcDay(now)),
        ),
        ...nearReasons(view.facts),
      ],
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
