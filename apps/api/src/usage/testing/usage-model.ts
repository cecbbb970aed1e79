import { DAY_MS, utcDay } from '@mailstead/core/clock';

/** A domain as the API shows it. */
export interface ShownDomain {
  partner: string;
  plan: string | null;
  mailboxes: number;
}

interface Use {
  plan: string | null;
  sent: number;
  bytes: number;
  bytesIn: number;
  bounces: number;
}

/** What the test saw of a name on a day. */
interface DayOfName {
  /** The partner that held the name last, and the highest number of mailboxes that counts for it. */
  holder: string;
  highest: number;
  uses: Map<string, Use>;
}

export type Received = Pick<Use, 'bytes' | 'bytesIn' | 'bounces'>;

export interface Expected {
  days: number;
  mailboxesMax: number;
  mailboxDays: number;
  sent: number;
}

/** Counts what partners use in the simplest way: it notes every change on the day on which it happens. */
export class UsageModel {
  /** The present domains by name. */
  readonly held = new Map<string, ShownDomain>();
  private readonly days = new Map<string, Map<string, DayOfName>>();

  /** A new day begins: who holds a name now holds it on that day. */
  beginDay(now: Date): void {
    for (const [name, domain] of this.held) this.note(name, domain, now);
  }

  /** The name is held by this partner now. @param isMoved it came from another partner with its mailboxes */
  changed(name: string, domain: ShownDomain, now: Date, isMoved = false): void {
    this.held.set(name, domain);
    const day = this.note(name, domain, now);
    if (isMoved) day.highest = domain.mailboxes;
  }

  deleted(name: string): void {
    this.held.delete(name);
  }

  used(name: string, use: Partial<Record<'sent' | 'bytes' | 'bytesIn' | 'bounces', number>>, now: Date): void {
    const domain = this.held.get(name);
    if (domain === undefined) throw new Error(`Nobody holds ${name}`);
    const total = this.note(name, domain, now).uses.get(domain.partner);
    if (total === undefined) throw new Error('A use without a partner');
    total.sent += use.sent ?? 0;
    total.bytes += use.bytes ?? 0;
    total.bytesIn += use.bytesIn ?? 0;
    total.bounces += use.bounces ?? 0;
  }

  /** By `name partner plan`. */
  month(month: string): Record<string, Expected> {
    const rows: Record<string, Expected> = {};
    for (const { name, day } of this.daysOf(month)) {
      for (const [partner, use] of day.uses) {
        const key = `${name} ${partner} ${use.plan}`;
        const row = (rows[key] ??= { days: 0, mailboxesMax: 0, mailboxDays: 0, sent: 0 });
        row.sent += use.sent;
        if (partner !== day.holder) continue;
        row.days += 1;
        row.mailboxDays += day.highest;
        row.mailboxesMax = Math.max(row.mailboxesMax, day.highest);
      }
    }
    return rows;
  }

  /** Bytes, their received part and bounces by `name partner`. */
  received(month: string): Record<string, Received> {
    const rows: Record<string, Received> = {};
    for (const { name, day } of this.daysOf(month)) {
      for (const [partner, use] of day.uses) {
        const row = (rows[`${name} ${partner}`] ??= { bytes: 0, bytesIn: 0, bounces: 0 });
        row.bytes += use.bytes;
        row.bytesIn += use.bytesIn;
        row.bounces += use.bounces;
      }
    }
    return rows;
  }

  private note(name: string, { partner, plan, mailboxes }: ShownDomain, now: Date): DayOfName {
    const date = utcDay(now);
    const days = this.days.get(date) ?? new Map<string, DayOfName>();
    this.days.set(date, days);
    const day: DayOfName = days.get(name) ?? { holder: partner, highest: 0, uses: new Map() };
    days.set(name, day);
    day.highest = day.holder === partner ? Math.max(day.highest, mailboxes) : mailboxes;
    day.holder = partner;
    const use = day.uses.get(partner) ?? { plan, sent: 0, bytes: 0, bytesIn: 0, bounces: 0 };
    use.plan = plan;
    day.uses.set(partner, use);
    return day;
  }

  private *daysOf(month: string): Generator<{ name: string; day: DayOfName }> {
    for (
      let at = new Date(`${month}-01T00:00:00Z`);
      utcDay(at).startsWith(month);
      at = new Date(at.getTime() + DAY_MS)
    ) {
      for (const [name, day] of this.days.get(utcDay(at)) ?? []) yield { name, day };
    }
  }
}
