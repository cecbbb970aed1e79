import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { BlockReason, Domain } from '../domains/domain.js';
import { parseDomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { JobCounts } from '../jobs.js';
import type { Meters } from '../meters.js';
import type { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import {
  type BounceKind,
  type BounceRuleOptions,
  type BounceWindow,
  bounceRate,
  exceedsBounceRate,
  exceedsComplaintRate,
} from '../outbound/bounce-rule.js';
import type { OutboundLedger, SentMessageEvent } from '../outbound/outbound-ledger.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { countsAsBounce, countsAsComplaint, type RelayEvent } from './relay-event.js';
import type { EventOutcome, PendingEvent, RelayEventInbox } from './relay-event-inbox.js';

const EVENTS_PER_BATCH = 200;

interface Counted {
  pending: PendingEvent;
  kind: BounceKind;
  domainId: number;
}

/**
 * Counts the bounces and complaints that were taken in, and blocks a domain that reaches the limit, all in the transaction
 * that counts them. One bounce of one recipient counts once, however often and by whichever path it came.
 */
export class ProcessRelayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly domains: DomainRepository,
    private readonly ledger: OutboundLedger,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly meters: Meters,
    private readonly rule: BounceRuleOptions,
  ) {}

  /** Processes all that is pending. May be cut off and run again; several may run at once. */
  async execute(): Promise<JobCounts> {
    const total: JobCounts = { counted: 0, repeated: 0, ignored: 0, unknown_domain: 0 };
    for (;;) {
      const outcomes = await this.unitOfWork.run(() => this.processBatch());
      for (const [outcome, count] of outcomes) total[outcome] = (total[outcome] ?? 0) + count;
      if (outcomes.size === 0) return total;
    }
  }

  private async processBatch(): Promise<Map<EventOutcome, number>> {
    const now = this.clock.now();
    const pending = await this.inbox.lockPending(EVENTS_PER_BATCH);
    const outcomes: Record<EventOutcome, number[]> = { counted: [], repeated: [], ignored: [], unknown_domain: [] };
    const counted: Counted[] = [];
    const domains = await this.lockDomains(pending);
    for (const each of pending) {
      const kind = kindOf(each.event);
      const domain = domains.get(each.event.sourceDomain ?? '');
      if (kind === null) outcomes.ignored.push(each.id);
      else if (domain === undefined) outcomes.unknown_domain.push(each.id);
      else counted.push({ pending: each, kind, domainId: domain.id });
    }
    const fresh = await this.claim(counted, now);
    for (const { pending: each, kind } of counted) {
      (each.event.recipients.some((recipient) => fresh.has(effectKey(each.event, recipient, kind)))
        ? outcomes.counted
        : outcomes.repeated
      ).push(each.id);
    }
    for (const domain of new Set(domains.values())) await this.count(domain, counted, fresh, now);
    for (const [outcome, ids] of Object.entries(outcomes) as [EventOutcome, number[]][]) {
      await this.inbox.markProcessed(ids, outcome, now);
    }
    return new Map(
      (Object.entries(outcomes) as [EventOutcome, number[]][])
        .filter(([, ids]) => ids.length > 0)
        .map(([outcome, ids]) => [outcome, ids.length]),
    );
  }

  /** The domains that the events are charged to, locked by name in one order, so that two workers never wait in a circle. */
  private async lockDomains(pending: PendingEvent[]): Promise<Map<string, Domain>> {
    const domains = new Map<string, Domain>();
    const names = new Set(
      pending.filter(({ event }) => kindOf(event) !== null).map(({ event }) => event.sourceDomain ?? ''),
    );
    for (const text of [...names].sort()) {
      const name = parseDomainName(text);
      const domain = name === null ? null : await this.domains.lock('all', name);
      if (domain !== null) domains.set(text, domain);
    }
    return domains;
  }

  private claim(counted: Counted[], now: Date): Promise<Set<string>> {
    const effects = counted.flatMap(({ pending: { event }, kind }) =>
      event.recipients.map((recipient) => ({ key: effectKey(event, recipient, kind) })),
    );
    return effects.length === 0 ? Promise.resolve(new Set()) : this.inbox.claimEffects(effects, now);
  }

  private async count(domain: Domain, counted: Counted[], fresh: Set<string>, now: Date): Promise<void> {
    const events: SentMessageEvent[] = [];
    for (const { pending, kind, domainId } of counted) {
      if (domainId !== domain.id) continue;
      for (const recipient of pending.event.recipients) {
        // Deleted, so that two events of one batch about the same bounce count once.
        if (fresh.delete(effectKey(pending.event, recipient, kind)))
          events.push({ kind, sentAt: pending.event.sentAt });
      }
    }
    if (events.length === 0) return;
    const parent = domain.parentId === null ? null : await this.domains.lockById(domain.parentId);
    const window = await this.ledger.countBounces(domain.id, events, now);
    await this.blockIfExceeded(domain, window, now);
    if (parent !== null && window.parent !== null) await this.blockIfExceeded(parent, window.parent, now);
  }

  private async blockIfExceeded(domain: Domain, window: BounceWindow, now: Date): Promise<void> {
    if (domain.outboundStatus === 'blocked') return;
    const reason = this.reasonToBlock(window);
    if (reason === null) return;
    domain.block(reason, now);
    await this.domains.save(domain);
    const facts = {
      reason,
      bounces: window.bounces,
      complaints: window.complaints,
      sent: window.sent,
      bounce_rate: bounceRate(window),
    };
    await this.notifier.notify('domain.outbound_blocked', domain, now, facts);
    await this.audit.record(systemActor('bounce-rule'), now, {
      action: 'domain.outbound_block',
      partnerRef: domain.partnerRef,
      domain: domain.name,
      subject: domain.name,
      before: { outbound_status: 'active' },
      after: { outbound_status: 'blocked', ...facts },
    });
    this.unitOfWork.afterCommit(() => this.meters.blocked(reason));
  }

  private reasonToBlock(window: BounceWindow): BlockReason | null {
    if (exceedsBounceRate(window, this.rule)) return 'bounce_rate';
    return exceedsComplaintRate(window, this.rule) ? 'complaint_rate' : null;
  }
}

function kindOf(event: RelayEvent): BounceKind | null {
  if (countsAsBounce(event)) return 'bounce';
  return countsAsComplaint(event) ? 'complaint' : null;
}

function effectKey({ messageId }: RelayEvent, recipient: string, kind: BounceKind): string {
  return `${kind}\n${messageId}\n${recipient}`;
}
