import { AttentionList } from '@mailstead/core/attention/attention-list';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from '@mailstead/core/clock';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import type { Increment } from '@mailstead/core/outbound/outbound-batch';
import { OUTBOUND_DAYS } from '@mailstead/core/outbound/outbound-reader';
import { ReportWaitingMail } from '@mailstead/core/outbound/report-waiting-mail';
import { LookAtDomains } from '@mailstead/core/relay/looks/look-at-domains';
import { CountRelayEvents, type ReadEvent } from '@mailstead/core/relay-events/count-relay-events';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { BOUNCES, INVENTED, type InventedDomain } from './invented.js';
import type { Happening, Past } from './past.js';
import { BYTES_PER_MESSAGE, sentOn } from './sent-on.js';
import { nameOf } from './story.js';
import { plotOf } from './story-states.js';

const BYTES_PER_MEGABYTE = 1_048_576;
const WAITING_DAYS = 5;
/** Looks at the DNS: what a domain lacks counts after the second one. */
const LOOKS_AGO_MS = [2 * DAY_MS, 2 * DAY_MS - 15 * MINUTE_MS, HOUR_MS];
/** How long before its report a message was sent. */
const REPORTED_AFTER_MS = 10 * MINUTE_MS;

const DOMAINS = INVENTED.flatMap(({ domains }) => domains);

/** What mail servers, the relay and the jobs of the service did in the last 30 days. */
export class StoryMail {
  constructor(
    private readonly past: Past,
    private readonly now: Date,
  ) {}

  happenings(): Happening[] {
    const days = Array.from({ length: OUTBOUND_DAYS - 1 }, (_, index) => OUTBOUND_DAYS - 1 - index);
    return [
      ...days.map((ago) => this.ago(ago * DAY_MS, () => this.countDay(ago))),
      ...LOOKS_AGO_MS.map((ms) => this.ago(ms, () => this.past.get(LookAtDomains).execute())),
      ...DOMAINS.flatMap((domain) => this.reportsOf(domain)),
      this.ago(0, () => this.countToday()),
      this.ago(0, () => this.countEvents(BOUNCES.map((bounce, index) => bounceEvent(bounce, index, this.now)))),
      this.ago(0, () => this.reportWaiting()),
      this.ago(0, () => this.past.get(AttentionList).sweep({ of: 1, remainder: 0 }, this.now)),
      this.ago(0, () => this.past.get(SnapshotUsage).execute({ cursor: 0, save: async () => {} })),
      this.ago(0, () => this.past.runJobs()),
    ];
  }

  private countDay(ago: number): Promise<unknown> {
    const day = new Date(this.now.getTime() - ago * DAY_MS);
    return this.count(
      DOMAINS.filter((domain) => this.sendsOn(domain, day)).flatMap((domain) => {
        const count = sentOn(domain, day, DOMAINS.indexOf(domain));
        return count === 0 ? [] : [messageOf(domain, count, utcDay(day))];
      }),
    );
  }

  private sendsOn(domain: InventedDomain, day: Date): boolean {
    const { isFirstDay = false, sinceMs = 0 } = plotOf(domain);
    return !isFirstDay && this.now.getTime() - day.getTime() > sinceMs;
  }

  private countToday(): Promise<unknown> {
    return this.count(
      DOMAINS.filter((domain) => domain.sentToday > 0 && plotOf(domain).sinceMs === undefined).flatMap((domain) => {
        const { largeMessageMb } = plotOf(domain);
        const large = messageOf(domain, 1, 'large');
        return [
          messageOf(domain, domain.sentToday, 'today'),
          ...(largeMessageMb === undefined ? [] : [{ ...large, bytes: largeMessageMb * BYTES_PER_MEGABYTE }]),
        ];
      }),
    );
  }

  private count(increments: readonly Increment[]): Promise<unknown> {
    return this.past.get(CountOutbound).executeAll(increments);
  }

  /** The bounces and complaints by which a domain was blocked. */
  private reportsOf(domain: InventedDomain): Happening[] {
    const { sinceMs = 0, bounces = 0, complaints = 0 } = plotOf(domain);
    const at = new Date(this.now.getTime() - sinceMs);
    const [sender] = domain.mailboxes;
    const events = [
      ...Array.from({ length: bounces }, (_, index) => {
        const recipient = `former-reader-${index + 1}@post.example`;
        return bounceEvent(
          { sender: `${sender}@${domain.name}`, recipient, reply: '550 5.1.1 user unknown' },
          index,
          at,
        );
      }),
      ...Array.from({ length: complaints }, (_, index) => complaintEvent(domain, index, at)),
    ];
    return events.length === 0 ? [] : [{ at, happen: () => this.countEvents(events) }];
  }

  private countEvents(events: readonly ReadEvent['event'][]): Promise<unknown> {
    const read = events.map((event, index) => ({ id: index + 1, event }));
    const at = events[0]?.occurredAt ?? this.now;
    return this.past.get(UnitOfWork).run(() => this.past.get(CountRelayEvents).execute(read, at));
  }

  private reportWaiting(): Promise<unknown> {
    const waiting = DOMAINS.filter((domain) => plotOf(domain).mailWaits === true);
    const waitingSeconds = (WAITING_DAYS * DAY_MS) / 1_000;
    return this.past
      .get(ReportWaitingMail)
      .execute(waiting.map((domain) => ({ domain: nameOf(domain), messages: 3, waitingSeconds })));
  }

  private ago(ms: number, happen: Happening['happen']): Happening {
    return { at: new Date(this.now.getTime() - ms), happen };
  }
}

/** Mail of one day, as one message that has left already. */
function messageOf(domain: InventedDomain, count: number, id: string): Increment {
  return {
    domain: nameOf(domain),
    sender: `${domain.mailboxes[0]}@${domain.name}`,
    id: `message:demo-${domain.name}-${id}`,
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

interface Bounced {
  sender: string;
  recipient: string;
  reply: string;
}

/** As the relay reports it. */
function bounceEvent({ sender, recipient, reply }: Bounced, index: number, at: Date): ReadEvent['event'] {
  const sourceDomain = sender.slice(sender.indexOf('@') + 1);
  return {
    ...reportOf(`${sourceDomain}-bounce-${index}`, at),
    kind: 'bounce',
    bounceType: 'permanent',
    subType: 'General',
    sourceDomain,
    recipients: [recipient],
    sender,
    diagnostics: new Map([[recipient, reply]]),
    statuses: new Map([[recipient, reply.split(' ')[1] ?? '']]),
  };
}

function complaintEvent({ name, mailboxes }: InventedDomain, index: number, at: Date): ReadEvent['event'] {
  const recipient = `reader-${index + 1}@inbox.example`;
  return {
    ...reportOf(`${name}-complaint-${index}`, at),
    kind: 'complaint',
    bounceType: null,
    subType: 'abuse',
    sourceDomain: name,
    recipients: [recipient],
    sender: `${mailboxes[0]}@${name}`,
    diagnostics: new Map([[recipient, 'abuse']]),
  };
}

function reportOf(id: string, occurredAt: Date) {
  return {
    providerId: `demo-${id}`,
    messageId: `demo-${id}`,
    attempted: true,
    notSpam: false,
    statuses: new Map<string, string>(),
    sentAt: new Date(occurredAt.getTime() - REPORTED_AFTER_MS),
    occurredAt,
  };
}
