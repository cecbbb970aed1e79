import { reasonOf } from '@mailstead/core/errors';
import type { Alarm, Alarms } from '../alarms.js';
import type { MailsteadApi } from '../mailstead-api.js';
import type { Brake } from '../state/brake.js';
import { BrakeHeld } from '../state/brake.js';
import { StateUnreadable } from '../state/state-file.js';
import { type BringSubscription, describeChange, type Outcome } from '../subscriptions/bring-subscription.js';
import { type BilledDomain, unknownStored } from '../subscriptions/decide.js';
import type { StripeSubscriptions } from '../subscriptions/stripe-subscriptions.js';
import { isUnrelated, type Subscription } from '../subscriptions/subscription.js';
import { alarmOf } from '../trouble.js';
import { inParallel } from './in-parallel.js';

/** Requests to the API at a time. */
const AT_ONCE = 8;

export interface ReconcileResult {
  subscriptions: number;
  /** Those of other products in the same Stripe account. */
  unrelated: number;
  /** Domains with a reference to a subscription. */
  billedDomains: number;
  /** Differences that were corrected. */
  corrected: number;
  /** Differences that remain: all of them in a dry run, otherwise suspensions that the brake holds. */
  remaining: number;
  /** What a person must look at. */
  alarms: number;
}

export interface ReconcileOptions {
  /** False: only print the differences. */
  correct: boolean;
  /** Receives a sentence for each difference and each alarm. */
  print: (sentence: string) => void;
}

/** Compares all subscriptions at Stripe with all domains, and corrects what differs. */
export class Reconcile {
  constructor(
    private readonly stripe: StripeSubscriptions,
    private readonly api: MailsteadApi,
    private readonly bring: BringSubscription,
    private readonly brake: Brake,
    private readonly alarms: Alarms,
  ) {}

  /** @throws StripeUnavailable, MailsteadUnavailable: then some of it may be corrected */
  async execute(options: ReconcileOptions): Promise<ReconcileResult> {
    const run = new ReconcileRun(options, this.alarms);
    this.alarms.beginRound();
    const plans = await this.api.plans();
    // The stored subscriptions that still name their domain: about 100 bytes each.
    const agreed = new Set<string>();
    // After all others, because another subscription may pay for the same domain.
    const suspending: Subscription[] = [];
    await inParallel(this.stripe.all(), AT_ONCE, async (subscription) => {
      run.result.subscriptions += 1;
      if (isUnrelated(subscription, plans)) run.result.unrelated += 1;
      else if (await this.compare(subscription, plans, run, suspending)) agreed.add(subscription.id);
    });
    for (const subscription of suspending) {
      if (await this.compare(subscription, plans, run)) agreed.add(subscription.id);
    }
    await inParallel(this.api.domains(), AT_ONCE, async (domain) => {
      if (domain.billingRef === null) return;
      run.result.billedDomains += 1;
      if (!agreed.has(domain.billingRef)) await this.compareStored(domain, domain.billingRef, plans, run);
    });
    if (options.correct) await run.orHeld(() => this.brake.setBilledDomains(run.result.billedDomains));
    this.alarms.endRound();
    return run.result;
  }

  /**
   * Returns true when the domain that the subscription names stores it.
   *
   * @param later receives a subscription that would suspend its domain, instead of doing so now
   */
  private async compare(
    subscription: Subscription,
    plans: readonly string[],
    run: ReconcileRun,
    later: Subscription[] | null = null,
  ): Promise<boolean> {
    const { id, domainText } = subscription;
    const domain = domainText === null ? null : await this.api.domain(domainText);
    const { changes, alarms } = await this.bring.compare(subscription, domain, plans);
    if (later !== null && run.options.correct && changes.some(({ kind }) => kind === 'suspend')) {
      later.push(subscription);
      return false;
    }
    if (changes.length > 0 && run.options.correct) {
      const outcome = await run.correct(id, () => this.bring.execute(id, domainText));
      return outcome?.changes.some(({ kind }) => kind === 'plan') === true || domain?.billingRef === id;
    }
    for (const change of changes) run.differs(`${domain?.name ?? ''}: would ${describeChange(change, id)}`);
    run.alarm(alarms, id);
    return domain?.billingRef === id || changes.some(({ kind }) => kind === 'plan');
  }

  /** The domain stores a subscription that was not in the list, or that names another domain. */
  private async compareStored(
    domain: BilledDomain,
    id: string,
    plans: readonly string[],
    run: ReconcileRun,
  ): Promise<void> {
    const stored = await this.stripe.find(id);
    if (stored === null) return run.alarm([unknownStored(domain, domain.name)], domain.name);
    if (stored.domainText !== null && (await this.api.domain(stored.domainText))?.name === domain.name) {
      // It was stored or created during this comparison.
      await this.compare(stored, plans, run);
      return;
    }
    const named = stored.domainText ?? 'no domain';
    const sentence = `${domain.name} is paid by ${id}, which names ${named}: correct mailstead_domain at Stripe`;
    return run.alarm([{ kind: 'domain_missing', subject: domain.name, sentence }], domain.name);
  }
}

/** Counts and prints what one comparison finds. */
class ReconcileRun {
  readonly result: ReconcileResult = {
    subscriptions: 0,
    unrelated: 0,
    billedDomains: 0,
    corrected: 0,
    remaining: 0,
    alarms: 0,
  };

  constructor(
    readonly options: ReconcileOptions,
    private readonly alarms: Alarms,
  ) {}

  differs(sentence: string): void {
    this.result.remaining += 1;
    this.options.print(sentence);
  }

  alarm(found: readonly Alarm[], subject: string): void {
    this.alarms.replace(subject, found);
    this.result.alarms += found.length;
    for (const { sentence } of found) this.options.print(sentence);
  }

  /** Corrects a difference. */
  correct(id: string, work: () => Promise<Outcome>): Promise<Outcome | null> {
    return this.orHeld(async () => {
      const outcome = await work();
      this.result.corrected += outcome.changes.length;
      for (const change of outcome.changes) {
        this.options.print(`${outcome.domain ?? ''}: ${describeChange(change, id)}`);
      }
      this.alarm(outcome.alarms, id);
      return outcome;
    });
  }

  /** Does the work. What the brake or the state file holds back is printed, and the comparison goes on. */
  async orHeld<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      const alarm = alarmOf(error);
      const isHeld =
        error instanceof BrakeHeld || error instanceof StateUnreadable || alarm?.kind === 'state_unwritable';
      if (!isHeld) throw error;
      if (alarm !== null) this.alarms.raise(alarm);
      this.differs(reasonOf(error));
      return null;
    }
  }
}
