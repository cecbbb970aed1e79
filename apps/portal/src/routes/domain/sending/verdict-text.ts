import type { Outbound } from '../../../api/shapes.js';

type Verdict = Outbound['verdict'];

/** Why mail to an outside recipient is refused or deferred now. */
const STOPPED: Record<NonNullable<Verdict['reason']>, string> = {
  sender_not_allowed: 'The sender address is not allowed',
  domain_suspended: 'Suspended, so its mail waits',
  outbound_blocked: 'Sending is blocked',
  not_verified: 'Not verified, so it may not send',
  message_exceeds_limit: 'No message fits the limits',
  mailbox_limit: 'The mailbox reached its limit of today',
  daily_limit: 'The limit of today is reached, so its mail waits until 00:00 UTC',
  monthly_limit: 'The limit of this month is reached, so its mail waits until the 1st',
  transfer_limit: 'The transfer cap of this month is reached, so its mail waits until the 1st',
  domain_not_found: 'The domain does not exist any more',
  increment_id_reused: 'The message was counted before',
  counter_overflow: 'The counter is full',
};

/** Limits that are only monitored, and therefore stop nothing. */
const MONITORED: Partial<typeof STOPPED> = {
  daily_limit: 'May send; above the limit of today, which is only monitored',
  monthly_limit: 'May send; above the limit of this month, which is only monitored',
  transfer_limit: 'May send; above the transfer cap, which is only monitored',
};

/** @returns what the verdict means, in a sentence without a full stop. */
export function verdictText({ action, reason }: Verdict): string {
  if (reason === null) return 'May send';
  return action === 'accept' ? (MONITORED[reason] ?? 'May send') : STOPPED[reason];
}
