import { aboutInstallation, aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, actorName, scopeOf } from '../operators/actor.js';
import type { Chunk } from '../page.js';
import { MAX_LOOKED_AT } from '../search.js';
import { UnitOfWork } from '../unit-of-work.js';
import { BEHIND_S, keptDays, TrailOptions } from './trail-options.js';
import type { TrailRow } from './trail-row.js';
import { domainOfAddress } from './trail-step.js';
import { type ListedTrail, type TrailFilter, TrailStore } from './trail-store.js';
import { UnreportedHosts } from './unreported-hosts.js';

/** The span of a list without a filter that has an index. */
const UNFILTERED_MS = DAY_MS;
/** How much later than the end of its time as owner a partner may have rows: clocks of mail servers differ. */
const AFTER_OWNER_MS = 5 * MINUTE_MS;
/** A mail server that reported nothing for this time says nothing about now. */
const REPORTED_WITHIN_MS = 5 * MINUTE_MS;
const FILTERS = ['domain', 'mailbox', 'recipient', 'messageId', 'direction', 'state', 'since', 'until'] as const;
/** The names of the filters in audit rows. */
const NAMES: Partial<Record<string, string>> = { messageId: 'message_id' };

export type WantedTrail = Omit<TrailFilter, 'since' | 'until' | 'isShared'> & {
  since?: Date | undefined;
  until?: Date | undefined;
};

/** Reads the trails that a caller may see, and notes which partners' trails an operator reads. */
@needs(TrailStore, UnreportedHosts, AuditLog, UnitOfWork, Clock, TrailOptions)
export class ReadTrail {
  constructor(
    private readonly store: TrailStore,
    private readonly unreported: UnreportedHosts,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly options: TrailOptions,
  ) {}

  /**
   * The rows of a list, newest first, chunk by chunk. With `limit` it ends after 20,000 rows that it looked at, perhaps
   * with fewer rows than asked for.
   *
   * @throws AppError validation_failed when the span is too long
   */
  list(
    actor: Actor,
    wanted: WantedTrail,
    { after, limit }: { after: string | null; limit: number | undefined },
  ): (chunkRows: number) => AsyncGenerator<Chunk<ListedTrail, string>> {
    const filter = this.filterOf(wanted);
    const used = FILTERS.filter((name) => wanted[name] !== undefined);
    return (chunkRows) => this.chunks(actor, filter, used, { after, limit }, chunkRows);
  }

  /**
   * Whether a mail server is behind, or silent about messages that were counted, and since when rows of the caller's
   * partner are missing.
   */
  async standing(actor: Actor): Promise<{ behindS: number | null; gapsSince: Date | null }> {
    if (this.options.trailDays === 0) return { behindS: null, gapsSince: null };
    const now = this.clock.now();
    const reported = new Date(now.getTime() - REPORTED_WITHIN_MS);
    const { behindS: reportedS, gapsSince } = await this.store.readStanding(scopeOf(actor), reported);
    const first = Math.min(now.getTime(), ...[...(await this.unreported.find()).values()].map((at) => at.getTime()));
    const behindS = Math.max(reportedS, Math.floor((now.getTime() - first) / SECOND_MS));
    const kept = new Date(keptDays(this.options, now).first * DAY_MS);
    return {
      behindS: behindS > BEHIND_S ? behindS : null,
      gapsSince: gapsSince !== null && gapsSince < kept ? kept : gapsSince,
    };
  }

  private async *chunks(
    actor: Actor,
    wanted: TrailFilter,
    used: readonly string[],
    { after, limit }: { after: string | null; limit: number | undefined },
    chunkRows: number,
  ): AsyncGenerator<Chunk<ListedTrail, string>> {
    const filter = await this.whileHeld(actor, wanted);
    let from = after;
    let left = limit ?? Number.POSITIVE_INFINITY;
    let looked = 0;
    let hasOwn = false;
    const noted = new Set<number>();
    for (;;) {
      const atOnce = Math.min(chunkRows, left);
      const found = await this.search(actor, filter, from, atOnce === left ? atOnce + 1 : atOnce);
      const rows = found.rows.slice(0, atOnce);
      left -= rows.length;
      looked += found.looked;
      hasOwn ||= found.hasOwn;
      const next = found.rows.length > atOnce ? (rows.at(-1)?.id ?? null) : found.next;
      const isLast = next === null || left === 0 || (limit !== undefined && looked >= MAX_LOOKED_AT);
      await this.noteReading(actor, rows, used, noted);
      // A next page after rows of other partners alone would tell that these exist.
      yield { rows, next: isLast && !hasOwn ? null : next, isLast };
      if (isLast) return;
      from = next;
    }
  }

