import { Clock, SECOND_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { Meters, SilentMeters } from '../meters.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { firstDayOf } from './queue-id.js';
import {
  isForeignRefusal,
  minuteOf,
  type RefusalBound,
  refusalBoundsOf,
  refusalKeyOf,
  refusedOnceKeyOf,
} from './refusal-bounds.js';
import { BEHIND_S, keptDays, TrailOptions, trailDayOf } from './trail-options.js';
import { TrailRoom } from './trail-room.js';
import { addRefusal, addStep, newTrailRow, type TrailOwner, type TrailRow } from './trail-row.js';
import { domainOfAddress, rowKeyOf, type TrailStep, trailTag } from './trail-step.js';
import { type DomainOwner, type FormerOwner, TrailStore } from './trail-store.js';

/** Steps of a report that a mail server would not send as one if it were not behind. */
const LONG_REPORT = 500;

export interface RecordedTrail {
  /** Steps that are stored, also those that were stored before. */
  taken: number;
  /**
   * Steps of domains that are not here, or were nobody's at that time, of days that are not kept, and of rows that
   * there was no room for.
   */
  dropped: number;
}

/** Stores what the mail servers did with messages. A step that is reported again changes nothing. */
@needs(UnitOfWork, TrailStore, Clock, TrailOptions, Meters)
export class RecordTrail {
  private readonly room: TrailRoom;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: TrailStore,
    private readonly clock: Clock,
    private readonly options: TrailOptions,
    private readonly meters: Meters = new SilentMeters(),
  ) {
    this.room = new TrailRoom(options.rowsPerSecond);
  }

  async execute(steps: readonly TrailStep[]): Promise<RecordedTrail> {
    const now = this.clock.now();
    const days = keptDays(this.options, now);
    const isKept = ({ at }: TrailStep) => trailDayOf(at) >= days.first && trailDayOf(at) <= days.last;
    const kept = this.options.trailDays === 0 ? [] : steps.filter(isKept);
    if (kept.length === 0) return { taken: 0, dropped: steps.length };
    const batch = await this.unitOfWork.run(async () => {
      const behindS = behindOf(kept, now);
      await this.store.lockHosts(behindS, now);
      const owners = await this.ownersOf(kept);
      const keyed = kept.map((step) => ({ step, key: keyOf(step, owners) }));
      const rows = await this.store.lockRows(firstDaysOf(keyed, owners), days);
      const most = mostOfPartner(kept, owners, Math.max(...behindS.values()));
      const made = new TrailBatch(this.store, rows, owners, this.room, most);
      for (const { step, key } of keyed) await made.add(step, key);
      await this.store.save([...made.changed]);
      if (made.lost.size > 0) await this.store.noteGaps(made.lost);
      return made;
    });
    this.room.take(batch.createdIn);
    this.meters.trailRowsLost(batch.lostRows);
    return { taken: batch.taken, dropped: steps.length - batch.taken };
  }

  private async ownersOf(steps: readonly TrailStep[]): Promise<TrailOwners> {
    const present = await this.store.ownersOf([...new Set(steps.flatMap(domainsOf))].sort());
    const late = steps.filter(({ domain, at }) => at < (present.get(domain)?.since ?? at));
    if (late.length === 0) return new TrailOwners(present, new Map());
    const earliest = new Date(Math.min(...late.map(({ at }) => at.getTime())));
    const names = [...new Set(late.map(({ domain }) => domain))].sort();
    return new TrailOwners(present, await this.store.formerOwnersOf(names, earliest));
  }
}

/** Who had the domains of a report: a message belongs to the partner that had its domain at that time. */
class TrailOwners {
  constructor(
    readonly present: ReadonlyMap<DomainName, DomainOwner>,
    private readonly former: ReadonlyMap<DomainName, readonly FormerOwner[]>,
  ) {}

  /** @returns undefined when nobody has the domain now, or others had it and nobody knows who at that time */
  at({ domain, at }: Pick<TrailStep, 'domain' | 'at'>): TrailOwner | undefined {
    const present = this.present.get(domain);
    if (present === undefined || at >= present.since) return present;
    const former = this.former.get(domain);
    // Without others, the clock of the mail server is behind.
    return former === undefined ? present : former.find(({ since, until }) => at >= since && at < until);
  }

  partnerAt(step: TrailStep): number | null {
    return this.at(step)?.partnerId ?? null;
  }
}

/** The steps of one report. */
class TrailBatch {
  readonly changed = new Set<TrailRow>();
  taken = 0;
  lostRows = 0;
  /** The partners whose rows were not kept, each with the time of the first one. */
  readonly lost = new Map<number, Date>();
  /** New rows by the minute of their message. */
  readonly createdIn = new Map<number, number>();
  /** New rows by partner. */
  private readonly created = new Map<number, number>();
  private readonly rows: Map<string, TrailRow>;
  /** The rows of refusals by the key of their bound. */
  private readonly refused = new Map<string, number>();

  constructor(
    private readonly store: TrailStore,
    rows: readonly TrailRow[],
    private readonly owners: TrailOwners,
    private readonly room: TrailRoom,
    private readonly mostOfPartner: number,
  ) {
    this.rows = new Map(rows.map((row) => [row.key, row]));
  }

  async add(step: TrailStep, key: string): Promise<void> {
    const isTaken = isForeignRefusal(step) ? this.addForeign(step, key) : this.addOwn(step, key);
    if (await isTaken) this.taken += 1;
  }

