import { DAY_MS, utcDay } from '../clock.js';
import { dayStart } from '../read-time.js';
import { type OutboundFacts, type OutboundStop, stopsOf } from './decide-outbound.js';
import type { OutboundAnswer } from './outbound-answer.js';
import { OutboundBatch, type Refusal } from './outbound-batch.js';
import type { LedgerDomain, LedgerSnapshot } from './outbound-ledger.js';
import { periodAt } from './outbound-period.js';
import { type Asked, lostGraceEnd, oneRecipient, SnapshotFacts } from './snapshot-facts.js';

/** What a message to one outside recipient gets at a moment. */
export interface View {
  /** That of the preview. */
  verdict: OutboundAnswer | Refusal;
  facts: OutboundFacts;
  parent: LedgerDomain | null;
  /** All reasons that hold, in order. */
  stops: OutboundStop[];
}

/** What a message gets now and later, when nobody acts and nothing is sent until then. */
export class Outlook {
  /** @param own the domain of the item, which is in the snapshot */
  constructor(
    private readonly snapshot: LedgerSnapshot,
    private readonly item: Asked,
    private readonly own: LedgerDomain,
  ) {}

  at(moment: Date): View {
    const snapshot = this.snapshotAt(moment);
    const { verdict } = new OutboundBatch(snapshot, moment).preview(this.item, false);
    const made = new SnapshotFacts(snapshot, moment);
    const parent = made.parentOf(this.own);
    const facts = made.of(oneRecipient(this.item), this.own, parent);
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

  /**
   * When a verdict may change by itself, in order: the ends of the day and the month, of limits for a time, and of the
   * times for which a verification that is lost still counts.
   */
  moments(now: Date): Date[] {
    const today = dayStart(utcDay(now));
    const parent = new SnapshotFacts(this.snapshot, now).parentOf(this.own);
    const ofDomains = (parent === null ? [this.own] : [this.own, parent]).flatMap((domain) => [
      domain.temporaryLimitsUntil,
      domain.inheritedUntil,
      domain.verificationLostAt === null ? null : lostGraceEnd(domain.verificationLostAt),
    ]);
    return [
      new Date(today.getTime() + DAY_MS),
      new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)),
      ...ofDomains.filter((moment) => moment !== null).filter((moment) => moment > now),
    ].toSorted((left, right) => left.getTime() - right.getTime());
  }

  /** The snapshot as the ledger would read it at the moment. */
  private snapshotAt(moment: Date): LedgerSnapshot {
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

function isAccepted({ verdict }: View): boolean {
  return 'allowed' in verdict && verdict.allowed;
}
