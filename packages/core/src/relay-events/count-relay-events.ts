import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { zonelessTime } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { parseDomainName } from '../domains/domain-name.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import type { BounceKind } from '../outbound/bounce-rule.js';
import { OutboundLedger, type SentMessageEvent } from '../outbound/outbound-ledger.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { SuppressRecipients } from '../suppressions/suppress-recipients.js';
import { parseSuppressedAddress } from '../suppressions/suppression-address.js';
import { ChangedBeforeLock } from '../unit-of-work.js';
import { BlockBouncingDomain } from './block-bouncing-domain.js';
import { type BounceListKind, BounceLog, type NewBounce } from './bounce-log.js';
import { bounceOf, isOfPresentPartner, listKindOf } from './listed-bounce.js';
import { countedKindOf, type RelayEvent, reportedKindOf, suppresses } from './relay-event.js';
import { type EventOutcome, RelayEventInbox } from './relay-event-inbox.js';

const ACTOR = systemActor('relay');

/** A parsed event of the inbox. */
export interface ReadEvent {
  id: number;
  event: RelayEvent;
}

interface KnownEvent extends ReadEvent {
  kind: BounceListKind;
  /** Null when it is only listed. */
  counted: BounceKind | null;
  domain: Domain;
}

/** A bounce or complaint of one recipient. */
interface Reported extends KnownEvent {
  recipient: string;
}

/** One that was not reported before. */
interface Effect extends Reported {
  /** Whether it raises a number of the domain. */
  raises: boolean;
}

/**
 * Lists and counts bounces and complaints, blocks a domain that reaches a limit, and suppresses recipients. Each
 * combination of message, recipient and kind is taken once, even when its event arrives several times. A complaint
 * raises the number once for the message and the domain of its recipients, because SES names everybody at a provider
 * who may have complained. An event of a message that was sent before the present row of its domain existed is ignored:
 * the name may have had another holder.
 */
@needs(
  RelayEventInbox,
  BounceLog,
  DomainRepository,
  PartnerRepository,
  OutboundLedger,
  BlockBouncingDomain,
  SuppressRecipients,
  AuditLog,
)
export class CountRelayEvents {
  constructor(
    private readonly inbox: RelayEventInbox,
    private readonly bounces: BounceLog,
    private readonly domains: DomainRepository,
    private readonly partners: PartnerRepository,
    private readonly ledger: OutboundLedger,
    private readonly blockBouncingDomain: BlockBouncingDomain,
    private readonly suppressRecipients: SuppressRecipients,
    private readonly audit: AuditLog,
  ) {}

  /** Runs in the caller's unit of work. @returns the outcome of each event by its id. */
  async execute(events: ReadEvent[], now: Date): Promise<Map<number, EventOutcome>> {
    const outcomes = new Map<number, EventOutcome>();
    const known: KnownEvent[] = [];
    const domains = await this.lockDomains(events);
    for (const { id, event } of events) {
      const kind = listKindOf(event);
      const domain = domains.get(event.sourceDomain ?? '');
      if (kind === null) outcomes.set(id, 'ignored');
      else if (domain === undefined || event.sentAt < domain.createdAt) outcomes.set(id, 'unknown_domain');
      else known.push({ id, event, kind, counted: countedKindOf(event), domain });
    }
    const effects = await this.claimEffects(known, now);
    const listed = new Set(effects.map(({ id }) => id));
    const counted = new Set(effects.filter(({ raises }) => raises).map(({ id }) => id));
    for (const { id } of known) outcomes.set(id, counted.has(id) ? 'counted' : listed.has(id) ? 'listed' : 'repeated');
    await this.list(effects, now);
    await this.writeEvents(effects, now);
    await this.suppress(effects, now);
    const byId = new Map(Array.from(domains.values(), (domain) => [domain.id, domain]));
    for (const domain of byId.values()) await this.count(domain, effects, now);
    return outcomes;
  }

  /**
   * Locks the domains of the events, in the order of their names, so that two workers cannot deadlock; before them the
   * partners whose numbers of suppressions may change.
   *
   * @throws ChangedBeforeLock
   */
  private async lockDomains(events: ReadEvent[]): Promise<Map<string, Domain>> {
    const suppressing = new Set(
      events.filter(({ event }) => maySuppress(event)).map(({ event }) => event.sourceDomain),
    );
    const partnerIds = await this.lockPartnersOf([...suppressing]);
    const domains = new Map<string, Domain>();
    const names = new Set(
      events.filter(({ event }) => listKindOf(event) !== null).map(({ event }) => event.sourceDomain ?? ''),
    );
    for (const text of [...names].sort()) {
      const name = parseDomainName(text);
      const domain = name === null ? null : await this.domains.lock('all', name);
      if (domain === null) continue;
      if (suppressing.has(text) && !partnerIds.has(domain.partnerId)) {
        throw new ChangedBeforeLock(`${text} is another partner's by now`);
      }
      domains.set(text, domain);
    }
    return domains;
  }