  /** @returns false when the step cannot be stored */
  private addOwn(step: TrailStep, key: string): boolean | Promise<boolean> {
    const row = this.rows.get(key);
    if (row !== undefined && row.domain !== step.domain) return false;
    if (this.endsAtAccepted(step, row)) return true;
    if (row === undefined) return step.step === 'refused' ? this.createRefused(key, step) : this.create(key, step);
    if (addStep(row, step)) this.changed.add(row);
    return true;
  }

  private addForeign(step: TrailStep, key: string): boolean | Promise<boolean> {
    const row = this.rows.get(key);
    return row === undefined ? this.createRefused(key, step) : this.repeat(row, step);
  }

  /** Once a bound has a row for further refusals, it is full, so that a repeat takes no place that became free. */
  private async createRefused(key: string, step: TrailStep): Promise<boolean> {
    const bounds = refusalBoundsOf(step, this.owners.partnerAt(step));
    const counted: [key: string, rows: number][] = [];
    for (const bound of bounds) {
      const further = this.rows.get(bound.key);
      if (further === undefined) {
        const rows = this.refused.get(bound.key) ?? (await this.store.countRefused(bound.rows, bound.most));
        if (rows >= bound.most) return this.createFurther(bound, step);
        counted.push([bound.key, rows]);
      } else if (step.at >= further.at || bound === bounds.at(-1)) {
        return this.repeat(further, step);
      }
      // One before that row is repeated, and counted by the next bound.
    }
    for (const [bound, rows] of counted) this.refused.set(bound, rows + 1);
    return this.create(key, step);
  }

  private createFurther({ key, shown }: RefusalBound, step: TrailStep): boolean {
    return this.create(key, { ...step, ...shown, size: null, messageId: null, detail: null });
  }

  private repeat(row: TrailRow, step: TrailStep): boolean {
    if (addRefusal(row, step)) this.changed.add(row);
    return true;
  }

  private create(key: string, step: TrailStep): boolean {
    const owner = this.owners.at(step);
    if (owner === undefined) return false;
    const { domainId, partnerId } = owner;
    const minute = minuteOf(step.at);
    const [ofPartner, ofMinute] = [this.created.get(partnerId) ?? 0, this.createdIn.get(minute) ?? 0];
    if (ofPartner >= this.mostOfPartner || ofMinute >= this.room.left(minute)) {
      this.lostRows += 1;
      const first = this.lost.get(partnerId);
      if (first === undefined || step.at < first) this.lost.set(partnerId, step.at);
      return false;
    }
    this.created.set(partnerId, ofPartner + 1);
    this.createdIn.set(minute, ofMinute + 1);
    const row = newTrailRow(key, step, { domainId, partnerId });
    this.rows.set(key, row);
    this.changed.add(row);
    return true;
  }

  /** Of mail to another partner the sender learns that it was accepted, and what was refused to it. */
  private endsAtAccepted(step: TrailStep, row?: TrailRow): boolean {
    if (step.direction === 'in' || step.step === 'accepted' || step.step === 'refused') return false;
    const recipient = this.owners.present.get(domainOfAddress(step.recipient) ?? ('' as DomainName));
    const partnerId = row?.partnerId ?? this.owners.at(step)?.partnerId;
    if (recipient === undefined || recipient.partnerId === partnerId) return false;
    return recipient.isOpen || step.step === 'stored';
  }
}

/** @returns by host in their order, how long ago its newest step happened, seconds */
function behindOf(steps: readonly TrailStep[], now: Date): Map<string, number> {
  const newest = new Map<string, number>();
  for (const { host, at } of steps) newest.set(host, Math.max(newest.get(host) ?? 0, at.getTime()));
  const inOrder = [...newest].sort(([one], [other]) => (one < other ? -1 : 1));
  return new Map(inOrder.map(([host, at]) => [host, Math.max(0, Math.floor((now.getTime() - at) / SECOND_MS))]));
}

/** How many new rows of a report may be those of one partner: half, while the others wait for it. */
function mostOfPartner(steps: readonly TrailStep[], owners: TrailOwners, behindS: number): number {
  const partners = new Set(steps.map((step) => owners.at(step)?.partnerId));
  partners.delete(undefined);
  const isWaitedFor = steps.length >= LONG_REPORT && behindS > BEHIND_S && partners.size > 1;
  return isWaitedFor ? Math.floor(steps.length / 2) : Number.POSITIVE_INFINITY;
}

function keyOf(step: TrailStep, owners: TrailOwners): string {
  const { host, queueId, recipient, direction } = step;
  if (isForeignRefusal(step)) return refusalKeyOf(step, owners.partnerAt(step));
  return queueId === null ? refusedOnceKeyOf(step) : rowKeyOf(trailTag(host, queueId), recipient, direction);
}

/** The keys of the rows that the steps may change, each with the first day on which its row may be. */
function firstDaysOf(keyed: readonly { step: TrailStep; key: string }[], owners: TrailOwners): Map<string, number> {
  const days = new Map<string, number>();
  for (const { step, key } of keyed) {
    // A bound is that of a minute or an hour, and these are of one day.
    const day = trailDayOf(step.at);
    days.set(key, step.queueId === null ? day : firstDayOf(step.queueId, step.at));
    if (step.step !== 'refused') continue;
    for (const bound of refusalBoundsOf(step, owners.partnerAt(step))) days.set(bound.key, day);
  }
  return days;
}

function domainsOf({ domain, direction, recipient }: TrailStep): DomainName[] {
  const other = direction === 'out' ? domainOfAddress(recipient) : null;
  return other === null ? [domain] : [domain, other];
}
