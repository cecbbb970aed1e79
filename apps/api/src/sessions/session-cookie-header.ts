import { SESSION_COOKIE } from '@mailstead/adapters/crypto/session-cookie';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** The header that gives the browser the cookie of a session; without a value, the header that takes it away. */
export function sessionCookie(value: string | null): Record<string, string> {
  const cookie = value === null ? `${SESSION_COOKIE}=; Max-Age=0` : `${SESSION_COOKIE}=${value}`;
  return { 'Set-Cookie': `${cookie}; ${ATTRIBUTES}` };
}
