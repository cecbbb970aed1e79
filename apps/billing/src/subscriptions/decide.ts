import type { Alarm, AlarmKind } from '../alarms.js';
import { hasEnded, isUnrelated, planOf, type Subscription, standingOf } from './subscription.js';

/** What billing needs of a domain. */
export interface BilledDomain {
  name: string;
  partnerRef: string | null;
  plan: string | null;
  /** The stored subscription; null without one. */
  billingRef: string | null;
  /** Whether `billing` is among its suspension causes. */
  isSuspendedByBilling: boolean;
}

/** The stored subscription of the domain, as far as it is another one than the subscription in question. */
export type OtherStored = 'none' | 'ended' | 'living' | 'unknown';

export interface Facts {
  subscription: Subscription;
  /** The domain that its metadata names; null when there is none. */
  domain: BilledDomain | null;
  otherStored: OtherStored;
  plans: readonly string[];
  now: Date;
  graceMs: number;
}

export type Change =
  | { kind: 'plan'; plan: string; replaces: string | null }
  | { kind: 'activate' }
  | { kind: 'suspend'; status: string };

export interface Decision {
  /** In this order. Empty when the domain is as the subscription says. */
  changes: Change[];
  alarms: Alarm[];
}

const NOTHING: Decision = { changes: [], alarms: [] };

/** From a subscription as it is now, and its domain as it is now, to the changes that bring the domain to it. */
export function decide(facts: Facts): Decision {
  const { subscription, domain, plans } = facts;
  const isStored = domain !== null && domain.billingRef === subscription.id;
  if (subscription.status === 'incomplete' || isUnrelated(subscription, plans)) return NOTHING;
  const objection = objectionTo(facts);
  // A subscription that ended without being the stored one has no say. That it names another partner's domain is told
  // even so.
  if (hasEnded(subscription) && !isStored && objection?.kind !== 'partner_differs') return NOTHING;
  if (objection !== null) return { changes: [], alarms: [objection] };
  if (domain === null) return NOTHING;
  return isStored ? decideStored(facts, domain) : decideNew(facts, domain);
}

function decideStored({ subscription, plans, now, graceMs }: Facts, domain: BilledDomain): Decision {
  const standing = standingOf(subscription, now, graceMs);
  if (standing === 'unpaid') {
    return domain.isSuspendedByBilling
      ? NOTHING
      : { changes: [{ kind: 'suspend', status: subscription.status }], alarms: [] };
  }
  if (standing !== 'paid') return NOTHING;
  const plan = planOf(subscription, plans);
  const changes: Change[] = [];
  if (plan !== null && plan !== domain.plan) changes.push({ kind: 'plan', plan, replaces: null });
  // Paid is paid, also when its price names no plan.
  if (domain.isSuspendedByBilling) changes.push({ kind: 'activate' });
  return { changes, alarms: plan === null ? [planUnknown(subscription)] : [] };
}

/** The subscription reaches a domain that stores none, or one that has ended: it is stored with its plan. */
function decideNew({ subscription, plans, now, graceMs }: Facts, domain: BilledDomain): Decision {
  const plan = planOf(subscription, plans);
  if (plan === null) return { changes: [], alarms: [planUnknown(subscription)] };
  const changes: Change[] = [{ kind: 'plan', plan, replaces: domain.billingRef }];
  const standing = standingOf(subscription, now, graceMs);
  if (standing === 'paid' && domain.isSuspendedByBilling) changes.push({ kind: 'activate' });
  if (standing === 'unpaid' && !domain.isSuspendedByBilling) {
    changes.push({ kind: 'suspend', status: subscription.status });
  }
  return { changes, alarms: [] };
}

function objectionTo({ subscription, domain, otherStored, now, graceMs }: Facts): Alarm | null {
  const { id, partnerRef, domainText, status } = subscription;
  const alarm = (kind: AlarmKind, sentence: string): Alarm => ({ kind, subject: id, sentence });
  if (partnerRef === null || domainText === null) {
    const missing = [
      partnerRef === null ? ['mailstead_partner'] : [],
      domainText === null ? ['mailstead_domain'] : [],
    ].flat();
    return alarm('metadata_missing', `Subscription ${id} has no metadata ${missing.join(' and ')}: add it at Stripe`);
  }
  if (domain === null) {
    const advice = 'correct mailstead_domain at Stripe, create or restore the domain, or cancel the subscription';
    return alarm('domain_missing', `Subscription ${id} names ${domainText}, which is no domain here: ${advice}`);
  }
  if (domain.partnerRef !== partnerRef) {
    const holder = domain.partnerRef === null ? 'belongs to no partner' : `belongs to partner ${domain.partnerRef}`;
    const advice = 'nothing is changed; correct mailstead_partner or mailstead_domain at Stripe';
    return alarm(
      'partner_differs',
      `Subscription ${id} of partner ${partnerRef} names ${domain.name}, which ${holder}: ${advice}`,
    );
  }
  if (standingOf(subscription, now, graceMs) === 'unknown') {
    return alarm('status_unknown', `Subscription ${id} has the status ${status}, which this release does not know`);
  }
  if (otherStored === 'living') {
    return alarm(
      'second_subscription',
      `Subscription ${id} names ${domain.name}, which is paid by ${domain.billingRef ?? ''}: cancel one of them at Stripe`,
    );
  }
  if (otherStored === 'unknown') return unknownStored(domain, id);
  return null;
}

/** The domain stores a subscription that Stripe does not know. */
export function unknownStored({ name, billingRef }: BilledDomain, subject: string): Alarm {
  const advice =
    'check that STRIPE_API_KEY is of the right account and mode; to store another one, see "An unknown subscription" in docs/billing.md';
  return {
    kind: 'subscription_unknown',
    subject,
    sentence: `${name} is paid by ${billingRef ?? ''}, which Stripe does not know: ${advice}`,
  };
}

function planUnknown({ id, pricePlans, lookupKeys }: Subscription): Alarm {
  const named = (pricePlans.length > 0 ? pricePlans : lookupKeys).join(', ') || 'none';
  const advice = 'give exactly one of its prices the metadata mailstead_plan with the name of a plan';
  return {
    kind: 'plan_unknown',
    subject: id,
    sentence: `The prices of subscription ${id} do not name one known plan (${named}): ${advice}`,
  };
}