  private async lockPartnersOf(names: readonly (string | null)[]): Promise<Set<number>> {
    const found: number[] = [];
    for (const text of names) {
      const name = parseDomainName(text ?? '');
      const domain = name === null ? null : await this.domains.find('all', name);
      if (domain !== null) found.push(domain.partnerId);
    }
    const ids = new Set(found.sort((left, right) => left - right));
    for (const id of ids) await this.partners.lock(id);
    return ids;
  }

  /** @returns the effects that were not there before; of two in this batch about the same bounce, the first. */
  private async claimEffects(known: KnownEvent[], now: Date): Promise<Effect[]> {
    const reported = known.flatMap((each) =>
      each.event.recipients.map((recipient): Reported => ({ ...each, recipient })),
    );
    if (reported.length === 0) return [];
    const keys = new Set(
      reported.flatMap((each) => [listingKey(each), countingKey(each)]).filter((key) => key !== null),
    );
    const fresh = await this.inbox.claimEffects(
      Array.from(keys, (key) => ({ key })),
      now,
    );
    return reported
      .filter((each) => fresh.delete(listingKey(each)))
      .map((each) => {
        const key = countingKey(each);
        return { ...each, raises: each.counted !== null && (key === null || fresh.delete(key)) };
      });
  }

  private async list(effects: Effect[], now: Date): Promise<void> {
    const bounces = effects
      .filter(({ domain, event }) => isOfPresentPartner(domain, event))
      .map(({ domain, event, recipient, kind }) => bounceOf(domain, event, recipient, kind, now));
    if (bounces.length > 0) await this.bounces.add(bounces);
  }

  /**
   * One event for each recipient of what is counted. It says what the list of bounces says, to the partner that sent
   * the message.
   */
  private async writeEvents(effects: Effect[], now: Date): Promise<void> {
    const entries = effects.flatMap(({ domain, event, recipient, kind, counted }) => {
      if (counted === null || !isOfPresentPartner(domain, event)) return [];
      const bounce = bounceOf(domain, event, recipient, kind, now);
      const action = counted === 'bounce' ? 'message.bounced' : 'message.complained';
      return [aboutDomain(domain, action, { after: factsOf(bounce) })];
    });
    await this.audit.appendAll(ACTOR, now, entries);
  }

  /** For the sending domain alone. What its former partner sent is nothing of the present one. */
  private async suppress(effects: Effect[], now: Date): Promise<void> {
    const found = effects.flatMap(({ domain, event, recipient }) => {
      const reason = isOfPresentPartner(domain, event) ? suppresses(event, recipient) : null;
      return reason === null
        ? []
        : [
            {
              domain,
              recipient,
              spelling: event.spellings?.get(recipient) ?? null,
              reason,
              at: event.occurredAt > now ? now : event.occurredAt,
            },
          ];
    });
    await this.suppressRecipients.execute(found);
  }

  private async count(domain: Domain, effects: Effect[], now: Date): Promise<void> {
    const events: SentMessageEvent[] = [];
    for (const { counted, raises, event, domain: counts } of effects) {
      if (counts.id === domain.id && counted !== null && raises) events.push({ kind: counted, sentAt: event.sentAt });
    }
    if (events.length === 0) return;
    const parent = domain.parentId === null ? null : await this.domains.lockById(domain.parentId);
    const window = await this.ledger.countBounces(domain.id, events, now);
    await this.blockBouncingDomain.execute(domain, window, now);
    if (parent !== null && window.parent !== null) await this.blockBouncingDomain.execute(parent, window.parent, now);
  }
}

function factsOf({ recipient, sender, kind, subtype, diagnostic, messageId, at }: NewBounce): Record<string, unknown> {
  return { recipient, sender, kind, subtype, diagnostic, message_id: messageId, occurred_at: zonelessTime(at) };
}

function maySuppress(event: RelayEvent): boolean {
  return event.recipients.some((recipient) => suppresses(event, recipient) !== null);
}

/** A recipient has one key, however the paths of an event spell it. Most keys are those of the former release. */
function listingKey({ event, recipient, kind }: Reported): string {
  const address = parseSuppressedAddress(recipient) ?? recipient;
  return `${reportedKindOf(event) ?? `listed ${kind}`}\n${event.messageId}\n${address}`;
}

/** What is counted less often than it is listed: a complaint, once for the domain of the recipients. */
function countingKey({ event, recipient, counted }: Reported): string | null {
  if (counted !== 'complaint') return null;
  const domain = recipient.slice(recipient.lastIndexOf('@') + 1);
  return `complaint of a domain\n${event.messageId}\n${parseDomainName(domain) ?? domain}`;
}
