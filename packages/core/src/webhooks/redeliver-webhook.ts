import { AppError, invalidField } from '../errors.js';
import { EventFeed } from '../events/event-feed.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { allRowsOf } from '../partners/partner-scope.js';
import { MAX_LOOKED_AT } from '../search.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { WebhookLocks } from './webhook-locks.js';

const MOST_EVENTS = 10_000;
const ROWS_PER_READ = 1_000;

/** Delivers events again, between two positions that were given. */
@needs(UnitOfWork, WebhookLocks, WebhookEndpoints, EventFeed)
export class RedeliverWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: WebhookLocks,
    private readonly endpoints: WebhookEndpoints,
    private readonly feed: EventFeed,
  ) {}

  /**
   * @param after exclusive
   * @param until inclusive
   * @returns the number of events
   * @throws AppError webhook_not_found, webhook_not_active, redelivery_running, too_many_events, validation_failed
   */
  async execute(actor: Actor, id: number, after: number, until: number): Promise<number> {
    const endpoint = await this.locks.find(actor, id);
    const { last } = await this.feed.bounds();
    if (until > last) throw invalidField('until', `must be a position that was given; the newest is ${last}`);
    if (after >= until) throw invalidField('after', 'must be less than until');
    const events = await this.count(endpoint, after, until);
    await this.unitOfWork.run(async () => {
      await this.locks.maker(actor);
      const locked = await this.locks.lockOwn(actor, id);
      if (locked.status !== 'active') throw new AppError('webhook_not_active');
      if (locked.redeliverAfter !== null) throw new AppError('redelivery_running');
      if (events === 0) return;
      locked.redeliverAfter = after;
      locked.redeliverUntil = until;
      await this.endpoints.save(locked);
    });
    return events;
  }

  private async count({ partnerId, wantedTypes }: WebhookEndpoint, after: number, until: number): Promise<number> {
    const scope = partnerId === null ? ('all' as const) : allRowsOf(partnerId);
    const search = this.feed.search({ scope, types: wantedTypes });
    let count = 0;
    let from = after;
    let lookedAt = 0;
    // A range in which so few events are wanted that counting them takes longer is refused as too large.
    while (lookedAt < MAX_LOOKED_AT) {
      const { rows, next, looked } = await search({ after: from, limit: ROWS_PER_READ });
      lookedAt += looked;
      count += rows.filter(({ id }) => id <= until).length;
      if (count > MOST_EVENTS) break;
      if (next === null || next >= until) return count;
      from = next;
    }
    throw new AppError('too_many_events');
  }
}
