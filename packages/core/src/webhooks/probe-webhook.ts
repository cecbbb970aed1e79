import { timingSafeEqual } from 'node:crypto';
import { Clock, HOUR_MS, SECOND_MS, zonelessTime } from '../clock.js';
import { AppError } from '../errors.js';
import { EventFeed } from '../events/event-feed.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { RandomSource } from '../random-source.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { InTurn } from './endpoint-walk.js';
import { EndpointPoster, openSecrets } from './post-webhook.js';
import type { WebhookEndpoint } from './webhook-endpoint.js';
import { type AttemptOutcome, type TurnRule, WebhookEndpoints } from './webhook-endpoints.js';
import { WebhookLocks } from './webhook-locks.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { type SendResult, WebhookSender } from './webhook-sender.js';

const MAX_ANSWER_BYTES = 4 * 1_024;
const OF_ENDPOINT: TurnRule = { most: 1, inMs: 5 * SECOND_MS };
const OF_PARTNER: TurnRule = { most: 60, inMs: HOUR_MS };
const OF_HOST: TurnRule = { most: 10, inMs: HOUR_MS };

const atOnce: InTurn = (work) => work();

export interface ProbeResult {
  outcome: AttemptOutcome;
  /** The HTTP status; null without an answer. */
  status: number | null;
}

