/** Where the reference begins after a `YYYY-MM-DD`. */
const AFTER_DAY = 'YYYY-MM-DD'.length + 1;

/** What the days `u` of a name, partner and plan add up to, by the columns of `usage_month`. */
export const TOTALS = {
  first_day: 'MIN(u.day)',
  last_day: 'MAX(u.day)',
  last_held_day: 'MAX(CASE WHEN u.held = 1 THEN u.day END)',
  days: 'SUM(u.held)',
  mailboxes_max: 'MAX(u.mailboxes)',
  mailbox_days: 'SUM(u.mailboxes)',
  storage_mb_max: 'MAX(u.storage_mb)',
  storage_mb_days: 'SUM(u.storage_mb)',
  sent: 'SUM(u.sent)',
  bytes: 'SUM(u.bytes)',
  bytes_in: 'SUM(u.bytes_in)',
  bounces: 'SUM(u.bounces)',
  external_ref: ofLastDay('external_ref'),
  billing_ref: ofLastDay('billing_ref'),
};

/** The value of the last day; empty when it has none. */
function ofLastDay(column: string): string {
  return `SUBSTR(MAX(CONCAT(u.day, COALESCE(u.${column}, ''))), ${AFTER_DAY})`;
}
