import { ApiKeyRepository } from '../api-keys/api-key-repository.js';
import { Clock, SECOND_MS } from '../clock.js';
import { deadline } from '../deadlines.js';
import { EventFeed } from '../events/event-feed.js';
import { PartnerQueue } from '../limits/partner-queue.js';
import { needs } from '../needs.js';
import { DisableWebhook } from './disable-webhook.js';
import { EndpointWalk, type InTurn } from './endpoint-walk.js';
import { EndpointPoster, openSecrets } from './post-webhook.js';
import { ProbeWebhook } from './probe-webhook.js';
import { type Sleep, WalkPace } from './walk-pace.js';
import { type ClaimedWalk, WebhookBacklog } from './webhook-backlog.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookSender } from './webhook-sender.js';

/** Besides the attempts: a walk begins nothing after 20 seconds, and waits for its turn at the database. */
const CLAIM_WITHOUT_ATTEMPTS_MS = 70 * SECOND_MS;
/** A step has 20 deliveries, four at a time. */
const ATTEMPTS_IN_A_ROW = 5;
const EVENTS_PER_TURN = 500;
/** When the clock is this much behind the last turn, it was set back. */
const SET_BACK_MS = 10 * SECOND_MS;
/** The walks of a process at the same time. Those of endpoints that fail get at most half. */
const MOST_WALKS = 200;
/** After an error, such as of the database, an endpoint is not walked for this time. */
const ERROR_PAUSE_MS = 5 * SECOND_MS;
/**
 * So many of the walks of a process are at the database at the same time; the others wait here, however long. They
 * would wait for a connection otherwise, which ends with an error, and keep the connections from everything else.
 */
const AT_DATABASE = { workers: 8, runningPerPartner: 4 };
const UNBOUNDED = {
  waitingPerPartner: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
};

/** How long an endpoint is claimed: longer than a walk with a last step of deliveries that all time out. */
export function claimMs(): number {
  return CLAIM_WITHOUT_ATTEMPTS_MS + ATTEMPTS_IN_A_ROW * deadline('webhookAnswer');
}

/** A walk of this process. */
interface Walk {
  claim: ClaimedWalk;
  isFailing: boolean;
  /** Ends what is on its way. */
  ending: AbortController;
  ended: Promise<void>;
}

/**
 * Delivers events to endpoints, at least once: what was sent and not stored when the process was killed is sent again.
 * Each turn tells the endpoints of new events, and begins the walks of due endpoints.
 */
@needs(WebhookBacklog, EventFeed, ApiKeyRepository, WebhookSecrets, WebhookSender, ProbeWebhook, DisableWebhook, Clock)
export class DeliverWebhooks {
  private readonly walks = new Map<number, Walk>();
  /** The paces of endpoints that were walked within the last second, so that their next walk keeps to them. */
  private readonly paces = new Map<number, WalkPace>();
  private readonly stopping = new AbortController();
  /** The time of the last turn; null before the first. */
  private turnedAt: Date | null = null;
  private readonly atDatabase = new PartnerQueue(
    { ...AT_DATABASE, ...UNBOUNDED },
    { ofPartner: 'busy', ofQueue: 'busy' },
  );

