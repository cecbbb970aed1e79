import type { Logger } from './logger.js';

/**
 * What a person must look at. Each kind is a value of the label of `mailstead_billing_alarms`, and has its row in
 * docs/billing.md.
 */
const ALARM_KINDS = [
  'metadata_missing',
  'domain_missing',
  'partner_differs',
  'plan_unknown',
  'status_unknown',
  'second_subscription',
  'subscription_unknown',
  'signature_wrong',
  'brake',
  'state_unreadable',
  'state_unwritable',
  'stripe_unavailable',
  'mailstead_unavailable',
  'reconcile_failed',
] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export interface Alarm {
  kind: AlarmKind;
  /** The subscription or the domain; empty for the process. */
  subject: string;
  /** Says what is wrong and what to do. */
  sentence: string;
}

/** Alarms above this number are logged, but not listed. */
const MAX_LISTED = 1_000;

/** The present alarms. Each is logged when it begins. */
export class Alarms {
  private readonly present = new Map<string, Alarm & { since: string }>();
  private raisedSince = new Set<string>();

  constructor(private readonly logger: Logger) {}

  raise(alarm: Alarm): void {
    const key = keyOf(alarm);
    this.raisedSince.add(key);
    const known = this.present.get(key);
    if (known?.sentence === alarm.sentence) return;
    this.logger.warn(alarm.sentence, { alarm: alarm.kind, subject: alarm.subject });
    if (known === undefined && this.present.size >= MAX_LISTED) return;
    this.present.set(key, { ...alarm, since: known?.since ?? new Date().toISOString() });
  }

  clear(kind: AlarmKind, subject = ''): void {
    this.present.delete(keyOf({ kind, subject }));
  }

  /** Replaces the alarms of a subscription or domain. */
  replace(subject: string, alarms: readonly Alarm[]): void {
    const kept = new Set(alarms.map(keyOf));
    for (const [key, alarm] of this.present) if (alarm.subject === subject && !kept.has(key)) this.present.delete(key);
    for (const alarm of alarms) this.raise(alarm);
  }

  /** Begins a comparison of everything. */
  beginRound(): void {
    this.raisedSince = new Set();
  }

  /** Ends it: the alarms about subscriptions and domains that were not raised since its beginning are over. */
  endRound(): void {
    for (const [key, { subject }] of this.present) {
      if (subject !== '' && !this.raisedSince.has(key)) this.present.delete(key);
    }
  }

  list(): (Alarm & { since: string })[] {
    return [...this.present.values()];
  }

  /** The number of present alarms of each kind, also those with none. */
  counts(): Map<AlarmKind, number> {
    const counts = new Map<AlarmKind, number>(ALARM_KINDS.map((kind) => [kind, 0]));
    for (const { kind } of this.present.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }
}

function keyOf({ kind, subject }: Pick<Alarm, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}
