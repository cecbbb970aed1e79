import { DAY_MS, utcDay } from '../clock.js';
import { dayStart } from '../read-time.js';
import { decideOutbound, type OutboundFacts, type OutboundStop, stopsOf, type Verdict } from './decide-outbound.js';
import { OVERFLOW, type Refusal } from './outbound-batch.js';
import type { LedgerDomain, LedgerFacts } from './outbound-ledger.js';
import { periodAt } from './outbound-period.js';
import { type Asked, lostGraceEnd, oneRecipient, SnapshotFacts } from './snapshot-facts.js';

/** What a message to one outside recipient gets at a moment. */
export interface View {
  /** That of the preview. */
  verdict: Verdict | Refusal;
  facts: OutboundFacts;
  parent: LedgerDomain | null;
  /** All reasons that hold, in order. */
  stops: OutboundStop[];
}

/** What a message gets now and later, when nobody acts and nothing is sent until then. */
export class Outlook {
  /** @param own the domain of the item, which is in the snapshot */
  constructor(
    private readonly snapshot: LedgerFacts,
    private readonly item: Asked,
    private readonly own: LedgerDomain,
  ) {}

  at(moment: Date): View {
    const made = new SnapshotFacts(this.snapshotAt(moment), moment);
    const parent = made.parentOf(this.own);
    const message = oneRecipient(this.item);
    const facts = made.of(message, this.own, parent);
    const decided = decideOutbound(facts);
    const verdict = decided.allowed && !made.hasRoom(message, this.own, parent) ? OVERFLOW : decided;
    return { verdict, facts, parent, stops: [...stopsOf(facts)] };
  }

  /**
   * @returns the first moment at which a message that is stopped now is accepted, or one that is accepted now has no
   * reason any more; null when there is none
   */
  endAfter(now: Date): Date | null {
    const isStopped = !isAccepted(this.at(now));
    const isOver = (moment: Date) => {
      const view = this.at(moment);
      return isAccepted(view) && (isStopped || view.stops.length === 0);
    };
    return this.moments(now).find(isOver) ?? null;
  }

  /** After the last moment at which a verdict may change for the better. */
  lastAfter(now: Date): View {
    return this.at(this.moments(now).at(-1) ?? now);
  }

  /** When a verdict may change by itself, in order. */
  moments(now: Date): Date[] {
    return [...this.endsOfPeriods(now), ...this.endsOfTimes(now)].toSorted(byTime);
  }

  /** The ends of the day and the month, when counts begin anew. */
  endsOfPeriods(now: Date): Date[] {
    const today = dayStart(utcDay(now));
    return [new Date(today.getTime() + DAY_MS), new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1))];
  }

  /** The ends of limits for a time, and of the times for which a verification that is lost still counts. */
  endsOfTimes(now: Date): Date[] {
    const parent = new SnapshotFacts(this.snapshot, now).parentOf(this.own);
    const domains = parent === null ? [this.own] : [this.own, parent];
    return domains
      .flatMap((domain) => [
        domain.temporaryLimitsUntil,
        domain.inheritedUntil,
        domain.verificationLostAt === null ? null : lostGraceEnd(domain.verificationLostAt),
      ])
      .filter((moment) => moment !== null)
      .filter((moment) => moment > now)
      .toSorted(byTime);
  }

  /** The snapshot as the ledger would read it at the moment. */
  private snapshotAt(moment: Date): LedgerFacts {
    const { period } = this.snapshot;
    const day = utcDay(moment);
    const mailboxes = new Map(
      Array.from(this.snapshot.mailboxes, ([email, mailbox]) => [
        email,
        day === period.day ? mailbox : { ...mailbox, sentToday: 0, receiptsToday: 0 },
      ]),
    );
    return { ...this.snapshot, mailboxes, period: periodAt(moment, period) };
  }
}

function byTime(left: Date, right: Date): number {
  return left.getTime() - right.getTime();
}

function isAccepted({ verdict }: View): boolean {
  return 'allowed' in verdict && verdict.allowed;
}
