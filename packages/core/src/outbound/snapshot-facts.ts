import { ORPHAN_GRACE_MS } from '../domains/domain.js';
import { isEffectivelyVerified } from '../relay/verification.js';
import type { OutboundAccount, OutboundFacts } from './decide-outbound.js';
import type { Increment } from './outbound-batch.js';
import { type LedgerDomain, type LedgerFacts, senderDomain } from './outbound-ledger.js';
import { effectiveLimits, enforcementOf } from './outbound-settings.js';
import { READ_RECEIPTS_A_DAY } from './read-receipt.js';
import { maySendAs } from './sender-logins.js';

const LOST_VERIFICATION_GRACE_MS = ORPHAN_GRACE_MS;
export const BYTES_PER_MEGABYTE = 1_048_576;

const NO_TRANSFER: OutboundFacts['transfer'] = { cap: 0, used: 0 };

/** The numbers of an increment: `count` of all recipients, `bytes` of all copies. */
export type Sent = Pick<
  Increment,
  'domain' | 'sender' | 'forwarded' | 'count' | 'bytes' | 'recipients' | 'claims' | 'receipt' | 'session'
>;

/** Until when mail is deferred, instead of rejected, after a verification was lost. */
export function lostGraceEnd(lostAt: Date): Date {
  return new Date(lostAt.getTime() + LOST_VERIFICATION_GRACE_MS);
}

/** Who asks about one more recipient. */
export type Asked = Pick<Increment, 'domain' | 'sender' | 'forwarded' | 'session'>;

/** A message to one outside recipient, of unknown size, as previews take it. */
export function oneRecipient({ domain, sender, forwarded, session }: Asked): Sent {
  return { domain, sender, forwarded, session, count: 1, bytes: 0, recipients: null, claims: [] };
}

/** Makes the facts of a verdict from what the ledger read. */
export class SnapshotFacts {
  constructor(
    private readonly snapshot: LedgerFacts,
    private readonly now: Date,
  ) {}

  parentOf({ parentId }: LedgerDomain): LedgerDomain | null {
    return parentId === null ? null : (this.snapshot.byId.get(parentId) ?? null);
  }

  isVerified(domain: LedgerDomain, parent: LedgerDomain | null): boolean {
    const parents = parent === null ? null : { status: parent.verificationStatus };
    return isEffectivelyVerified({ status: domain.verificationStatus }, parents, domain.inheritedUntil, this.now);
  }

  /**
   * Forwarded mail is not sent through the relay. It needs no verification, and the only limit it uses is the daily
   * one, with a separate counter.
   */
  of(item: Sent, domain: LedgerDomain, parent: LedgerDomain | null): OutboundFacts {
    const { forwarded, sender } = item;
    const verified = forwarded || this.isVerified(domain, parent);
    return {
      count: item.count,
      bytes: forwarded ? 0 : item.bytes,
      foreignSender: this.foreignSender(item),
      sessionEnded: this.hasEnded(item),
      own: this.account(domain, parent, maySendNothing(domain), forwarded),
      parent: parent === null ? null : this.account(parent, null, parent.suspensionCauses.includes('abuse'), forwarded),
      relayPaused: !forwarded && domain.tenant !== null && domain.tenant.pausedSince !== null,
      verified,
      lostVerificationLately: !verified && (this.lostLately(domain) || (parent !== null && this.lostLately(parent))),
      recipientSuppressed: false,
      mailbox: forwarded || sender === null ? null : (this.snapshot.mailboxes.get(sender) ?? null),
      receiptsToday: item.receipt === true ? this.receiptsToday(item) : null,
      transfer: forwarded
        ? NO_TRANSFER
        : {
            cap: domain.transferMonthlyMb * BYTES_PER_MEGABYTE,
            used: domain.counter.bytesMonthIn(this.snapshot.period),
          },
    };
  }

  /**
   * Whether the session may not send any more. The session of a mailbox that does not exist has ended: it logged in to
   * one that was deleted.
   */
  hasEnded({ sender, session }: Pick<Sent, 'sender' | 'session'>): boolean {
    if (session === null || sender === null) return false;
    const mailbox = this.snapshot.mailboxes.get(sender);
    return mailbox === undefined || session.isRevoked(mailbox.revokedForMs);
  }

  /** Of a sender that is no mailbox none may leave. */
  private receiptsToday({ sender }: Sent): number {
    return this.snapshot.mailboxes.get(sender ?? '')?.receiptsToday ?? READ_RECEIPTS_A_DAY;
  }

  private foreignSender({ sender, claims }: Sent): string | null {
    return claims.find((claim) => sender === null || !this.maySendAs(sender, claim)) ?? null;
  }

  /** No alias can have the address of a mailbox, so the mailbox decides about its own address. */
  private maySendAs(sender: string, claim: string): boolean {
    if (claim !== sender) return maySendAs(sender, claim, this.snapshot.logins);
    const name = senderDomain(sender);
    const isOpen = name !== null && this.snapshot.domains.get(name)?.inbound === 'open';
    return isOpen && this.snapshot.mailboxes.has(sender);
  }

  private account(
    domain: LedgerDomain,
    parent: LedgerDomain | null,
    suspended: boolean,
    forwarded: boolean,
  ): OutboundAccount {
    const { counter } = domain;
    const { period } = this.snapshot;
    const limits = effectiveLimits(domain, parent, this.snapshot.tiers, this.now);
    const enforcement = enforcementOf(domain, parent);
    return {
      name: domain.name,
      suspended,
      blocked: domain.outboundStatus === 'blocked',
      enforcement,
      limits: forwarded ? { dailyLimit: limits.dailyLimit, monthlyLimit: 0 } : limits,
      sentToday: forwarded ? counter.forwardedTodayIn(period) : counter.sentTodayIn(period),
      sentThisMonth: counter.sentMonthIn(period),
    };
  }

  private lostLately({ verificationLostAt }: LedgerDomain): boolean {
    return verificationLostAt !== null && this.now < lostGraceEnd(verificationLostAt);
  }

  /** Bytes do not count on the parent. */
  hasRoom({ forwarded, count, bytes }: Sent, { counter }: LedgerDomain, parent: LedgerDomain | null): boolean {
    const { period } = this.snapshot;
    if (forwarded) {
      return counter.hasRoomToForward(period, count) && parent?.counter.hasRoomToForward(period, count) !== false;
    }
    if (!counter.hasRoomFor(period, { messages: count, bytes })) return false;
    return parent?.counter.hasRoomFor(period, { messages: count }) !== false;
  }
}

/** Whether a suspension of the domain, or of its partner in any stage, stops all mail that it sends. */
function maySendNothing({ suspensionCauses, partnerStage }: LedgerDomain): boolean {
  return suspensionCauses.length > 0 || partnerStage !== null;
}