  /** @throws AppError message_not_found also for rows that the caller may not see */
  async find(actor: Actor, id: string): Promise<TrailRow> {
    const row = this.options.trailDays === 0 ? null : await this.store.find(scopeOf(actor), id);
    if (row === null) throw new AppError('message_not_found');
    await this.noteReading(actor, [row], ['id'], new Set());
    return row;
  }

  private async search(actor: Actor, filter: TrailFilter, before: string | null, limit: number) {
    if (this.options.trailDays === 0 || filter.since >= filter.until)
      return { rows: [], next: null, looked: 0, hasOwn: false };
    return this.store.search(scopeOf(actor), filter, before, limit);
  }

  /**
   * Ends the span where a partner ceased to have the domain, so that it does not look at the rows of the next one. The
   * indexes for a recipient and a Message-ID have the partner.
   */
  private async whileHeld(actor: Actor, filter: TrailFilter): Promise<TrailFilter> {
    const { domain, mailbox, recipient, messageId } = filter;
    const name = domain ?? (mailbox === undefined ? null : domainOfAddress(mailbox));
    const isElsewhere = recipient !== undefined || messageId !== undefined || name === null;
    if (actor.kind !== 'client' || isElsewhere || this.options.trailDays === 0) return filter;
    const isShared = await this.isShared(name, actor.partnerId, filter.since);
    const end = await this.store.heldUntil(name, actor.partnerId);
    if (end === null) return { ...filter, isShared };
    return { ...filter, isShared, until: new Date(Math.min(filter.until.getTime(), end.getTime() + AFTER_OWNER_MS)) };
  }

  /** Whether another partner had the domain after an earlier time of this one, so that its rows may be between two. */
  private async isShared(name: DomainName, partnerId: number, since: Date): Promise<boolean> {
    const former = (await this.store.formerOwnersOf([name], since)).get(name) ?? [];
    const own = former.filter((owner) => owner.partnerId === partnerId);
    return former.some((other) => other.partnerId !== partnerId && own.some(({ until }) => until <= other.since));
  }

  private filterOf(wanted: WantedTrail): TrailFilter {
    const { domain, mailbox, recipient, messageId } = wanted;
    const now = this.clock.now();
    const { first, last } = keptDays(this.options, now);
    const until = wanted.until ?? now;
    const isIndexed = [domain, mailbox, recipient, messageId].some((value) => value !== undefined);
    const since = wanted.since ?? new Date(isIndexed ? first * DAY_MS : until.getTime() - UNFILTERED_MS);
    if (!isIndexed && until.getTime() - since.getTime() > UNFILTERED_MS) {
      throw invalidField(
        'since',
        'must be at most 24 hours before until, without domain, mailbox, recipient and message_id',
      );
    }
    const kept = { from: first * DAY_MS, to: (last + 1) * DAY_MS };
    return {
      ...wanted,
      since: new Date(Math.max(since.getTime(), kept.from)),
      until: new Date(Math.min(until.getTime(), kept.to)),
    };
  }

  /**
   * Once for each operator, partner and hour: with the names of the filters, never their values.
   *
   * @param before the partners that the request noted before; those of these rows are added
   */
  private async noteReading(
    actor: Actor,
    rows: readonly ListedTrail[],
    used: readonly string[],
    before: Set<number>,
  ): Promise<void> {
    if (actor.kind === 'client') return;
    const read = new Set(rows.map(({ partnerId }) => partnerId));
    const partners = [...read].filter((id) => !before.has(id)).sort((one, other) => one - other);
    if (partners.length === 0) return;
    for (const id of partners) before.add(id);
    const now = this.clock.now();
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
    const filters = used.map((name) => NAMES[name] ?? name);
    await this.unitOfWork.run(async () => {
      const noted: number[] = [];
      for (const id of partners) if (await this.store.noteReading(actorName(actor), id, hour)) noted.push(id);
      if (noted.length === 0) return;
      const refs = await this.store.refsOf(noted);
      const entries = noted.map((id) => {
        const ref = refs.get(id) ?? null;
        const change = { subject: ref ?? 'no partner', after: { filters } };
        return ref === null ? aboutInstallation('trail.read', change) : aboutPartner({ id, ref }, 'trail.read', change);
      });
      await this.audit.appendAll(actor, now, entries);
    });
  }
}
