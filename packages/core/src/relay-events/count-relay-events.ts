import type { Domain } from '../domains/domain.js';
import { parseDomainName } from '../domains/domain-name.js';
import type { DomainRepository } from '../domains/domain-repository.js';
import type { BounceKind } from '../outbound/bounce-rule.js';
import type { OutboundLedger, SentMessageEvent } from '../outbound/outbound-ledger.js';
import type { BlockBouncingDomain } from './block-bouncing-domain.js';
import { countsAsBounce, countsAsComplaint, type RelayEvent } from './relay-event.js';
import type { EventOutcome, RelayEventInbox } from './relay-event-inbox.js';

/** A parsed event of the inbox. */
export interface ReadEvent {
  id: number;
  event: RelayEvent;
}

interface CountableEvent extends ReadEvent {
  kind: BounceKind;
  domainId: number;
}

/**
 * Counts bounces and complaints, and blocks a domain that reaches a limit. Each combination of message, recipient and kind is
 * counted once, even when its event arrives several times.
 */
export class CountRelayEvents {
  constructor(
    private readonly inbox: RelayEventInbox,
    private readonly domains: DomainRepository,
    private readonly ledger: OutboundLedger,
    private readonly blockBouncingDomain: BlockBouncingDomain,
  ) {}

  /** Runs in the caller's unit of work. @returns the outcome of each event by its id. */
  async execute(events: ReadEvent[], now: Date): Promise<Map<number, EventOutcome>> {
    const outcomes = new Map<number, EventOutcome>();
    const countable: CountableEvent[] = [];
    const domains = await this.lockDomains(events);
    for (const { id, event } of events) {
      const kind = kindOf(event);
      const domain = domains.get(event.sourceDomain ?? '');
      if (kind === null) outcomes.set(id, 'ignored');
      else if (domain === undefined) outcomes.set(id, 'unknown_domain');
      else countable.push({ id, event, kind, domainId: domain.id });
    }
    const fresh = await this.claimEffects(countable, now);
    for (const { id, event, kind } of countable) {
      const isFresh = event.recipients.some((recipient) => fresh.has(effectKey(event, recipient, kind)));
      outcomes.set(id, isFresh ? 'counted' : 'repeated');
    }
    for (const domain of new Set(domains.values())) await this.count(domain, countable, fresh, now);
    return outcomes;
  }

  /** Locks the domains on which the events are counted, in the order of their names, so that two workers cannot deadlock. */
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

  /** @returns the keys of the effects that were not counted before. */
  private claimEffects(countable: CountableEvent[], now: Date): Promise<Set<string>> {
    const effects = countable.flatMap(({ event, kind }) =>
      event.recipients.map((recipient) => ({ key: effectKey(event, recipient, kind) })),
    );
    return effects.length === 0 ? Promise.resolve(new Set()) : this.inbox.claimEffects(effects, now);
  }

  private async count(domain: Domain, countable: CountableEvent[], fresh: Set<string>, now: Date): Promise<void> {
    const events: SentMessageEvent[] = [];
    for (const { event, kind, domainId } of countable) {
      if (domainId !== domain.id) continue;
      for (const recipient of event.recipients) {
        // Deleted from the set, so that two events of one batch about the same bounce are counted once.
        if (fresh.delete(effectKey(event, recipient, kind))) events.push({ kind, sentAt: event.sentAt });
      }
    }
    if (events.length === 0) return;
    const parent = domain.parentId === null ? null : await this.domains.lockById(domain.parentId);
    const window = await this.ledger.countBounces(domain.id, events, now);
    await this.blockBouncingDomain.execute(domain, window, now);
    if (parent !== null && window.parent !== null) await this.blockBouncingDomain.execute(parent, window.parent, now);
  }
}

function kindOf(event: RelayEvent): BounceKind | null {
  if (countsAsBounce(event)) return 'bounce';
  return countsAsComplaint(event) ? 'complaint' : null;
}

function effectKey({ messageId }: RelayEvent, recipient: string, kind: BounceKind): string {
  return `${kind}\n${messageId}\n${recipient}`;
}
