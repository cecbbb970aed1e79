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
