import type { MessageHeaders } from './message-headers.js';
import { SENDER_FIELDS, type SenderField } from './message-headers.js';
import { readAddresses } from './read-addresses.js';

/** The limit for all sender fields together. No real message reaches it; it limits the parser's work. */
const MAX_SENDER_BYTES = 4_096;
/** The API's limit for one message. */
const MAX_CLAIMS = 1_000;
const NAMES: Record<SenderField, string> = {
  from: 'From',
  sender: 'Sender',
  'resent-from': 'Resent-From',
  'resent-sender': 'Resent-Sender',
};

/**
 * Returns the sender addresses in the headers, in lower case, which the login must be allowed to use; or the SMTP reply
 * to a header that mail programs could read in two ways, because some of them would show a false sender.
 */
export function claimedAddresses(headers: MessageHeaders): { claims: string[] } | { reply: string } {
  if (headers.tooLarge) return refused('The header of the message is too large');
  if (headers.hasLongName) return refused('The header has a field whose name is too long');
  const [from, sender] = [headers.values('from'), headers.values('sender')];
  if (from.length === 0) return refused('The message has no From field');
  if (from.length > 1) return refused('The message has more than one From field');
  if (sender.length > 1) return refused('The message has more than one Sender field');
  const bytes = SENDER_FIELDS.flatMap((field) => headers.values(field)).reduce((sum, { length }) => sum + length, 0);
  if (bytes > MAX_SENDER_BYTES) return refused('The message claims too many senders');
  const addresses = new Set<string>();
  for (const field of SENDER_FIELDS) {
    for (const value of headers.values(field)) {
      const read = readAddresses(value);
      if ('problem' in read) return refused(`The ${NAMES[field]} field ${read.problem}`);
      if (field === 'sender' && read.addresses.length > 1) return refused('The Sender field has more than one address');
      for (const address of read.addresses) addresses.add(address);
    }
  }
  return addresses.size > MAX_CLAIMS ? refused('The message claims too many senders') : { claims: [...addresses] };
}

function refused(problem: string): { reply: string } {
  return { reply: `550 5.7.1 ${problem}` };
}
