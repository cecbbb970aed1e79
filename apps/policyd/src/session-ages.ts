import { ApiProblem } from '@mailstead/client/api-problem';
import { MAX_SESSION_AGE_MS } from '@mailstead/core/outbound/open-session';

interface Item {
  /** When the session began, by `performance.now()`. */
  sessionBegan?: number | undefined;
}
type Sent<I extends Item> = Omit<I, 'sessionBegan'> & { session_age_ms?: number };

/**
 * Sends items with the ages of their sessions at this moment, in place of their beginnings, which only this process
 * understands. An API of the former release refuses the ages: it gets the items again, without them. @until 5.3
 */
export async function sendWithAges<I extends Item, Answer>(
  items: readonly I[],
  send: (items: Sent<I>[]) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(items.map(withAge));
  } catch (error) {
    if (!isUnknownAge(error)) throw error;
    return send(items.map((item) => withAge({ ...item, sessionBegan: undefined })));
  }
}

function withAge<I extends Item>({ sessionBegan, ...item }: I): Sent<I> {
  if (sessionBegan === undefined) return item;
  const age = Math.ceil(performance.now() - sessionBegan);
  return { ...item, session_age_ms: Math.min(Math.max(age, 0), MAX_SESSION_AGE_MS) };
}

function isUnknownAge(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.status !== 422) return false;
  return error.errors.some(
    ({ field, message }) => field.endsWith('].session_age_ms') && message.includes('known field'),
  );
}
