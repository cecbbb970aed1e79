import { reasonOf } from '@mailstead/core/errors';
import type { Billing } from '../billing.js';
import { alarmOf } from '../trouble.js';

/** A failed comparison is tried again sooner. */
const AGAIN_AFTER_MS = 60_000;

/** Compares everything at the start, and again BILLING_RECONCILE_MINUTES after each end. */
export class RepeatedReconcile {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly billing: Billing,
    private readonly ready: () => Promise<void>,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves when no comparison runs. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { config } = this.billing;
    const isDone = await this.compare();
    if (this.isStopped) return;
    const everyMs = config.billingReconcileMinutes * 60_000;
    this.timer = setTimeout(() => this.start(), isDone ? everyMs : Math.min(everyMs, AGAIN_AFTER_MS));
  }

  private async compare(): Promise<boolean> {
    const { alarms, logger, metrics, reconcile } = this.billing;
    try {
      await this.ready();
      // Changes and alarms are logged where they are made.
      const result = await reconcile.execute({ correct: true, print: () => undefined });
      for (const kind of ['reconcile_failed', 'stripe_unavailable', 'mailstead_unavailable'] as const)
        alarms.clear(kind);
      if (result.remaining === 0) alarms.clear('state_unwritable');
      metrics.compared(new Date(), result.subscriptions);
      logger.info('compared all subscriptions with all domains', { ...result });
      return true;
    } catch (error) {
      const alarm = alarmOf(error);
      if (alarm !== null) alarms.raise(alarm);
      const sentence = `The comparison of all subscriptions failed and is tried again: ${reasonOf(error)}`;
      alarms.raise({ kind: 'reconcile_failed', subject: '', sentence });
      return false;
    }
  }
}
