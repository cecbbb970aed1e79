import { expectLinearTexts } from '@mailstead/core/testing/linear-cost';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { Stripe } from 'stripe';
import { API_KEY, SECRET, signatureOf } from '../testing/stripe-double.js';
import { subjectOf } from './event-subject.js';

/** Stripe's events are far smaller. */
const LONGEST = 262_144;
/** More than Node reads of a header. */
const LONGEST_HEADER = 64_000;
const PIECES = [
  '{"type":"customer.subscription.updated",',
  '"data":{"object":',
  '"id":"sub_1"',
  't=1,v1=a,',
  ',v1=',
  't=',
  'sub_',
  '\\u00',
  'xn--a.',
];

/** Events with a text at a place that is read. */
const EVENTS: [string, (text: string) => object][] = [
  ['its type', (text) => ({ type: `customer.subscription.${text}`, data: { object: { id: 'sub_1' } } })],
  ['the subscription', (text) => ({ type: 'customer.subscription.updated', data: { object: { id: text } } })],
  [
    'its domain',
    (text) => ({
      type: 'invoice.paid',
      data: { object: { subscription: 'sub_1', metadata: {}, subscription_details: { metadata: domain(text) } } },
    }),
  ],
  [
    'the domain of its parent',
    (text) => ({
      type: 'invoice.paid',
      data: { object: { parent: { subscription_details: { subscription: text, metadata: domain(text) } } } },
    }),
  ],
];

describe('an event of Stripe', () => {
  const { webhooks } = new Stripe(API_KEY);

  /** As the receiver verifies it and reads its subject. */
  function read({ body, signature }: { body: Buffer; signature: string }): void {
    try {
      subjectOf(webhooks.constructEvent(body, signature, SECRET, 300));
    } catch {
      // It is refused.
    }
  }

  it.each([true, false])('takes at most 2.5 times as long as one of half the length, signed: %s', async (isSigned) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 4),
      inputOf: (text) => ({ body: Buffer.from(text), signature: isSigned ? signatureOf(text) : 't=1,v1=a' }),
      read,
    });
  });

  it.each(EVENTS)('takes at most 2.5 times as long when %s is twice as long', async (_, eventOf) => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST,
      draws: sampleSize(300, 4),
      inputOf: (text) => {
        const body = JSON.stringify(eventOf(text));
        return { body: Buffer.from(body), signature: signatureOf(body) };
      },
      read,
    });
  });

  it('takes at most 2.5 times as long when its signature is twice as long', async () => {
    await expectLinearTexts({
      pieces: PIECES,
      longest: LONGEST_HEADER,
      draws: sampleSize(300, 4),
      inputOf: (signature) => ({ body: Buffer.from('{}'), signature }),
      read,
    });
  });
});

function domain(text: string) {
  return { mailstead_domain: text };
}
