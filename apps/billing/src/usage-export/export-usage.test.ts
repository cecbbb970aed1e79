import { Writable } from 'node:stream';
import { createStripe, StripeSubscriptions } from '../subscriptions/stripe-subscriptions.js';
import { API_KEY, StripeDouble } from '../testing/stripe-double.js';
import { exportUsage } from './export-usage.js';

let stripe: StripeDouble;

beforeAll(async () => {
  stripe = await StripeDouble.start();
});
afterAll(() => stripe.stop());

async function exported(records: string[]): Promise<string> {
  let text = '';
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  async function* usage() {
    yield* records;
  }
  const subscriptions = new StripeSubscriptions(createStripe(API_KEY, stripe.url));
  await exportUsage({ subscriptions, usage }, '2026-10', output);
  return text;
}

describe('the export of usage', () => {
  it('adds the subscription and its customer to each row, and keeps quoted fields and every other byte', async () => {
    stripe.put({ id: 'sub_1', customer: 'cus_1' });
    const text = await exported([
      'partner_ref,external_ref,billing_ref,days',
      'acme,"a ""b"", c",sub_1,31',
      'acme,,,31',
      'acme,x,sub_gone,1',
    ]);
    expect(text.split('\r\n')).toEqual([
      'partner_ref,external_ref,billing_ref,days,stripe_subscription,stripe_customer',
      'acme,"a ""b"", c",sub_1,31,sub_1,cus_1',
      'acme,,,31,,',
      'acme,x,sub_gone,1,sub_gone,',
      '',
    ]);
  });

  it('fails without a column billing_ref, rather than printing rows without ids', async () => {
    await expect(exported(['partner_ref,days', 'acme,31'])).rejects.toThrow('no column billing_ref');
  });
});
