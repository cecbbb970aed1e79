import { ApiProblem } from '@mailstead/client/api-problem';
import type { Alarm, AlarmKind, Alarms } from '../alarms.js';
import type { KeyedLocks } from '../locks/keyed-locks.js';
import type { Logger } from '../logger.js';
import { DomainChanged, type MailsteadApi } from '../mailstead-api.js';
import type { Change as CountedChange } from '../metrics.js';
import type { Brake } from '../state/brake.js';
import { type BilledDomain, type Change, type Decision, decide, type OtherStored } from './decide.js';
import type { StripeSubscriptions } from './stripe-subscriptions.js';
import { hasEnded, mayTakeOver, type Subscription } from './subscription.js';

/** What keeps a living subscription from its domain. */
const MAY_TAKE_OVER: readonly AlarmKind[] = ['second_subscription', 'plan_unknown'];

/** A domain that changes between reading and writing is read again so often. */
const ATTEMPTS = 3;

export interface Outcome {
  /** The domain that the subscription names; null when there is none. */
  domain: string | null;
  changes: Change[];
  alarms: Alarm[];
}

/** Settings and the clock. */
export interface BringOptions {
  graceMs: number;
  now: () => Date;
  onChange: (change: CountedChange) => void;
}

/** The subscription names another domain than the locked one, or the locked one changed. */
interface ReadAgain {
  /** The name of the domain that it names now; null when it names none. */
  again: string | null;
}

/**
 * Brings a domain to what its subscription says now. A domain has many spellings at Stripe, so only names that the API
 * answered are compared and locked.
 */
export class BringSubscription {
  /** Living subscriptions that found their domain paid by another one, by the name of the domain. */
  private readonly waiting = new Map<string, Set<string>>();

  constructor(
    private readonly stripe: StripeSubscriptions,
    private readonly api: MailsteadApi,
    private readonly locks: KeyedLocks,
    private readonly brake: Brake,
    private readonly alarms: Alarms,
    private readonly logger: Logger,
    private readonly options: BringOptions,
  ) {}

  /**
   * Reads the subscription and its domain, and changes the domain where it differs. Of two calls for one subscription
   * or one domain, also in two processes, the second begins after the first has ended, so it reads what the first one
   * wrote.
   *
   * @param domainHint the domain that an event names, which saves a request
   * @throws BrakeHeld, StateUnreadable; StripeUnavailable, MailsteadUnavailable, LockBusy: then call again later
   */
  execute(id: string, domainHint: string | null = null): Promise<Outcome> {
    return this.locks.run(`subscription ${id}`, async () => {
      const text = domainHint ?? (await this.stripe.find(id))?.domainText ?? null;
      let name = (await this.domainOf(text))?.name ?? null;
      for (let attempt = 1; ; attempt += 1) {
        const found = await this.bringLocked(id, name);
        if (!('again' in found)) return this.settled(id, found);
        if (attempt === ATTEMPTS) throw new DomainChanged(`Subscription ${id} or its domain changes all the time`);
        name = found.again;
      }
    });
  }

  /**
   * What the subscription says about the domain, without changing anything. A second one is remembered, so that it
   * takes over at once when the stored one ends.
   */
  async compare(subscription: Subscription, domain: BilledDomain | null, plans: readonly string[]): Promise<Decision> {
    const decision = await this.examine(subscription, domain, plans);
    this.remember(subscription, domain, decision);
    return decision;
  }

  private async examine(
    subscription: Subscription,
    domain: BilledDomain | null,
    plans: readonly string[],
  ): Promise<Decision> {
    const { graceMs, now } = this.options;
    const otherStored = await this.otherStored(subscription, domain);
    return decide({ subscription, domain, otherStored, plans, now: now(), graceMs });
  }

  /** What names no domain changes none, so it needs no lock. */
  private bringLocked(id: string, name: string | null): Promise<Outcome | ReadAgain> {
    return name === null ? this.bring(id, name) : this.locks.run(`domain ${name}`, () => this.bring(id, name));
  }

  /** @param name the domain that is locked; null: none */
  private async bring(id: string, name: string | null): Promise<Outcome | ReadAgain> {
    const subscription = await this.stripe.find(id);
    if (subscription === null) return { domain: null, changes: [], alarms: [unknownSubscription(id)] };
    const domain = await this.domainOf(subscription.domainText);
    if ((domain?.name ?? null) !== name) return { again: domain?.name ?? null };
    const plans = await this.api.plans();
    const payer = await this.payerOf(domain, subscription, plans);
    const decision = await this.examine(payer, domain, plans);
    try {
      if (domain !== null) await this.apply(domain, payer, decision.changes);
    } catch (error) {
      if (error instanceof DomainChanged) return { again: name };
      if (error instanceof ApiProblem) return { ...decision, domain: name, alarms: [refusedByApi(payer.id, error)] };
      throw error;
    }
    // Not before: an event that could not be done comes again, and must find what may take over.
    this.remember(payer, domain, decision);
    if (payer.id !== id) this.alarms.replace(payer.id, decision.alarms);
    return { ...decision, domain: name };
  }

