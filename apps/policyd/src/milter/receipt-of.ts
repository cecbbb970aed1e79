import { isReadReceipt } from '@mailstead/core/outbound/read-receipt';
import type { MessageHeaders } from './message-headers.js';

const NO_SENDER = '550 5.7.1 A message without an envelope sender must be a read receipt (RFC 8098) with one recipient';

/**
 * Returns whether a message of a login is a read receipt: by its Content-Type field, of which it has one, and with one
 * recipient. Whoever may send without an envelope sender (RFC 8098 section 3) could send as anybody, so nothing but a
 * receipt passes without one: then the SMTP reply is returned.
 *
 * @param sender the envelope sender; empty for the null sender.
 * @param recipients the number of accepted recipients.
 */
export function receiptOf(
  sender: string,
  recipients: number,
  headers: MessageHeaders,
): { receipt: boolean } | { reply: string } {
  const types = headers.values('content-type');
  const isTyped = types.length === 1 && types.every((type) => isReadReceipt(type.toString('latin1')));
  const receipt = isTyped && recipients === 1;
  return sender === '' && !receipt ? { reply: NO_SENDER } : { receipt };
}
