import { Stripe } from 'stripe';
import type { Subscription } from './subscription.js';

const TIMEOUT_MS = 8_000;
const RETRIES = 1;
const PAGE = 100;

/** Stripe did not answer, or refused the key. */
export class StripeUnavailable extends Error {
  constructor(readonly reason: string) {
    super(`Stripe: ${reason}`);
    this.name = 'StripeUnavailable';
  }
}

/** Reads subscriptions at Stripe. It has no method that changes anything there. */
export class StripeSubscriptions {
  constructor(private readonly stripe: Stripe) {}

  /**
   * Reads a subscription as it is now.
   *
   * @returns null when Stripe does not know the id
   * @throws StripeUnavailable
   */
  async find(id: string): Promise<Subscription | null> {
    try {
      return toSubscription(await this.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }));
    } catch (error) {
      if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return null;
      throw asUnavailable(error);
    }
  }

  /**
   * Reads all subscriptions of the account, or of one customer, newest first, also those that ended.
   *
   * @throws StripeUnavailable
   */
  async *all(customer?: string): AsyncGenerator<Subscription, void, undefined> {
    const filter = customer === undefined ? {} : { customer };
    const list = this.stripe.subscriptions.list({
      status: 'all',
      limit: PAGE,
      expand: ['data.latest_invoice'],
      ...filter,
    });
    try {
      for await (const subscription of list) yield toSubscription(subscription);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

/** @param base the base URL of Stripe's API */
export function createStripe(key: string, base: string): Stripe {
  const { protocol, hostname, port } = new URL(base);
  return new Stripe(key, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

function toSubscription(subscription: Stripe.Subscription): Subscription {
  const { id, status, customer, created, metadata, items, latest_invoice: invoice } = subscription;
  const prices = items.data.map(({ price }) => price);
  return {
    id,
    status,
    customer: typeof customer === 'string' ? customer : customer.id,
    created,
    partnerRef: textOf(metadata.mailstead_partner),
    domainText: textOf(metadata.mailstead_domain),
    pricePlans: eachOnce(prices.map((price) => textOf(price.metadata.mailstead_plan))),
    lookupKeys: eachOnce(prices.map((price) => textOf(price.lookup_key))),
    latestInvoiceAt: invoice === null || typeof invoice === 'string' ? null : invoice.created,
  };
}

function textOf(value: string | null | undefined): string | null {
  const text = value?.trim() ?? '';
  return text === '' ? null : text;
}

function eachOnce(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

/** Stripe's messages show a key with its middle left out; they are passed on without it all the same. */
function asUnavailable(error: unknown): Error {
  if (error instanceof Stripe.errors.StripeAuthenticationError) {
    return new StripeUnavailable('it refuses STRIPE_API_KEY; make a new key and restart');
  }
  if (error instanceof Stripe.errors.StripePermissionError) {
    return new StripeUnavailable('STRIPE_API_KEY may not read subscriptions, prices and invoices; permit it at Stripe');
  }
  if (error instanceof Stripe.errors.StripeError) {
    return new StripeUnavailable(
      error.statusCode === undefined ? 'it does not answer' : `it answers ${error.statusCode}`,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}
