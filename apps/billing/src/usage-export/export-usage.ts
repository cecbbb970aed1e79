import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { Billing } from '../billing.js';

/** The columns that are added to those of the API. */
const ADDED = ['stripe_subscription', 'stripe_customer'];
/** As the API writes it, so that no other byte of a row changes. */
const OPTIONS = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ };

/**
 * Prints the usage of a month as CSV, row by row, with the ids of Stripe as last columns: empty for a domain without a
 * subscription; the customer is empty when Stripe does not know the subscription.
 *
 * @param month `YYYY-MM`
 * @throws StripeUnavailable, MailsteadUnavailable; then the output is cut
 */
export async function exportUsage(
  { subscriptions, usage }: Pick<Billing, 'subscriptions' | 'usage'>,
  month: string,
  output: NodeJS.WritableStream,
): Promise<void> {
  // About 150 bytes a subscription. One request for each row would take Stripe hours.
  const customers = new Map<string, string>();
  for await (const { id, customer } of subscriptions.all()) customers.set(id, customer);
  await pipeline(linesOf(usage(month)), parse(), async (records: AsyncIterable<string[]>) => {
    let referenceColumn = -1;
    for await (const fields of records) {
      const isHeader = referenceColumn === -1;
      if (isHeader) referenceColumn = fields.indexOf('billing_ref');
      if (referenceColumn === -1) throw new Error('The usage of the API has no column billing_ref');
      const reference = fields[referenceColumn] ?? '';
      const added = isHeader ? ADDED : [reference, customers.get(reference) ?? ''];
      if (!output.write(stringify([[...fields, ...added]], OPTIONS))) await once(output, 'drain');
    }
  });
}

async function* linesOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\r\n`;
}
