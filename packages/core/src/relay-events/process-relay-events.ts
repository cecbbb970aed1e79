import { aboutDomain } from '../audit/about-domain.js';
import type { AuditLog } from '../audit/audit-log.js';
import { type Clock, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { BlockReason, Domain } from '../domains/domain.js';
import { parseDomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import { AppError, reasonOf } from '../errors.js';
import type { JobCounts, JobQueue } from '../jobs/jobs.js';
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
import { readStoredEvent } from './stored-event.js';

/** What one transaction takes on. An event with more recipients is counted in several, each event with less in one. */
const EVENTS_PER_BATCH = 200;
const BYTES_PER_BATCH = 1_024 * 1_024;
const RECIPIENTS_PER_TRANSACTION = 2_000;

/** After so many failures of its own an event is set aside: about two hours after the first. */
const MAX_ATTEMPTS = 8;
/** The wait after the first failure; it doubles with each further one. */
const FIRST_RETRY_MS = MINUTE_MS;
/** The wait after a failure of the database, which is not counted as an attempt. */
const POSTPONED_MS = 30 * SECOND_MS;

interface ReadEvent {
  id: number;
  event: RelayEvent;
}

interface Counted extends ReadEvent {
  kind: BounceKind;
  domainId: number;
}

/**
 * Counts the bounces and complaints that were taken in, and blocks a domain that reaches the limit, all in the transaction
 * that counts them. One bounce of one recipient counts once, however often and by whichever path it came.
 *
 * Events are processed in batches. When a batch fails, each of its events is processed alone: one that fails again is
 * tried later and then set aside, and holds up no other.
 */
export class ProcessRelayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly domains: DomainRepository,
    private readonly ledger: OutboundLedger,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    private readonly meters: Meters,
    private readonly rule: BounceRuleOptions,
  ) {}

  /** Processes all that is due. May be cut off and run again; several may run at once. */
  async execute(): Promise<JobCounts> {
    const total: Record<EventOutcome | 'failed', number> = {
      counted: 0,
      repeated: 0,
      ignored: 0,
      unknown_domain: 0,
      failed: 0,
    };
    for (;;) {
      const now = this.clock.now();
      let taken: PendingEvent[] = [];
      const together = await this.unitOfWork
        .run(async () => {
          taken = await this.inbox.lockPending({ maxEvents: EVENTS_PER_BATCH, maxBytes: BYTES_PER_BATCH }, now);
          return this.processTogether(taken, now);
        })
        .catch((error: unknown) => {
          if (taken.length === 0) throw error;
          return null;
        });
      if (taken.length === 0) {
        await this.comeBack(now);
        return total;
      }
      for (const outcome of together ?? []) total[outcome] += 1;
      if (together !== null) continue;
      for (const pending of taken) {
        const outcome = await this.processAlone(pending);
        if (outcome !== null) total[outcome] += 1;
      }
    }
  }

  /** For the events that wait for their next attempt. */
  private async comeBack(now: Date): Promise<void> {
    const runAt = await this.inbox.nextRetryAt(now);
    if (runAt !== null) await this.jobs.enqueue('relay-events.process', {}, { key: 'relay-events.process', runAt });
  }

  /** @returns the outcome of each, or null when they have to be processed one by one. */
  private async processTogether(taken: PendingEvent[], now: Date): Promise<EventOutcome[] | null> {
    const events = taken.map(({ id, stored }) => ({ id, event: readStoredEvent(stored) }));
    const recipients = events.reduce((sum, { event }) => sum + event.recipients.length, 0);
    if (recipients > RECIPIENTS_PER_TRANSACTION || taken.some(({ hasFailed }) => hasFailed)) return null;
    const outcomes = await this.settle(events, now);
    for (const outcome of new Set(outcomes.values())) {
      const ids = [...outcomes].filter(([, each]) => each === outcome).map(([id]) => id);
      await this.inbox.markProcessed(ids, outcome, now);
    }
    return [...outcomes.values()];
  }

  /** @returns null when another process was faster. */
  private async processAlone(pending: PendingEvent): Promise<EventOutcome | 'failed' | null> {
    try {
      let counted = false;
      for (let from = 0; ; from += RECIPIENTS_PER_TRANSACTION) {
        const part = await this.unitOfWork.run(() => this.processPart(pending.id, from, counted));
        if (part === null || part.isLast) return part?.outcome ?? null;
        counted ||= part.outcome === 'counted';
      }
    } catch (error) {
      await this.fail(pending, error);
      return 'failed';
    }
  }

  /**
   * Counts the event on some of its recipients. What was counted before a crash is known by its effects, so that an event
   * that was cut off between two parts is simply started again.
   */
  private async processPart(
    id: number,
    from: number,
    counted: boolean,
  ): Promise<{ outcome: EventOutcome; isLast: boolean } | null> {
    const now = this.clock.now();
    const pending = await this.inbox.lock(id);
    if (pending === null) return null;
    const event = readStoredEvent(pending.stored);
    const to = from + RECIPIENTS_PER_TRANSACTION;
    const part = { ...event, recipients: event.recipients.slice(from, to) };
    const found = (await this.settle([{ id, event: part }], now)).get(id) ?? 'ignored';
    const outcome = counted && found === 'repeated' ? 'counted' : found;
    const isLast = to >= event.recipients.length || outcome === 'ignored' || outcome === 'unknown_domain';
    if (isLast) await this.inbox.markProcessed([id], outcome, now);
    return { outcome, isLast };
  }

  /**
   * Notes why an event failed and when it is tried again. A database that does not answer is no fault of the event: that
   * is not counted, and when even the note fails, the whole job does and is tried again.
   */
  private async fail({ id, attempts }: PendingEvent, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const now = this.clock.now().getTime();
    if (error instanceof AppError && error.kind === 'unavailable') {
      await this.inbox.markFailed(id, reason, attempts, new Date(now + POSTPONED_MS));
      return;
    }
    const isLast = attempts + 1 >= MAX_ATTEMPTS;
    const nextAttemptAt = isLast ? null : new Date(now + FIRST_RETRY_MS * 2 ** attempts);
    await this.inbox.markFailed(id, reason, attempts + 1, nextAttemptAt);
  }

  /** Counts the events in the caller's unit of work. @returns the outcome of each by its id. */
  private async settle(events: ReadEvent[], now: Date): Promise<Map<number, EventOutcome>> {
    const outcomes = new Map<number, EventOutcome>();
    const counted: Counted[] = [];
    const domains = await this.lockDomains(events);
    for (const { id, event } of events) {
      const kind = kindOf(event);
      const domain = domains.get(event.sourceDomain ?? '');
      if (kind === null) outcomes.set(id, 'ignored');
      else if (domain === undefined) outcomes.set(id, 'unknown_domain');
      else counted.push({ id, event, kind, domainId: domain.id });
    }
    const fresh = await this.claim(counted, now);
    for (const { id, event, kind } of counted) {
      const isFresh = event.recipients.some((recipient) => fresh.has(effectKey(event, recipient, kind)));
      outcomes.set(id, isFresh ? 'counted' : 'repeated');
    }
    for (const domain of new Set(domains.values())) await this.count(domain, counted, fresh, now);
    return outcomes;
  }

  /** The domains that the events are charged to, locked by name in one order, so that two workers never wait in a circle. */
  private async lockDomains(events: ReadEvent[]): Promise<Map<string, Domain>> {
    const domains = new Map<string, Domain>();
    const names = new Set(
      events.filter(({ event }) => kindOf(event) !== null).map(({ event }) => event.sourceDomain ?? ''),
    );
    for (const text of [...names].sort()) {
      const name = parseDomainName(text);
      const domain = name === null ? null : await this.domains.lock('all', name);
      if (domain !== null) domains.set(text, domain);
    }
    return domains;
  }

  private claim(counted: Counted[], now: Date): Promise<Set<string>> {
    const effects = counted.flatMap(({ event, kind }) =>
      event.recipients.map((recipient) => ({ key: effectKey(event, recipient, kind) })),
    );
    return effects.length === 0 ? Promise.resolve(new Set()) : this.inbox.claimEffects(effects, now);
  }

  private async count(domain: Domain, counted: Counted[], fresh: Set<string>, now: Date): Promise<void> {
    const events: SentMessageEvent[] = [];
    for (const { event, kind, domainId } of counted) {
      if (domainId !== domain.id) continue;
      for (const recipient of event.recipients) {
        // Deleted, so that two events of one batch about the same bounce count once.
        if (fresh.delete(effectKey(event, recipient, kind))) events.push({ kind, sentAt: event.sentAt });
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
    const entry = aboutDomain(domain, 'domain.outbound_block', {
      before: { outbound_status: 'active' },
      after: { outbound_status: 'blocked', ...facts },
    });
    await this.audit.append(systemActor('bounce-rule'), now, entry);
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
