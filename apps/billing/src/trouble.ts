import { reasonOf } from '@mailstead/core/errors';
import type { Alarm } from './alarms.js';
import { MailsteadUnavailable } from './mailstead-api.js';
import { BrakeHeld } from './state/brake.js';
import { StateUnreadable } from './state/state-file.js';
import { StripeUnavailable } from './subscriptions/stripe-subscriptions.js';

const RESUME = 'then run "node apps/billing/dist/main.js resume"';

export const BRAKE_ALARM: Alarm = {
  kind: 'brake',
  subject: '',
  sentence: `Too many domains were to be suspended within an hour, so nothing is suspended any more: look at "reconcile --dry-run", ${RESUME}`,
};

export function stateUnreadable(error: StateUnreadable): Alarm {
  const sentence = `${error.message}, so nothing is suspended: look at the file, ${RESUME}, which begins a new one`;
  return { kind: 'state_unreadable', subject: '', sentence };
}

/**
 * The alarm of an error that leaves work undone for now; null for an error that passes by itself, such as a lock that
 * was not free in time.
 */
export function alarmOf(error: unknown): Alarm | null {
  if (error instanceof BrakeHeld) return BRAKE_ALARM;
  if (error instanceof StateUnreadable) return stateUnreadable(error);
  if (error instanceof StripeUnavailable) {
    return { kind: 'stripe_unavailable', subject: '', sentence: `Stripe cannot be read: ${error.reason}` };
  }
  if (error instanceof MailsteadUnavailable) {
    return { kind: 'mailstead_unavailable', subject: '', sentence: `Mailstead cannot be reached: ${error.reason}` };
  }
  if (isFileTrouble(error)) {
    const sentence = `BILLING_DATA_DIR cannot be written (${reasonOf(error)}), so nothing is suspended: free space on the disk`;
    return { kind: 'state_unwritable', subject: '', sentence };
  }
  return null;
}

function isFileTrouble(error: unknown): boolean {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  return syscall !== undefined && /^E(NOSPC|DQUOT|ROFS|ACCES|PERM|IO|NOENT|MFILE|NFILE|ISDIR|NOTDIR)$/.test(code);
}
