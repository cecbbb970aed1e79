import { SECOND_MS } from '@mailstead/core/clock';
import { deadline } from '@mailstead/core/deadlines';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { Redis } from 'ioredis';
import type { QueueErrors } from './queue-errors.js';
import { QueueProbe } from './queue-probe.js';
import { refusalIn } from './redis.js';

/**
 * A refusal counts for this time: longer than the 5 s between two tries of `QueueConsumer`, and than a connection takes
 * that is opened again after it.
 */
export const REFUSAL_LASTS_MS = 8 * SECOND_MS;
const LOOK_EVERY_MS = SECOND_MS;
const SWEEP_EVERY_MS = 2 * SECOND_MS;
/**
 * Sweeps go on for this time after the last trouble: a new primary may lack the last messages, and BullMQ's workers
 * wait up to 15 s before they try again.
 */
const TROUBLE_LASTS_MS = 30 * SECOND_MS;
/**
 * `refused`: Redis answers, and refuses what the queue needs, with these words. `silent`: it does not answer, or with
 * another error.
 */
export type QueueState = { is: 'working' | 'silent' } | { is: 'refused'; words: string };

/**
 * Probes Redis. In a process that runs jobs it probes once a second, and starts a sweep every two seconds while the
 * queue does not work.
 */
export class QueueWatch {
  private readonly script: QueueProbe;
  private running: Promise<QueueState> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private troubleAt = Number.NEGATIVE_INFINITY;
  private refusal = { words: '', at: Number.NEGATIVE_INFINITY };
  private sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * @param redis its offline queue must be off
   * @param errors those of BullMQ, which may be refused what the probe is not
   */
  constructor(
    private readonly redis: Redis,
    private readonly errors: Pick<QueueErrors, 'report' | 'onRefusal'>,
  ) {
    this.script = new QueueProbe(redis);
    errors.onRefusal((words) => {
      this.refusal = { words, at: performance.now() };
      this.noteTrouble();
    });
  }

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
    void this.probe().then(({ is }) => {
      if (is !== 'working') this.noteTrouble();
    });
  }

  private async write(): Promise<QueueState> {
    const state = this.connected()
      .then(() => this.script.run())
      .then(
        () => this.stateWhile('working'),
        (error: unknown) => this.stateAfter(error),
      );
    return withTimeout(state, deadline('redisAnswer'), () => this.giveUp());
  }

  private stateAfter(error: unknown): QueueState {
    if (refusalIn(error) !== null) this.errors.report(error);
    // The connection may count as ready and be closing already: a write then fails at once.
    return this.stateWhile('silent');
  }

  /** The connection may be one that a firewall has forgotten; a new one shows it. */
  private giveUp(): QueueState {
    if (this.redis.status !== 'ready') return this.stateWhile('silent');
    this.redis.disconnect(true);
    return { is: 'silent' };
  }

  private stateWhile(is: 'working' | 'silent'): QueueState {
    const { words, at } = this.refusal;
    return performance.now() - at < REFUSAL_LASTS_MS ? { is: 'refused', words } : { is };
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
