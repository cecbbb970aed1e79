/** What Mailstead needs of a subscription at Stripe. */
export interface Subscription {
  id: string;
  /** Stripe's status; new ones may appear. */
  status: string;
  customer: string;
  /** Unix time, seconds. */
  created: number;
  /** `metadata.mailstead_partner`; null when missing or empty. */
  partnerRef: string | null;
  /** `metadata.mailstead_domain`, as it is written there; null when missing or empty. */
  domainText: string | null;
  /** `metadata.mailstead_plan` of its prices, each value once. */
  pricePlans: string[];
  /** The lookup keys of its prices, each once. */
  lookupKeys: string[];
  /** When its latest invoice was created, Unix time, seconds; null without one. */
  latestInvoiceAt: number | null;
}

/** States that a subscription never leaves. */
const ENDED = new Set(['canceled', 'incomplete_expired']);
const PAID = new Set(['active', 'trialing']);
const UNPAID = new Set(['unpaid', 'paused', ...ENDED]);
const WAITING = new Set(['past_due', 'incomplete']);

export function hasEnded({ status }: Subscription): boolean {
  return ENDED.has(status);
}

/** Whether it pays for its domain, or still may: no reason to suspend. */
export function mayTakeOver({ status }: Subscription): boolean {
  return PAID.has(status) || status === 'past_due';
}

export type Standing = 'paid' | 'unpaid' | 'nothing' | 'unknown';

/**
 * What the status means for the domain.
 *
 * @param graceMs the age of the latest invoice from which a subscription that is past due is unpaid. Stripe does not
 * say since when a subscription is past due.
 */
export function standingOf({ status, latestInvoiceAt }: Subscription, now: Date, graceMs: number): Standing {
  if (PAID.has(status)) return 'paid';
  if (UNPAID.has(status)) return 'unpaid';
  if (status === 'past_due') {
    const isOld = latestInvoiceAt !== null && latestInvoiceAt * 1_000 + graceMs <= now.getTime();
    return isOld ? 'unpaid' : 'nothing';
  }
  return WAITING.has(status) ? 'nothing' : 'unknown';
}

/** Whether nothing of it mentions Mailstead: it sells something else of the same Stripe account. */
export function isUnrelated(subscription: Subscription, plans: readonly string[]): boolean {
  const { partnerRef, domainText, pricePlans, lookupKeys } = subscription;
  return (
    partnerRef === null &&
    domainText === null &&
    pricePlans.length === 0 &&
    !lookupKeys.some((key) => plans.includes(key))
  );
}

/** @returns the plan of its prices; null when they name none, an unknown one, or several */
export function planOf({ pricePlans, lookupKeys }: Subscription, plans: readonly string[]): string | null {
  const named = pricePlans.length > 0 ? pricePlans : lookupKeys.filter((key) => plans.includes(key));
  const [plan] = named;
  return named.length === 1 && plan !== undefined && plans.includes(plan) ? plan : null;
}
