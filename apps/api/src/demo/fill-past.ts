import { Clock, DAY_MS, utcDay } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { AnnounceLimits } from '@mailstead/core/outbound/announce-limits';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import type { Increment } from '@mailstead/core/outbound/outbound-batch';
import { OutboundLedger } from '@mailstead/core/outbound/outbound-ledger';
import { OUTBOUND_DAYS } from '@mailstead/core/outbound/outbound-reader';
import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { RelayTrafficLog } from '@mailstead/core/relay/relay-traffic-log';
import { CountRelayEvents, type ReadEvent } from '@mailstead/core/relay-events/count-relay-events';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { BOUNCES, type InventedBounce, type InventedDomain } from './invented.js';

const BYTES_PER_MESSAGE = 24_000;
/** A month of such days stays below 80 % of the limit of the month. */
const MOST_A_DAY: Record<OutboundTier, number> = { basic: 60, standard: 900, high: 9_000, unlimited: 9_000 };
/** How much of a usual day is sent on each day of the week, from Sunday on. */
const WEEK = [0.3, 1, 1.1, 1.05, 1, 0.9, 0.4];
/** Its multiples are spread evenly between whole numbers. */
const GOLDEN = 0.618_034;

/** The time of a day that is over. */
class PastClock extends Clock {
  constructor(private readonly at: Date) {
    super();
  }

  override now(): Date {
    return this.at;
  }
}

/** Counts what the domains of a demo sent on the days before, and what bounced today. It may be repeated. */
@needs(
  UnitOfWork,
  OutboundLedger,
  AnnounceLimits,
  Clock,
  Meters,
  RelayTrafficLog,
  RelayProvider,
  RestoreGate,
  CountRelayEvents,
  DomainRepository,
)
export class FillPast {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly announceLimits: AnnounceLimits,
    private readonly clock: Clock,
    private readonly meters: Meters,
    private readonly relayTraffic: RelayTrafficLog,
    private readonly relay: RelayProvider,
    private readonly gate: RestoreGate,
    private readonly countRelayEvents: CountRelayEvents,
    private readonly domains: DomainRepository,
  ) {}

  /** The oldest day first: a counter goes on from day to day, and closes the month that is over. */
  async countDays(domains: readonly InventedDomain[]): Promise<void> {
    for (let ago = OUTBOUND_DAYS - 1; ago > 0; ago -= 1) {
      const at = new Date(this.clock.now().getTime() - ago * DAY_MS);
      const counting = new CountOutbound(
        this.unitOfWork,
        this.ledger,
        this.announceLimits,
        new PastClock(at),
        this.meters,
        this.relayTraffic,
        this.relay,
        this.gate,
      );
      const messages = domains.map((domain, index) => ({ domain, count: sentOn(domain, at, ago * GOLDEN + index) }));
      await counting.executeAll(
        messages
          .filter(({ count }) => count > 0)
          .map(({ domain, count }) => messageOf(domain, count, `demo-${domain.name}-${utcDay(at)}`)),
      );
    }
  }

  /** As the relay reports them. Mail of the days before cannot bounce: the domains did not exist then. */
  async countBounces(): Promise<void> {
    const now = this.clock.now();
    const events = await Promise.all(BOUNCES.map((bounce, index) => this.eventOf(bounce, index + 1, now)));
    await this.unitOfWork.run(() => this.countRelayEvents.execute(events, now));
  }

  /** Times of creation increase within a partner, and may be ahead of the clock. */
  private async eventOf({ sender, recipient, reply }: InventedBounce, id: number, now: Date): Promise<ReadEvent> {
    const name = sender.slice(sender.indexOf('@') + 1) as DomainName;
    const createdAt = (await this.domains.find('all', name))?.createdAt ?? now;
    const sentAt = createdAt > now ? createdAt : now;
    return {
      id,
      event: {
        providerId: `demo-event-${id}`,
        kind: 'bounce',
        bounceType: 'permanent',
        attempted: true,
        subType: 'General',
        notSpam: false,
        messageId: `demo-message-${id}`,
        sentAt,
        sourceDomain: name,
        recipients: [recipient],
        sender,
        diagnostics: new Map([[recipient, reply]]),
        statuses: new Map(),
        occurredAt: sentAt,
      },
    };
  }
}

/** What a domain sent in one message that has left already: the domain is not verified yet. */
export function messageOf(domain: InventedDomain, count: number, id: string): Increment {
  return {
    domain: domain.name as DomainName,
    sender: `${domain.mailboxes[0]}@${domain.name}`,
    id: `message:${id}`,
    count,
    bytes: count * BYTES_PER_MESSAGE,
    recipients: null,
    claims: [],
    fingerprint: null,
    session: null,
    forwarded: false,
    alreadySent: true,
  };
}

function sentOn({ sentToday, tier }: InventedDomain, day: Date, seed: number): number {
  const wave = 0.75 + 0.5 * (seed % 1);
  return Math.round(Math.min(sentToday, MOST_A_DAY[tier]) * (WEEK[day.getUTCDay()] ?? 1) * wave);
}
