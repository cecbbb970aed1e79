import type { MessageHeaders } from './message-headers.js';
import { SENDER_FIELDS, type SenderField } from './message-headers.js';
import { readAddresses } from './read-addresses.js';
import type { SenderCheck } from './sender-check.js';

export interface SenderVerdict {
  verdict: 'accepted' | 'refused' | 'deferred';
  /** The SMTP reply; null when the message is accepted. */
  reply: string | null;
  /** The error of the check; null without one. */
  cause: unknown;
}

/** The limit for all sender fields together. No real message reaches it; it limits the parser's work and the claims of one call. */
const MAX_SENDER_BYTES = 4_096;
const NAMES: Record<SenderField, string> = {
  from: 'From',
  sender: 'Sender',
  'resent-from': 'Resent-From',
  'resent-sender': 'Resent-Sender',
};

/**
 * Checks that the login may use every sender address in the headers. Refuses a header that mail programs could read in
 * two ways, because some of them would show a false sender.
 */
export async function checkSenders(login: string, headers: MessageHeaders, check: SenderCheck): Promise<SenderVerdict> {
  const claimed = claimedAddresses(headers);
  if ('problem' in claimed) return refused(claimed.problem);
  const claims = claimed.addresses.map((address) => ({ login, address }));
  try {
    const answers = await check.mayUse(claims);
    if (answers.length !== claims.length) throw new Error(`${answers.length} answers to ${claims.length} claims`);
    const foreign = claims.find((_, index) => answers[index] !== true);
    return foreign === undefined
      ? { verdict: 'accepted', reply: null, cause: null }
      : refused(`You may not send as <${foreign.address}>`);
  } catch (cause) {
    return { verdict: 'deferred', reply: '451 4.7.1 The sender cannot be checked now, try again later', cause };
  }
}

function claimedAddresses(headers: MessageHeaders): { addresses: string[] } | { problem: string } {
  if (headers.tooLarge) return { problem: 'The header of the message is too large' };
  const [from, sender] = [headers.values('from'), headers.values('sender')];
  if (from.length === 0) return { problem: 'The message has no From field' };
  if (from.length > 1) return { problem: 'The message has more than one From field' };
  if (sender.length > 1) return { problem: 'The message has more than one Sender field' };
  const bytes = SENDER_FIELDS.flatMap((field) => headers.values(field)).reduce((sum, { length }) => sum + length, 0);
  if (bytes > MAX_SENDER_BYTES) return { problem: 'The message claims too many senders' };
  const addresses = new Set<string>();
  for (const field of SENDER_FIELDS) {
    for (const value of headers.values(field)) {
      const read = readAddresses(value);
      if ('problem' in read) return { problem: `The ${NAMES[field]} field ${read.problem}` };
      if (field === 'sender' && read.addresses.length > 1)
        return { problem: 'The Sender field has more than one address' };
      for (const address of read.addresses) addresses.add(address);
    }
  }
  return { addresses: [...addresses] };
}

function refused(problem: string): SenderVerdict {
  return { verdict: 'refused', reply: `550 5.7.1 ${problem}`, cause: null };
}
