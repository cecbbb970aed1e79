import { AppError } from '@mailstead/core/errors';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i;
const SCHEME = /^Bearer\b/i;
const WITH_TEXT = /^Bearer +[^ ]/i;

/** @returns the token of an Authorization header; null without one, and when it is malformed */
export function bearerTokenOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null;
}

/** Whether the header has a bearer token, also a malformed one. A proxy may use the header for passwords of its own. */
export function hasBearer(header: string | undefined): boolean {
  return SCHEME.test(header ?? '');
}

/** The error of a request without a token, or with a text that cannot be one: a letter outside ASCII, for example. */
export function noTokenIn(header: string | undefined): AppError {
  return new AppError(WITH_TEXT.test(header ?? '') ? 'invalid_token' : 'missing_token');
}