  constructor(
    private readonly backlog: WebhookBacklog,
    private readonly feed: EventFeed,
    private readonly apiKeys: ApiKeyRepository,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly probe: ProbeWebhook,
    private readonly disable: DisableWebhook,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError database_unavailable */
  async turn(sleep: Sleep): Promise<void> {
    await this.endLongWaits();
    await this.endChanged();
    for (const [id, pace] of this.paces) if (!this.walks.has(id) && pace.isFresh) this.paces.delete(id);
    while (!this.stopping.signal.aborted && (await this.backlog.tell(EVENTS_PER_TURN, this.clock.now())));
    for (const isFailing of [false, true]) {
      const now = this.clock.now();
      const until = new Date(now.getTime() + claimMs());
      const room = this.roomFor(isFailing);
      if (room === 0 || this.stopping.signal.aborted) continue;
      for (const endpoint of await this.backlog.claim(now, until, room, isFailing)) {
        const running = this.walks.get(endpoint.id);
        if (running === undefined) this.begin({ endpoint, until }, isFailing, sleep);
        // On a machine that is too busy a walk may outlast its claim, which is then longer.
        else running.claim.until = until;
      }
    }
  }

  /** Resolves when no walk is left. */
  async idle(): Promise<void> {
    while (this.walks.size > 0) await Promise.all([...this.walks.values()].map(({ ended }) => ended));
  }

  /** Ends the deliveries that are on their way; they are repeated by another process, or at the next start. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const { ending } of this.walks.values()) ending.abort();
    await this.idle();
  }

  /** At the first turn too: the clock may have been set back while no process ran. */
  private async endLongWaits(): Promise<void> {
    const now = this.clock.now();
    const isBack = this.turnedAt === null || now.getTime() < this.turnedAt.getTime() - SET_BACK_MS;
    if (isBack) await this.backlog.endLongWaits(now);
    this.turnedAt = now;
  }

  /**
   * Ends the walks of endpoints that were changed, with what is on its way: the next walk begins with what holds now.
   * So a new URL need not wait for the answers of the former one.
   */
  private async endChanged(): Promise<void> {
    const running = [...this.walks.values()].filter(({ ending }) => !ending.signal.aborted);
    if (running.length === 0) return;
    const changed = await this.backlog.changed(running.map(({ claim }) => claim));
    for (const { claim, ending } of running) if (changed.has(claim.endpoint.id)) ending.abort();
  }

  private roomFor(isFailing: boolean): number {
    const running = [...this.walks.values()];
    const left = MOST_WALKS - running.length;
    if (!isFailing) return left;
    return Math.max(0, Math.min(left, MOST_WALKS / 2 - running.filter((walk) => walk.isFailing).length));
  }

  private begin(claim: ClaimedWalk, isFailing: boolean, sleep: Sleep): void {
    const { id, partnerId } = claim.endpoint;
    const inTurn: InTurn = (work) => this.atDatabase.run(partnerId ?? 'all', work, { refusable: false });
    const ending = new AbortController();
    if (this.stopping.signal.aborted) ending.abort();
    const ended = this.walk(claim, ending.signal, sleep, inTurn)
      .then(() => inTurn(() => this.backlog.release(claim, this.clock.now())))
      .catch(() => this.backlog.shorten(claim, new Date(this.clock.now().getTime() + ERROR_PAUSE_MS)))
      // The claim then ends by itself, and the endpoint is due again.
      .catch(() => undefined)
      .finally(() => this.walks.delete(id));
    this.walks.set(id, { claim, isFailing, ending, ended });
  }

  private async walk(claim: ClaimedWalk, signal: AbortSignal, sleep: Sleep, inTurn: InTurn): Promise<void> {
    const { clock, feed, backlog } = this;
    const { endpoint } = claim;
    const hasKeyEnded = () => this.hasKeyEnded(endpoint);
    if (await inTurn(hasKeyEnded)) return inTurn(() => this.disable.execute(endpoint, 'key_ended'));
    const keys = openSecrets(endpoint, this.secrets, clock.now());
    if (keys === null) return inTurn(() => this.disable.execute(endpoint, 'secret_unreadable'));
    if (endpoint.status === 'unconfirmed') return this.probe.challengeDue(endpoint.id, signal, inTurn);
    const poster = new EndpointPoster(this.sender, clock, endpoint, keys, signal);
    const pace = this.paces.get(endpoint.id) ?? new WalkPace(sleep);
    this.paces.set(endpoint.id, pace);
    const walk = new EndpointWalk(claim, { feed, backlog, poster, pace, clock, inTurn, hasKeyEnded });
    const reason = await walk.run();
    if (reason !== null) await inTurn(() => this.disable.execute(endpoint, reason));
  }

  private async hasKeyEnded({ keyId, partnerId }: WebhookEndpoint): Promise<boolean> {
    if (partnerId === null) return false;
    if (keyId === null) return true;
    const record = await this.apiKeys.record({ id: keyId });
    try {
      if (record === null) return true;
      record.chain.refuseUnusable(this.clock.now());
      return record.chain.scope !== 'manage' || record.chain.domainIds !== null;
    } catch {
      return true;
    }
  }
}
