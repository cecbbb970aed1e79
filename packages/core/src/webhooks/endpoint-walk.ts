import type { EventType } from '../audit/event-types.js';
import { type Clock, DAY_MS, SECOND_MS, zonelessTime } from '../clock.js';
import type { EventFeed, FeedEvent } from '../events/event-feed.js';
import { presentEvent } from '../events/present-event.js';
import { nextAttemptAt } from '../notifications/retry-schedule.js';
import type { Actor } from '../operators/actor.js';
import { allRowsOf, type PartnerScope } from '../partners/partner-scope.js';
import type { EndpointPoster } from './post-webhook.js';
import type { WalkPace } from './walk-pace.js';
import type { ClaimedWalk, FailedDelivery, WalkStep, WebhookBacklog } from './webhook-backlog.js';
import type { DisabledReason, WebhookEndpoint } from './webhook-endpoint.js';
import type { NewAttempt } from './webhook-endpoints.js';
import type { SendResult } from './webhook-sender.js';

/** A walk begins nothing after this time, so that its claim holds until its last delivery has ended. */
const WALK_MS = 20 * SECOND_MS;
const EVENTS_PER_STEP = 20;
/** Of an endpoint whose last deliveries failed: no more than it may have on their way, so that a step is short. */
const EVENTS_PER_FAILING_STEP = 4;
const RETRIES_PER_WALK = 20;
/** So many failed deliveries hold the cursor, and a run of `redeliver`. */
const MOST_WAITING = 1_000;
/** Without a success for this time, an endpoint that fails is disabled. */
const FAILING_MS = 3 * DAY_MS;
const HTTP_GONE = 410;
/** How often a walk asks whether the key that made the endpoint has ended: a step may take a minute. */
const KEY_ASKED_EVERY_MS = SECOND_MS;

/** Runs work of a walk at the database when it is the walk's turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface WalkParts {
  feed: EventFeed;
  backlog: WebhookBacklog;
  poster: EndpointPoster;
  pace: WalkPace;
  clock: Clock;
  inTurn: InTurn;
  /** Whether nothing may be delivered any more, because the key that made the endpoint has ended. */
  hasKeyEnded: () => Promise<boolean>;
}

/** What became of one delivery. */
interface Delivered {
  position: number;
  type: EventType;
  result: SendResult;
  /** The number of its failed attempts before. */
  attempts: number;
}

/** One turn of an endpoint: its failed deliveries that are due, the next events, and a run of `redeliver`. */
export class EndpointWalk {
  private readonly viewer: Actor;
  private readonly scope: PartnerScope;
  private failingSince: Date | null;
  private disabled: DisabledReason | null = null;
  private isStopped = false;
  private keyAskedAt: number;

  constructor(
    private readonly claim: ClaimedWalk,
    private readonly parts: WalkParts,
  ) {
    const { partnerId, partnerRef, failingSince } = claim.endpoint;
    this.keyAskedAt = parts.clock.now().getTime();
    this.scope = partnerId === null ? 'all' : allRowsOf(partnerId);
    this.viewer = viewerOf(partnerId, partnerRef);
    this.failingSince = failingSince;
  }

  private get endpoint(): WebhookEndpoint {
    return this.claim.endpoint;
  }

  private get isOver(): boolean {
    return this.disabled !== null || this.isStopped;
  }

  /** @returns why the endpoint has to be disabled; null: it does not */
  async run(): Promise<DisabledReason | null> {
    const begin = this.parts.clock.now().getTime();
    const goesOn = () => {
      const walkedMs = this.parts.clock.now().getTime() - begin;
      // Negative: the clock was set back, and nothing tells how long the claim holds.
      return !this.isOver && walkedMs >= 0 && walkedMs < WALK_MS;
    };
    await this.repeatFailed();
    let cursor = this.endpoint.cursor;
    while (goesOn()) {
      const next = await this.step(cursor);
      if (next === null) break;
      cursor = next;
    }
    let { redeliverAfter } = this.endpoint;
    while (goesOn() && redeliverAfter !== null) redeliverAfter = await this.redeliverStep(redeliverAfter);
    return this.disabled;
  }

  private async repeatFailed(): Promise<void> {
    const { found, gone } = await this.parts.inTurn(() => this.dueEvents());
    if (found.length + gone.length === 0) return;
    const delivered: Delivered[] = [];
    for (const [event, { attempts }] of found) {
      if (!(await this.begin(event, attempts, delivered))) break;
    }
    await this.parts.pace.end();
    await this.store(delivered, { ended: gone });
  }

