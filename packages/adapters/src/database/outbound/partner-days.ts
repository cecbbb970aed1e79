import type { OutboundDay } from '@mailstead/core/outbound/outbound-reader';
import type { Database, Statement, Transaction } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';
import { upsert } from './ledger-statements.js';

/*
 * `outbound_partner_day`: what the domains of a partner sent on a day while they were its domains. A transaction adds
 * to these rows with its last statement, ordered by partner and day, and locks nothing after them. So the lock of the
 * row that all processes write lasts as long as a COMMIT, and no two transactions wait for each other.
 *
 * The same statement adds the sums of all partners to rows without a partner, whose ids are below 0. A transaction
 * chooses one of `SLOTS` such rows, so that transactions of different partners rarely wait for each other's COMMIT.
 */

/** What a transaction adds to a day of a partner. */
export interface PartnerDay extends OutboundDay {
  partnerId: number;
}

const KEY = ['partner_id', 'day'];
const SLOTS = 8;
/** What only the rows of partners have: no message is counted here, so that a correction can set it. */
export const CORRECTION = -1 - SLOTS;
/** The ids under which the sums of all partners are kept. */
export const ALL_PARTNERS: readonly number[] = Array.from({ length: SLOTS + 1 }, (_, slot) => -1 - slot);
const noted = new WeakMap<Transaction, PartnerDay[]>();

/** Each partner and day at most once, so that no row is locked twice in another order. */
export function addToPartnerDays(dialect: Dialect, days: readonly PartnerDay[]): Statement | null {
  const slot = -1 - Math.floor(Math.random() * SLOTS);
  const all = [...days, ...summed(days.map((each) => ({ ...each, partnerId: slot })))];
  // The rows of all partners come last.
  const sorted = all.toSorted((left, right) => right.partnerId - left.partnerId || (left.day < right.day ? -1 : 1));
  return write(dialect, sorted, (column) => `outbound_partner_day.${column} + ${dialect.inserted(column)}`);
}

/** Replaces what the days have. */
export function setPartnerDays(dialect: Dialect, days: readonly PartnerDay[]): Statement | null {
  return write(dialect, days, (column) => dialect.inserted(column));
}

function write(dialect: Dialect, days: readonly PartnerDay[], valueOf: (column: string) => string): Statement | null {
  return upsert(
    dialect,
    'outbound_partner_day',
    KEY,
    [...KEY, 'sent', 'bounces', 'complaints'],
    days.map(({ partnerId, day, sent, bounces, complaints }) => [partnerId, day, sent, bounces, complaints]),
    (column) => `${column} = ${valueOf(column)}`,
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