  /**
   * When the stored subscription has ended, another one may already pay for the domain; its event may have come before
   * this one's. It takes over, and the domain is not suspended in between. One whose price names no plan is an alarm
   * instead, and pays all the same.
   */
  private async payerOf(
    domain: BilledDomain | null,
    subscription: Subscription,
    plans: readonly string[],
  ): Promise<Subscription> {
    if (domain === null || domain.billingRef !== subscription.id || !hasEnded(subscription)) return subscription;
    const candidates: Subscription[] = [];
    for (const id of this.waiting.get(domain.name) ?? []) {
      const found = await this.stripe.find(id);
      if (found !== null) candidates.push(found);
    }
    for await (const other of this.stripe.all(subscription.customer)) candidates.push(other);
    let newest: Subscription | null = null;
    let withoutPlan: Subscription | null = null;
    for (const candidate of candidates) {
      if (candidate.id === subscription.id || candidate.partnerRef !== subscription.partnerRef) continue;
      if (!mayTakeOver(candidate) || (newest !== null && newest.created >= candidate.created)) continue;
      if ((await this.domainOf(candidate.domainText))?.name !== domain.name) continue;
      const { alarms } = await this.examine(candidate, domain, plans);
      if (alarms.length === 0) newest = candidate;
      else if (alarms.every(({ kind }) => kind === 'plan_unknown')) withoutPlan = candidate;
    }
    return newest ?? withoutPlan ?? subscription;
  }

  /** The domain that a text of Stripe names. */
  private async domainOf(text: string | null): Promise<BilledDomain | null> {
    return text === null ? null : this.api.domain(text);
  }

  private async otherStored(subscription: Subscription, domain: BilledDomain | null): Promise<OtherStored> {
    const stored = domain?.billingRef ?? null;
    if (stored === null || stored === subscription.id || hasEnded(subscription)) return 'none';
    const other = await this.stripe.find(stored);
    if (other === null) return 'unknown';
    return hasEnded(other) ? 'ended' : 'living';
  }

  private async apply(domain: BilledDomain, { id }: Subscription, changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (change.kind === 'plan') await this.api.setPlan(domain.name, change.plan, id, change.replaces);
      if (change.kind === 'activate') await this.api.activate(domain.name);
      if (change.kind === 'suspend') {
        await this.brake.allow(domain.name, this.options.now());
        await this.api.suspend(domain.name);
      }
      this.options.onChange(change.kind);
      this.logger.info(`${domain.name}: ${describeChange(change, id)}`, { domain: domain.name, subscription: id });
    }
  }

  private remember(subscription: Subscription, domain: BilledDomain | null, { alarms }: Decision): void {
    if (domain === null) return;
    const ids = this.waiting.get(domain.name) ?? new Set();
    const isWaiting = mayTakeOver(subscription) && alarms.some(({ kind }) => MAY_TAKE_OVER.includes(kind));
    if (isWaiting) ids.add(subscription.id);
    else ids.delete(subscription.id);
    if (ids.size > 0) this.waiting.set(domain.name, ids);
    else this.waiting.delete(domain.name);
  }

  private settled(id: string, outcome: Outcome): Outcome {
    this.alarms.replace(id, outcome.alarms);
    return outcome;
  }
}

/** `set the plan business and store sub_1` */
export function describeChange(change: Change, subscription: string): string {
  if (change.kind === 'plan') {
    const instead = change.replaces === null ? '' : ` instead of ${change.replaces}`;
    return `set the plan ${change.plan} and store ${subscription}${instead}`;
  }
  if (change.kind === 'activate') return `activate: ${subscription} is paid`;
  return `suspend: ${subscription} is ${change.status}`;
}

function unknownSubscription(id: string): Alarm {
  const advice = 'check that STRIPE_API_KEY and STRIPE_WEBHOOK_SECRET are of the same account and mode (test or live)';
  return {
    kind: 'subscription_unknown',
    subject: id,
    sentence: `Stripe sent an event of subscription ${id}, which it does not know: ${advice}`,
  };
}

function refusedByApi(id: string, { detail }: ApiProblem): Alarm {
  const sentence = `The API refuses the plan of subscription ${id}: ${detail}. Correct mailstead_plan of its price at Stripe`;
  return { kind: 'plan_unknown', subject: id, sentence };
}
