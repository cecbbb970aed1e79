import { reasonOf } from '@mailstead/core/errors';
import type Stripe from 'stripe';
import type { Alarms } from '../alarms.js';
import type { Logger } from '../logger.js';
import type { BillingMetrics } from '../metrics.js';
import type { BringSubscription } from '../subscriptions/bring-subscription.js';
import { alarmOf } from '../trouble.js';
import { subjectOf } from './event-subject.js';

/** Stripe allows its own clock and the network this much. */
const TOLERANCE_SECONDS = 300;
/** Events that are handled at a time. More are answered 503, so that memory stays bounded. */
const MAX_AT_ONCE = 100;

/** The answer to Stripe. */
export interface EventAnswer {
  status: 200 | 400 | 503;
  sentence: string;
}

/** Verifies an event of Stripe and brings the domain of its subscription to what the subscription says now. */
export class ReceiveEvent {
  private running = 0;

  constructor(
    private readonly webhooks: Stripe['webhooks'],
    private readonly secret: string,
    private readonly bring: BringSubscription,
    private readonly ready: () => Promise<void>,
    private readonly alarms: Alarms,
    private readonly metrics: BillingMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * @param body exactly as it was received
   * @returns 200 only when everything is done or nothing is to be done; 503 makes Stripe send the event again
   */
  async execute(body: Buffer, signature: string): Promise<EventAnswer> {
    let event: Stripe.Event;
    try {
      event = this.webhooks.constructEvent(body, signature, this.secret, TOLERANCE_SECONDS);
    } catch (error) {
      return this.refuse(error);
    }
    this.alarms.clear('signature_wrong');
    const subject = subjectOf(event);
    if (subject === null) {
      this.metrics.answered('ignored');
      return { status: 200, sentence: `Events of type ${event.type} change nothing` };
    }
    if (this.running >= MAX_AT_ONCE) return this.later('too many events at once');
    this.running += 1;
    try {
      await this.ready();
      const { alarms } = await this.bring.execute(subject.subscription, subject.domainHint);
      this.succeeded();
      this.metrics.answered(alarms.length === 0 ? 'done' : 'alarm');
      return { status: 200, sentence: alarms.length === 0 ? 'Done' : 'Nothing is changed: see the alarms' };
    } catch (error) {
      const alarm = alarmOf(error);
      if (alarm !== null) this.alarms.raise(alarm);
      this.logger.warn('an event is answered 503', {
        event: event.id,
        type: event.type,
        subscription: subject.subscription,
        reason: reasonOf(error),
      });
      return this.later('not done yet');
    } finally {
      this.running -= 1;
    }
  }

  /** Both sides answered. */
  private succeeded(): void {
    this.alarms.clear('stripe_unavailable');
    this.alarms.clear('mailstead_unavailable');
  }

  private later(sentence: string): EventAnswer {
    this.metrics.answered('later');
    return { status: 503, sentence };
  }

  /** The message of the SDK may repeat parts of the request, so the log does not have it. */
  private refuse(error: unknown): EventAnswer {
    const isOld = /timestamp outside/i.test(reasonOf(error));
    this.metrics.answered('refused');
    this.alarms.raise({
      kind: 'signature_wrong',
      subject: '',
      sentence: isOld
        ? 'An event is more than 5 minutes old: check the clock of this machine'
        : 'An event has no right signature: if Stripe sent it, STRIPE_WEBHOOK_SECRET is not that of this endpoint',
    });
    return { status: 400, sentence: isOld ? 'The timestamp is too old' : 'The signature is wrong' };
  }
}
