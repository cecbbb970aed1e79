import type { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { PartnerQueue, type QueueBounds } from '@mailstead/core/limits/partner-queue';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';

/** The bounds of each address, and of all together. A waiting request may hold 16 kB of headers. */
const BOUNDS: QueueBounds = {
  workers: Number.POSITIVE_INFINITY,
  runningPerPartner: 8,
  waitingPerPartner: 500,
  waiting: 2_000,
  waitMs: 30_000,
};

/**
 * The public routes without turns. SNS drops a bounce that is refused, the probe of a balancer says that the process is
 * dead, and `/metrics` has checked its token before.
 */
const EXEMPT: ReadonlySet<string> = new Set(['/webhooks/relay', '/health', '/metrics']);

/**
 * Lets a few requests without a key of one address run at once; the others of this address wait for their turn. So
 * nobody without a key takes more than a small share of the service, and those with a key wait for none of them.
 *
 * On routes that need a token, `WrongTokens` bounds what somebody without a right one costs.
 */
export class StrangerTurns {
  private readonly queue: PartnerQueue<string>;

  /** @param bounds those of a partner are those of an address */
  constructor(
    private readonly origins: RequestOrigins,
    bounds: Partial<QueueBounds> = {},
  ) {
    this.queue = new PartnerQueue({ ...BOUNDS, ...bounds }, { ofPartner: 'busy', ofQueue: 'busy' });
  }

  /**
   * Runs the work of a request when its turn comes. Call it after the token was checked and the body read, so that a
   * slow sender has no turn.
   *
   * @throws AppError busy: too many wait, or it waited too long; request_cancelled
   */
  async run(route: Pick<Route, 'access' | 'path'>, exchange: Exchange, work: () => Promise<void>): Promise<void> {
    if (route.access !== 'public' || exchange.caller !== null || EXEMPT.has(route.path)) return work();
    const address = this.origins.boundedAddressOf(exchange.request);
    if (address === null) return work();
    return this.queue.run(address, work, { signal: exchange.closeSignal() });
  }
}