  /** The events of the failed deliveries that are due, and the positions whose event has left the feed. */
  private async dueEvents() {
    const { backlog, clock, feed } = this.parts;
    const gone: number[] = [];
    const found: [FeedEvent, FailedDelivery][] = [];
    for (const failed of await backlog.due(this.endpoint.id, clock.now(), RETRIES_PER_WALK)) {
      const { rows } = await feed.search({ scope: this.scope })({ after: failed.position - 1, limit: 1 });
      const [event] = rows;
      if (event?.id === failed.position) found.push([event, failed]);
      else gone.push(failed.position);
    }
    return { found, gone };
  }

  /** @returns the new cursor when more events may follow; otherwise null */
  private async step(cursor: number): Promise<number | null> {
    const page = await this.parts.inTurn(() => this.nextPage(cursor));
    if (page === null) return null;
    const { first, last, rows, next } = page;
    if (cursor < first - 1) return this.tellGap(cursor, first - 1);
    const { delivered, upTo } = await this.deliver(rows, cursor, IN_ORDER);
    const isWhole = upTo === (rows.at(-1)?.id ?? cursor);
    const readTo = isWhole && next === null ? Math.max(last, upTo) : null;
    const reached = isWhole ? Math.max(readTo ?? next ?? upTo, upTo) : upTo;
    await this.store(delivered, { cursor: reached, readTo });
    return isWhole && next !== null ? reached : null;
  }

  /** The next events, without any when some have left the feed; null when too many deliveries wait, or it is over. */
  private async nextPage(cursor: number) {
    const bounds = await this.parts.feed.bounds();
    if (cursor < bounds.first - 1) return { ...bounds, rows: [], next: null };
    const page = await this.wanted(cursor, this.failingSince === null ? EVENTS_PER_STEP : EVENTS_PER_FAILING_STEP);
    return page === null ? null : { ...bounds, ...page };
  }

  /**
   * The next events. Most pages are empty, because the endpoint was told of an event of another type: they cost one
   * read, and whether the types are still the same is found out when the step is stored.
   *
   * @returns null when the walk is over, or too many deliveries wait
   */
  private async wanted(after: number, atMost: number) {
    const search = this.parts.feed.search({ scope: this.scope, types: this.endpoint.wantedTypes });
    const page = await search({ after, limit: atMost });
    if (page.rows.length === 0) return page;
    // After the read: events that were given their positions later must not be passed over by former types.
    const changed = await this.parts.backlog.changed([this.claim]);
    if (changed.size > 0) this.isStopped = true;
    if (this.isOver) return null;
    const rows = page.rows.slice(0, Math.max(0, await this.roomForWaiting()));
    const last = rows.at(-1);
    if (last === undefined) return null;
    return rows.length === page.rows.length ? page : { rows, next: last.id };
  }

  /** How many deliveries may fail before too many wait. */
  private async roomForWaiting(): Promise<number> {
    return MOST_WAITING - (await this.parts.backlog.waiting(this.endpoint.id, MOST_WAITING));
  }

  private async redeliverStep(after: number): Promise<number | null> {
    const until = this.endpoint.redeliverUntil ?? 0;
    const page = await this.parts.inTurn(() => this.wanted(after, EVENTS_PER_FAILING_STEP));
    if (page === null) return null;
    const { rows, next } = page;
    const wanted = rows.filter(({ id }) => id <= until);
    const { delivered, upTo } = await this.deliver(wanted, after, 1);
    const isWhole = upTo === (wanted.at(-1)?.id ?? after);
    const isLast = isWhole && (next === null || next >= until || wanted.length < rows.length);
    const reached = isWhole && next !== null ? Math.max(next, upTo) : upTo;
    await this.store(delivered, { redeliverAfter: isLast ? -1 : reached });
    return isLast || !isWhole ? null : reached;
  }

  /** @returns the deliveries that ended, and the position up to which all have */
  private async deliver(events: readonly FeedEvent[], after: number, most: number | undefined) {
    const delivered: Delivered[] = [];
    let upTo = after;
    for (const event of events) {
      if (!(await this.begin(event, 0, delivered, most))) break;
    }
    await this.parts.pace.end();
    for (const { id } of events) {
      if (!delivered.some(({ position }) => position === id)) break;
      upTo = id;
    }
    return { delivered: delivered.filter(({ position }) => position <= upTo), upTo };
  }

