import { randomUUID } from 'node:crypto';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';
import { QUEUE_PREFIX } from './queue-names.js';
import { isRefusedWrite } from './redis.js';

/** A connection that is opened again after a refused write does not count as silent for this time. */
const REOPENS_WITHIN_MS = 5 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS;
const SWEEP_EVERY_MS = 2 * SECOND_MS;
/**
 * Sweeps go on for this time after the last trouble: a new primary may lack the last messages, and BullMQ's workers
 * wait up to 15 s before they try again.
 */
const TROUBLE_LASTS_MS = 30 * SECOND_MS;

/** `refusing`: Redis answers, and cannot be written to. `silent`: it does not answer, or with another error. */
export type QueueState = 'writable' | 'refusing' | 'silent';

/**
 * Probes Redis by a write, because a primary that became a replica or is full answers every PING. In a process that
 * runs jobs it probes once a second, and starts a sweep every two seconds while Redis cannot be written to.
 */
export class QueueWatch {
  private readonly key = `${QUEUE_PREFIX}:probe:${randomUUID()}`;
  private running: Promise<QueueState> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private troubleAt = Number.NEGATIVE_INFINITY;
  private refusedAt = Number.NEGATIVE_INFINITY;
  private sweptAt = Number.NEGATIVE_INFINITY;

  /** @param redis its offline queue must be off */
  constructor(private readonly redis: Redis) {}

  /** Callers at the same time get the same probe. Never rejects. */
  probe(): Promise<QueueState> {
    this.running ??= this.write().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  start(sweep: () => void): void {
    // A lost connection is also a trouble, however short: messages may be lost with it.
    this.redis.on('close', this.noteTrouble);
    this.timer = setInterval(() => this.look(sweep), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.redis.off('close', this.noteTrouble);
    clearInterval(this.timer);
  }

  private readonly noteTrouble = (): void => {
    this.troubleAt = performance.now();
  };

  private look(sweep: () => void): void {
    // A probe that still runs after a second: Redis may be frozen.
    if (this.running !== null) this.noteTrouble();
    const now = performance.now();
    // Half a period early, because timers are not exact.
    if (now - this.troubleAt < TROUBLE_LASTS_MS && now - this.sweptAt > SWEEP_EVERY_MS - LOOK_EVERY_MS / 2) {
      this.sweptAt = now;
      sweep();
    }
    void this.probe().then((state) => {
      if (state !== 'writable') this.noteTrouble();
    });
  }

  private async write(): Promise<QueueState> {
    const written = this.connected().then(() => this.redis.set(this.key, '1', 'PX', MINUTE_MS));
    const state = written.then(
      (): QueueState => 'writable',
      (error: unknown) => this.stateBy(error),
    );
    return withTimeout(state, deadline('redisAnswer'), () => (this.isReopening() ? 'refusing' : 'silent'));
  }

  private stateBy(error: unknown): QueueState {
    if (isRefusedWrite(error)) {
      this.refusedAt = performance.now();
      return 'refusing';
    }
    // The connection may count as ready and be closing already: a write then fails at once.
    return this.wasJustRefused() ? 'refusing' : 'silent';
  }

  private isReopening(): boolean {
    return this.redis.status !== 'ready' && this.wasJustRefused();
  }

  private wasJustRefused(): boolean {
    return performance.now() - this.refusedAt < REOPENS_WITHIN_MS;
  }

  /** After READONLY the connection is opened again; this takes a moment, in which commands would fail. */
  private async connected(): Promise<void> {
    if (this.redis.status === 'ready') return;
    let ready: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      ready = resolve;
      this.redis.once('ready', ready);
    });
    try {
      await withTimeout(opened, deadline('redisAnswer'), () => undefined);
    } finally {
      this.redis.off('ready', ready);
    }
  }
}
