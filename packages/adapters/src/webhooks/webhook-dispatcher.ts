import { setTimeout as delay } from 'node:timers/promises';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { needs } from '@mailstead/core/needs';
import { DeliverWebhooks } from '@mailstead/core/webhooks/deliver-webhooks';
import { EventPositioner } from '../events/event-positioner.js';
import { OneAtATime } from '../jobs/one-at-a-time.js';

/** Other processes give positions too, and failed deliveries become due. */
const TURN_EVERY_MS = 500;

/** Runs the turns of the webhooks in a process that runs jobs: twice a second, and when it gave positions to events. */
@needs(DeliverWebhooks, EventPositioner, JobGate)
export class WebhookDispatcher {
  private readonly turns = new OneAtATime(() => this.turn().catch(() => undefined));
  private timer: NodeJS.Timeout | undefined;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly deliver: DeliverWebhooks,
    private readonly positioner: EventPositioner,
    private readonly gate: JobGate,
  ) {}

  start(): void {
    this.stopListening = this.positioner.onGiven(() => void this.turns.run());
    this.timer = setInterval(() => void this.turns.run(), TURN_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopListening();
    await Promise.all([this.deliver.stop(), this.turns.run()]);
  }

  private async turn(): Promise<void> {
    if ((await this.gate.enter()) !== null) await this.deliver.turn(delay);
  }
}