  /** @returns false when nothing may begin any more */
  private async begin(event: FeedEvent, attempts: number, delivered: Delivered[], most?: number): Promise<boolean> {
    const { pace } = this.parts;
    await pace.ready(most);
    await this.askForKey();
    if (this.isOver) return false;
    pace.begin(async () => {
      const body = JSON.stringify(presentEvent(event, this.viewer));
      const result = await this.parts.poster.post(String(event.id), body);
      if (result === null) this.isStopped = true;
      else delivered.push({ position: event.id, type: event.type, result, attempts });
      if (result?.status === HTTP_GONE) this.disabled = 'gone';
    });
    return true;
  }

  private async askForKey(): Promise<void> {
    const now = this.parts.clock.now().getTime();
    if (Math.abs(now - this.keyAskedAt) < KEY_ASKED_EVERY_MS) return;
    this.keyAskedAt = now;
    if (await this.parts.inTurn(this.parts.hasKeyEnded)) this.disabled ??= 'key_ended';
  }

  /** Tells that events left the feed before they were delivered. */
  private async tellGap(after: number, until: number): Promise<number | null> {
    const at = this.parts.clock.now();
    const body = JSON.stringify({ type: 'webhook.gap', at: zonelessTime(at), after, until });
    const result = await this.parts.poster.post(`gap-${until}`, body);
    if (result === null) return null;
    const attempt: NewAttempt = {
      position: null,
      type: 'webhook.gap',
      at,
      outcome: result.outcome,
      status: result.status,
    };
    const isTaken = result.outcome === 'ok';
    if (result.status === HTTP_GONE) this.disabled = 'gone';
    this.noteOutcomes([result], at);
    await this.save({ attempts: [attempt], cursor: isTaken ? until : null });
    return isTaken ? until : null;
  }

  private async store(delivered: readonly Delivered[], step: Partial<WalkStep>): Promise<void> {
    const now = this.parts.clock.now();
    this.noteOutcomes(
      delivered.map(({ result }) => result),
      now,
    );
    const isOk = ({ result }: Delivered) => result.outcome === 'ok';
    // A run of `redeliver` may deliver what waits.
    const mayWait = ({ attempts }: Delivered) => attempts > 0 || (step.redeliverAfter ?? null) !== null;
    const failed = delivered
      .filter((each) => !isOk(each))
      .map(({ position, attempts }) => ({
        position,
        attempts: attempts + 1,
        nextAt: nextAttemptAt(attempts + 1, now),
      }));
    const arrived = delivered.filter((each) => isOk(each) && mayWait(each)).map(({ position }) => position);
    await this.save({
      ...step,
      attempts: delivered.map(({ position, type, result: { outcome, status } }) => ({
        position,
        type,
        at: now,
        outcome,
        status,
      })),
      failed,
      ended: [...(step.ended ?? []), ...arrived],
    });
  }

  private async save(step: Partial<WalkStep>): Promise<void> {
    const { backlog, inTurn } = this.parts;
    const whole = { ...NOTHING, ...step, failingSince: this.failingSince };
    if (!(await inTurn(() => backlog.store(this.claim, whole)))) this.isStopped = true;
  }

  private noteOutcomes(results: readonly SendResult[], now: Date): void {
    if (results.some(({ outcome }) => outcome === 'ok')) this.failingSince = null;
    else if (results.length > 0) this.failingSince ??= now;
    const isOver = this.failingSince !== null && now.getTime() - this.failingSince.getTime() >= FAILING_MS;
    if (isOver) this.disabled ??= 'failing';
  }
}

/** As many at once as the pace allows. */
const IN_ORDER = undefined;

const NOTHING: WalkStep = {
  cursor: null,
  readTo: null,
  attempts: [],
  failed: [],
  ended: [],
  failingSince: null,
  redeliverAfter: null,
};

/** The owner of an endpoint, whose events it gets as `GET /events` shows them: a key of the partner, or master. */
function viewerOf(partnerId: number | null, partnerRef: WebhookEndpoint['partnerRef']): Actor {
  if (partnerId === null) return { kind: 'master', name: 'master', requestId: null };
  return {
    kind: 'client',
    partnerId,
    partnerRef,
    partnerStage: null,
    credential: { kind: 'key', id: 0 },
    limits: { domainsAllowed: 0, mailboxesPerDomain: 0, aliasesPerMailbox: 0 },
    scope: 'read',
    domainIds: null,
    requestId: null,
  };
}
