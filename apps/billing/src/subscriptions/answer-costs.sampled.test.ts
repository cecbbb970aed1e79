import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectLinearCost, expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { API_KEY } from '../testing/stripe-double.js';
import { decide } from './decide.js';
import { createStripe, StripeSubscriptions } from './stripe-subscriptions.js';

const LONGEST = 262_144;
const PIECES = [
  '{"id":"sub_1",',
  '"metadata":{"a":',
  '"items":{"data":[',
  '{"price":',
  '\\u00',
  '\\ud83d',
  'xn--a.',
  '":"',
];

/** An answer with a text at each place that is read. */
const answerOf = (text: string, texts: string[]) => ({
  id: `sub_${text}`,
  object: 'subscription',
  status: text,
  customer: text,
  created: 1_700_000_000,
  metadata: { mailstead_partner: text, mailstead_domain: text },
  items: {
    object: 'list',
    has_more: false,
    data: [text, ...texts].map((each) => ({ price: { lookup_key: each, metadata: { mailstead_plan: each } } })),
  },
  latest_invoice: null,
});

describe('an answer of Stripe', () => {
  let server: Server;
  let answer = '';
  let subscriptions: StripeSubscriptions;

  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    subscriptions = new StripeSubscriptions(createStripe(API_KEY, `http://127.0.0.1:${port}`));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Asks for the subscription and decides about its domain. */
  async function read(text: string): Promise<void> {
    answer = text;
    const subscription = await subscriptions.find('sub_1').catch(() => null);
    if (subscription === null) return;
    const domain = { name: 'a.test', partnerRef: 'a', plan: null, billingRef: null, isSuspendedByBilling: false };
    decide({ subscription, domain, otherStored: 'none', plans: ['starter'], now: new Date(), graceMs: 0 });
  }

  it('takes at most 2.5 times as long as one of half the length', async () => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(200, 3),
      inputOf: (text) => text,
      read,
    });
  });

  it('takes at most 2.5 times as long when each of its texts is twice as long', async () => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST / 8,
      draws: sampleSize(200, 3),
      inputOf: (text) => JSON.stringify(answerOf(text, [])),
      read,
    });
  });

  it('takes at most 2.5 times as long when it has twice as many prices', async () => {
    for (const piece of sampled(PIECES, 3)) {
      const textsOf = (count: number) => Array.from({ length: count }, (_, index) => `${piece}${index}`);
      await expectLinearCost(10_000, (count) => JSON.stringify(answerOf('a', textsOf(count))), read);
    }
  });
});
