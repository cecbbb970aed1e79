import { invalidField } from '@mailstead/core/errors';
import { OpenSession } from '@mailstead/core/outbound/open-session';

/**
 * The session of an item by its age, counted from now on.
 *
 * @throws AppError validation_failed for an age without a sender
 */
export function sessionOf(
  { session_age_ms: ageMs }: { session_age_ms?: number },
  sender: string | null,
  path: string,
): OpenSession | null {
  if (ageMs === undefined) return null;
  if (sender === null) throw invalidField(`${path}session_age_ms`, 'must be left out without sender');
  return new OpenSession(ageMs);
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
  const sender = text.trim().toLowerCase();
  if (sender === '') return null;
  const problem = (message: string) => invalidField(`${path}sender`, message);
  if (!/^[\x21-\x7e]+$/.test(sender)) throw problem('must have printable ASCII characters only');
  if (forwarded) throw problem('must be left out for forwarded mail, which has no login');
  return sender;
}
