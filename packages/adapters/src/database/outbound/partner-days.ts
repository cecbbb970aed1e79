import type { OutboundDay } from '@mailstead/core/outbound/outbound-reader';
import type { Database, Statement, Transaction } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { upsert } from './ledger-statements.js';

/*
 * `outbound_partner_day`: what the domains of a partner sent on a day while they were its domains. A transaction adds
 * to these rows with its last statement, ordered by partner and day, and locks nothing after them. So the lock of the
 * row that all processes write lasts as long as a COMMIT, and no two transactions wait for each other.
 */

/** What a transaction adds to a day of a partner. */
export interface PartnerDay extends OutboundDay {
  partnerId: number;
}

const KEY = ['partner_id', 'day'];
const noted = new WeakMap<Transaction, PartnerDay[]>();

/** Each partner and day at most once, so that no row is locked twice in another order. */
export function addToPartnerDays(dialect: Dialect, days: readonly PartnerDay[]): Statement | null {
  const sorted = days.toSorted((left, right) => left.partnerId - right.partnerId || (left.day < right.day ? -1 : 1));
  return upsert(
    dialect,
    'outbound_partner_day',
    KEY,
    [...KEY, 'sent', 'bounces', 'complaints'],
    sorted.map(({ partnerId, day, sent, bounces, complaints }) => [partnerId, day, sent, bounces, complaints]),
    (column) => `${column} = outbound_partner_day.${column} + ${dialect.inserted(column)}`,
  );
}

/** Adds to days of partners with the last statement of the unit of work, which may add more meanwhile. */
export function notePartnerDays(database: Database, days: readonly PartnerDay[]): void {
  const transaction = database.currentTransaction();
  if (transaction === undefined) throw new Error('The days of partners can only be changed in a unit of work');
  const known = noted.get(transaction);
  if (known !== undefined) known.push(...days);
  else {
    const all = [...days];
    noted.set(transaction, all);
    transaction.beforeCommit.push(() => {
      const statement = addToPartnerDays(database.dialect, summed(all));
      return statement === null ? [] : [statement];
    });
  }
}

/** Days of the same partner become one. */
function summed(days: readonly PartnerDay[]): PartnerDay[] {
  const sums = new Map<string, PartnerDay>();
  for (const { partnerId, day, sent, bounces, complaints } of days) {
    const key = `${partnerId} ${day}`;
    const sum = sums.get(key) ?? { partnerId, day, sent: 0, bounces: 0, complaints: 0 };
    sum.sent += sent;
    sum.bounces += bounces;
    sum.complaints += complaints;
    sums.set(key, sum);
  }
  return [...sums.values()];
}
