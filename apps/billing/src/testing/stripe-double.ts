import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';

export const SECRET = 'whsec_test_secret_of_the_billing_tests';
export const API_KEY = 'sk_test_key_of_the_billing_tests';

const DAY_S = 86_400;

const stripe = new Stripe(API_KEY);

/** A subscription as a test describes it; everything else has a default. */
export interface GivenSubscription {
  id: string;
  status?: Stripe.Subscription.Status;
  customer?: string;
  partner?: string | null;
  domain?: string | null;
  /** `mailstead_plan` of the price. */
  plan?: string | null;
  lookupKey?: string | null;
  /** The age of the latest invoice. */
  invoiceDays?: number;
}

interface StoredSubscription {
  id: string;
  object: 'subscription';
  status: Stripe.Subscription.Status;
  customer: string;
  created: number;
  metadata: Record<string, string>;
  items: object;
  latest_invoice: { id: string; object: 'invoice'; created: number };
}

/** A server on loopback that answers as Stripe's public reference says, for the requests that billing sends. */
export class StripeDouble {
  /** `down` closes the connection, a number is the status of every answer. */
  trouble: 'none' | 'down' | number = 'none';
  /** Every request as `METHOD /path`. */
  readonly requests: string[] = [];
  private readonly subscriptions = new Map<string, StoredSubscription>();
  private readonly server: Server;
  private clock = 1_700_000_000;
  private events = 0;

  private constructor() {
    this.server = createServer((request, response) => this.answer(request, response));
  }

  static async start(): Promise<StripeDouble> {
    const double = new StripeDouble();
    await once(double.server.listen(0, '127.0.0.1'), 'listening');
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Creates or changes a subscription. What is left out keeps its value. */
  put(given: GivenSubscription): void {
    const former = this.subscriptions.get(given.id);
    this.clock += 1;
    const age = (given.invoiceDays ?? 0) * DAY_S;
    const latest_invoice = { id: `in_${given.id}`, object: 'invoice' as const, created: nowSeconds() - age };
    this.subscriptions.set(given.id, {
      id: given.id,
      object: 'subscription',
      status: given.status ?? former?.status ?? 'active',
      customer: given.customer ?? former?.customer ?? `cus_${given.id}`,
      created: former?.created ?? this.clock,
      metadata: {
        ...former?.metadata,
        ...(given.partner ? { mailstead_partner: given.partner } : {}),
        ...(given.domain ? { mailstead_domain: given.domain } : {}),
      },
      items:
        given.plan === undefined && given.lookupKey === undefined && former !== undefined
          ? former.items
          : itemsOf(given),
      latest_invoice: given.invoiceDays === undefined && former !== undefined ? former.latest_invoice : latest_invoice,
    });
  }

  remove(id: string): void {
    this.subscriptions.delete(id);
  }

  /** The body of an event as Stripe sends it now. */
  event(id: string, type = 'customer.subscription.updated'): string {
    this.events += 1;
    const subscription = this.subscriptions.get(id);
    const metadata = subscription?.metadata ?? {};
    const object = type.startsWith('invoice.')
      ? {
          id: `in_${id}`,
          object: 'invoice',
          parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata } },
        }
      : { object: 'subscription', metadata, ...subscription, id };
    const created = nowSeconds();
    return JSON.stringify({ id: `evt_${this.events}`, object: 'event', type, created, data: { object } });
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://stripe');
    this.requests.push(`${request.method} ${url.pathname}`);
    if (this.trouble === 'down') {
      request.socket.destroy();
      return;
    }
    const send = (status: number, body: object) =>
      response
        .writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1' })
        .end(JSON.stringify(body));
    if (this.trouble !== 'none') {
      send(this.trouble, { error: { type: 'api_error', message: 'As the test asked' } });
      return;
    }
    if (request.headers.authorization !== `Bearer ${API_KEY}`) {
      send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
      return;
    }
    const id = /^\/v1\/subscriptions\/(\w+)$/.exec(url.pathname)?.[1];
    if (request.method !== 'GET' || (id === undefined && url.pathname !== '/v1/subscriptions')) {
      send(405, { error: { type: 'invalid_request_error', message: 'Not needed' } });
    } else if (id === undefined) {
      send(200, this.page(url.searchParams));
    } else {
      const found = this.subscriptions.get(id);
      const message = `No such subscription: '${id}'`;
      send(
        found === undefined ? 404 : 200,
        found ?? { error: { type: 'invalid_request_error', code: 'resource_missing', message } },
      );
    }
  }

  /** Newest first, as Stripe lists. */
  private page(query: URLSearchParams): object {
    const customer = query.get('customer');
    const all = [...this.subscriptions.values()]
      .filter((each) => customer === null || each.customer === customer)
      .sort((one, other) => other.created - one.created);
    const after = query.get('starting_after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const data = all.slice(start, start + limit);
    return { object: 'list', url: '/v1/subscriptions', has_more: start + limit < all.length, data };
  }
}

/** The header that Stripe sends with the body. */
export function signatureOf(payload: string, options: { secret?: string; ageSeconds?: number } = {}): string {
  const { secret = SECRET, ageSeconds = 0 } = options;
  return stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: nowSeconds() - ageSeconds });
}

function itemsOf({ plan = 'starter', lookupKey = null }: GivenSubscription): object {
  const price = {
    id: 'price_1',
    object: 'price',
    lookup_key: lookupKey,
    metadata: plan === null ? {} : { mailstead_plan: plan },
  };
  return { object: 'list', has_more: false, data: [{ id: 'si_1', object: 'subscription_item', price }] };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
