import { invalidField } from '@mailstead/core/errors';
import { comparedAddress } from '@mailstead/core/mailboxes/address';
import type { SenderClaim } from '@mailstead/core/outbound/check-senders';
import type { EveryFieldOf } from '../http/body-fields.js';
import type { SenderCheckItem } from './outbound-senders-dto.js';

export function toClaim({ login, address }: SenderCheckItem): SenderClaim {
  return { login: comparedAddress(login), address: comparedAddress(address) } satisfies EveryFieldOf<
    SenderCheckItem,
    SenderClaim
  >;
}

/**
 * Accepts any login name, also one without a mailbox.
 *
 * @returns null when the sender is left out or empty. Postfix sends an empty sender for a session without a login.
 */
export function senderOf(
  { sender: text = '', forwarded = false }: { sender?: string; forwarded?: boolean },
  path: string,
): string | null {
  const sender = comparedAddress(text);
  if (sender === '') return null;
  const problem = (message: string) => invalidField(`${path}sender`, message);
  if (!/^[\x21-\x7e]+$/.test(sender))
    throw problem('must be a login or an address like name@example.com, with printable ASCII only before the @');
  if (forwarded) throw problem('must be left out for forwarded mail, which has no login');
  return sender;
}
