import type { Job } from '../../../api/shapes.js';
import { countOf, formatMegabytes } from '../../../parts/numbers.js';

type Run = NonNullable<Job['last_run']>;

/** What a run counted, as one and as many. */
const COUNTED: Record<string, [one: string, many: string]> = {
  announced: ['domain announced for removal', 'domains announced for removal'],
  attention: ['domain marked or unmarked', 'domains marked or unmarked'],
  audit: ['old audit row deleted', 'old audit rows deleted'],
  bounces: ['old bounce deleted', 'old bounces deleted'],
  brands: ['brand of a former partner deleted', 'brands of former partners deleted'],
  changed: ['state changed', 'states changed'],
  copies_mended: ['copied row corrected', 'copied rows corrected'],
  counts_checked: ['count checked', 'counts checked'],
  counts_mended: ['count corrected', 'counts corrected'],
  days: ['day', 'days'],
  dead_jobs: ['old dead job deleted', 'old dead jobs deleted'],
  dead_notifications: ['old dead notification deleted', 'old dead notifications deleted'],
  dns_looks: ['look at DNS records planned', 'looks at DNS records planned'],
  domains: ['domain', 'domains'],
  erased: ['deleted domain or mailbox erased', 'deleted domains and mailboxes erased'],
  events: ['old event deleted', 'old events deleted'],
  failed: ['failure', 'failures'],
  frozen: ['counter frozen', 'counters frozen'],
  held: ['domain held by the brake', 'domains held by the brake'],
  homes: ['mailbox’s mail removed', 'mailboxes’ mail removed'],
  idempotency: ['old idempotency key deleted', 'old idempotency keys deleted'],
  increments: ['old increment id deleted', 'old increment ids deleted'],
  logos_removed: ['logo removed that is not allowed any more', 'logos removed that are not allowed any more'],
  logos_rewritten: ['logo written anew', 'logos written anew'],
  messages: ['message removed', 'messages removed'],
  names: ['name of a deleted domain or mailbox forgotten', 'names of deleted domains and mailboxes forgotten'],
  notifications: ['delivered notification deleted', 'delivered notifications deleted'],
  polled: ['domain checked', 'domains checked'],
  portal_links: ['expired link deleted', 'expired links deleted'],
  relay_events: ['old relay event deleted', 'old relay events deleted'],
  reminded: ['reminder sent', 'reminders sent'],
  removed: ['domain removed', 'domains removed'],
  reset: ['domain with mail on that day', 'domains with mail on that day'],
  runs: ['old run deleted', 'old runs deleted'],
  senders: ['old count of a sender deleted', 'old counts of senders deleted'],
  sessions: ['expired session deleted', 'expired sessions deleted'],
  unknown: ['domain without an answer', 'domains without an answer'],
  warnings: ['warning', 'warnings'],
};

/** Some schedules count other things under the same name. */
const COUNTED_BY: Record<string, typeof COUNTED> = {
  housekeeping: { days: ['old day of counters deleted', 'old days of counters deleted'] },
  'retention.purge': { failed: ['domain whose mail store failed', 'domains whose mail store failed'] },
  'deleted-mail.remove': { failed: ['mailbox whose mail store failed', 'mailboxes whose mail store failed'] },
};

const BYTES_PER_MB = 1_048_576;

/** Why a run failed, else what it did, without what it did not do. A count of a newer service keeps its name. */
export function runResult(schedule: string, { reason, counts, outcome }: Run): string {
  if (reason !== null) return reason;
  if (outcome !== 'done') return '–';
  const numbers = Object.entries((counts ?? {}) as Record<string, unknown>)
    .map(([what, count]): [string, number] => [what, Number(count)])
    .filter(([, count]) => count !== 0);
  if (numbers.length === 0) return 'Nothing to do';
  return numbers.map(([what, count]) => partOf(schedule, what, count)).join(', ');
}

function partOf(schedule: string, what: string, count: number): string {
  if (what === 'skipped') return 'Not switched on';
  if (what === 'postponed') return 'Postponed: it was running already';
  if (what === 'bytes') return `${formatMegabytes(count / BYTES_PER_MB)} freed`;
  const [one, many] = COUNTED_BY[schedule]?.[what] ?? COUNTED[what] ?? [what, what];
  return countOf(count, one, many);
}
