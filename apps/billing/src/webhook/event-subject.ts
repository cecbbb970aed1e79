import type Stripe from 'stripe';

export interface EventSubject {
  subscription: string;
  /** The domain that the event names; it may be out of date. Null when the event names none. */
  domainHint: string | null;
}

/**
 * The subscription that an event is about; null when it is about none. The shape of an event follows the API version of
 * the webhook endpoint, which may be older than the one of the SDK, so nothing else of it is used.
 */
export function subjectOf({ type, data }: Stripe.Event): EventSubject | null {
  const object: unknown = data?.object;
  if (!isRecord(object)) return null;
  if (type.startsWith('customer.subscription.')) return subject(object.id, object.metadata);
  if (!type.startsWith('invoice.')) return null;
  const details = isRecord(object.parent) ? object.parent.subscription_details : object.subscription_details;
  if (isRecord(details) && details.subscription !== undefined) return subject(details.subscription, details.metadata);
  return subject(object.subscription, isRecord(details) ? details.metadata : null);
}

function subject(reference: unknown, metadata: unknown): EventSubject | null {
  const id = isRecord(reference) ? reference.id : reference;
  if (typeof id !== 'string' || !/^[A-Za-z0-9_]{1,255}$/.test(id)) return null;
  const domain = isRecord(metadata) ? metadata.mailstead_domain : null;
  return { subscription: id, domainHint: typeof domain === 'string' ? domain.trim() : null };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