/** Posts challenges and tests. They are few, because somebody else's server may be at the URL. */
@needs(
  UnitOfWork,
  WebhookLocks,
  WebhookEndpoints,
  EventFeed,
  WebhookSecrets,
  WebhookSender,
  RandomSource,
  Clock,
  RestoreGate,
)
export class ProbeWebhook {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: WebhookLocks,
    private readonly endpoints: WebhookEndpoints,
    private readonly feed: EventFeed,
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly random: RandomSource,
    private readonly clock: Clock,
    private readonly gate: RestoreGate,
  ) {}

  /**
   * Posts a challenge, and makes an unconfirmed endpoint active when the answer has it.
   *
   * @returns the endpoint after the attempt
   * @throws AppError webhook_not_found, too_many_probes, restore_not_accepted
   */
  async confirm(actor: Actor, id: number, signal: AbortSignal): Promise<WebhookEndpoint> {
    await this.locks.find(actor, id);
    this.gate.refuse();
    const endpoint = await this.takeTurn(id, (found) => {
      found.challengeAt = null;
    });
    if (endpoint.status === 'unconfirmed') await this.challenge(endpoint, signal, atOnce);
    return this.locks.find(actor, id);
  }

  /**
   * Posts the one challenge after a change of the URL, when it is due and a turn is free.
   *
   * @param inTurn does what needs the database
   */
  async challengeDue(id: number, signal: AbortSignal, inTurn: InTurn): Promise<void> {
    const endpoint = await inTurn(() => this.takeDueTurn(id));
    if (endpoint !== null) await this.challenge(endpoint, signal, inTurn);
  }

  /** @returns null when no challenge is due, or no turn is free */
  private async takeDueTurn(id: number): Promise<WebhookEndpoint | null> {
    const found = await this.endpoints.find(id);
    if (found?.status !== 'unconfirmed' || found.challengeAt === null) return null;
    try {
      return await this.takeTurn(id, (locked) => {
        locked.challengeAt = null;
      });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_probes')) throw error;
      await this.postpone(id, error.retryAfterS ?? 0);
      return null;
    }
  }

  /**
   * Posts `webhook.test`, which changes nothing else. Like a challenge it has no event, so it also goes to a URL that
   * is not confirmed.
   *
   * @throws AppError webhook_not_found, too_many_probes, restore_not_accepted
   */
  async test(actor: Actor, id: number, signal: AbortSignal): Promise<ProbeResult> {
    await this.locks.find(actor, id);
    this.gate.refuse();
    const endpoint = await this.takeTurn(id, () => undefined);
    const result = await this.post(endpoint, 'webhook.test', {}, 0, signal);
    if (result === null) return { outcome: 'refused', status: null };
    const { outcome, status } = result;
    await this.note(endpoint, 'webhook.test', { outcome, status });
    return { outcome, status };
  }

  /** A turn that is far away is not waited for: `confirm` posts the challenge then. */
  private postpone(id: number, waitS: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      const endpoint = await this.endpoints.lock(id);
      if (endpoint === null) return;
      const isSoon = waitS * SECOND_MS <= OF_ENDPOINT.inMs;
      endpoint.challengeAt = isSoon ? new Date(this.clock.now().getTime() + waitS * SECOND_MS) : null;
      await this.endpoints.save(endpoint);
    });
  }

  private async challenge(endpoint: WebhookEndpoint, signal: AbortSignal, inTurn: InTurn): Promise<void> {
    const challenge = this.random.secret();
    const result = await this.post(endpoint, 'webhook.challenge', { challenge }, MAX_ANSWER_BYTES, signal);
    if (result === null) return;
    const isRight = result.outcome === 'ok' && isSame(challengeIn(result.answer), challenge);
    const outcome = result.outcome === 'ok' && !isRight ? 'challenge' : result.outcome;
    await inTurn(() => this.storeOutcome(endpoint, isRight, { outcome, status: result.status }));
  }

  private storeOutcome(endpoint: WebhookEndpoint, isRight: boolean, result: ProbeResult): Promise<void> {
    return this.unitOfWork.run(async () => {
      const locked = await this.endpoints.lock(endpoint.id);
      // The URL may have changed meanwhile.
      if (locked?.status !== 'unconfirmed' || locked.url !== endpoint.url) return;
      if (isRight) {
        locked.confirm(this.clock.now(), (await this.feed.bounds()).last);
        await this.endpoints.save(locked);
        await this.endpoints.holdFailed(endpoint.id, false);
      }
      await this.note(endpoint, 'webhook.challenge', result);
    });
  }

  private async post(
    endpoint: WebhookEndpoint,
    type: string,
    members: Record<string, unknown>,
    readBytes: number,
    signal: AbortSignal,
  ): Promise<SendResult | null> {
    const now = this.clock.now();
    const keys = openSecrets(endpoint, this.secrets, now);
    if (keys === null) return { outcome: 'refused', status: null, answer: '' };
    const body = JSON.stringify({ type, at: zonelessTime(now), ...members });
    const poster = new EndpointPoster(this.sender, this.clock, endpoint, keys, signal);
    return poster.post(`${type.replace('webhook.', '')}-${this.random.hex(8)}`, body, readBytes);
  }

  private async note(endpoint: WebhookEndpoint, type: string, result: ProbeResult): Promise<void> {
    await this.endpoints.addAttempts(endpoint.id, [{ position: null, type, at: this.clock.now(), ...result }]);
  }

  /** @throws AppError too_many_probes, webhook_not_found */
  private takeTurn(id: number, change: (endpoint: WebhookEndpoint) => void): Promise<WebhookEndpoint> {
    return this.unitOfWork.run(async () => {
      const endpoint = await this.endpoints.lock(id);
      if (endpoint === null) throw new AppError('webhook_not_found');
      // With a dot at its end it is the same host.
      const hostname = new URL(endpoint.url).hostname.replace(/\.$/, '');
      const waitS = await this.endpoints.takeTurns(
        new Map([
          [`endpoint:${id}`, OF_ENDPOINT],
          [`partner:${endpoint.partnerId ?? 'none'}`, OF_PARTNER],
          [`host:${hostname}`, OF_HOST],
        ]),
        this.clock.now(),
      );
      if (waitS !== null) throw new AppError('too_many_probes', { retryAfterS: waitS });
      change(endpoint);
      await this.endpoints.save(endpoint);
      return endpoint;
    });
  }
}

function challengeIn(answer: string): string {
  try {
    const body: unknown = JSON.parse(answer);
    const isNamed = typeof body === 'object' && body !== null && 'challenge' in body;
    return isNamed && typeof body.challenge === 'string' ? body.challenge : '';
  } catch {
    return '';
  }
}

function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
