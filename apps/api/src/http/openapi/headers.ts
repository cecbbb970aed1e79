import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import { RouteDeprecations } from '../deprecation.js';
import type { Schema } from '../fields/field-notes.js';
import { fieldsOf } from '../fields/field-notes.js';
import { API_VERSION } from '../http.js';
import type { CountedQuery, PageQuery } from '../paging.js';
import { CONTENT_ENCODINGS } from '../read-body.js';
import { isRevised } from '../revision.js';
import type { Route } from '../route.js';

const text = (description: string, example: string, more: Schema = {}) => ({
  description,
  schema: { type: 'string', ...more },
  example,
});

export const TRAIL_BEHIND = 'Mailstead-Trail-Behind';
export const TRAIL_GAPS = 'Mailstead-Trail-Gaps';

/** The headers of responses. Headers of the connection and for the security of browsers are not listed. */
export const RESPONSE_HEADERS: Record<string, Schema> = {
  'X-Request-Id': text("The id of the request: the caller's, or a new one", '0f4f7a4e-3d0b-4d0c-9d8e-2f1c6c1b7a55'),
  'X-API-Version': text('The version of the API', API_VERSION),
  Link: text(
    'The next page, when there is one; with `Deprecation` also the page about it (`rel="deprecation"`)',
    '</domains/?limit=100&after=100>; rel="next"',
  ),
  'Total-Count': text(
    'With `total=true`: the number of rows of the whole list, whatever page. Rows are counted up to 20,000: `20000+` says that there are more. Another number with `+` is what several filters found among 20,000 rows',
    '283',
    { pattern: '^\\d{1,5}\\+?$' },
  ),
  Deprecation: text('Since when something in the request is deprecated (RFC 9745), Unix seconds', '@1796083200'),
  Sunset: text('From when on it may be gone (RFC 8594)', 'Wed, 01 Dec 2027 00:00:00 GMT'),
  RateLimit: text(
    'What is left of the rate, for each bucket (draft 10 of the IETF): `r` requests, full again in `t` seconds',
    '"partner";r=299;t=1',
  ),
  'RateLimit-Policy': text('The rate, for each bucket: `q` requests in a window of `w` seconds', '"partner";q=300;w=3'),
  'Set-Cookie': text(
    'The cookie of the session, or its removal',
    '__Host-mailstead=3q2-7wEi; Path=/; Secure; HttpOnly; SameSite=Strict',
  ),
  ETag: text('The `revision` of the body, in quotes, for `If-Match`', '"3"', { pattern: '^"\\d+"$' }),
  'Idempotent-Replayed': text('The response is the first one to this `Idempotency-Key`', 'true', { enum: ['true'] }),
  'WWW-Authenticate': text('How to send a token', 'Bearer'),
  'Accept-Encoding': text('The content encodings of bodies that the service reads', CONTENT_ENCODINGS),
  'Cache-Control': text('`no-store`, but for this document and the files of `/docs`', 'no-store'),
  [TRAIL_BEHIND]: text('A mail server is behind with its reports by so many seconds, more than 60', '75', {
    pattern: '^\\d+$',
  }),
  [TRAIL_GAPS]: text(
    'Rows from this moment on may be missing, because there was no room for them',
    '2026-03-15T12:00:00.000',
  ),
  'X-Accel-Buffering': text('Proxies pass on each part at once', 'no'),
  'Retry-After': {
    description: 'Seconds to wait before the next try',
    schema: { type: 'integer', minimum: 1 },
    example: RETRY_AFTER_S,
  },
};

/** Headers of every response. */
const ALWAYS = ['X-Request-Id', 'X-API-Version', 'Cache-Control'];
/** Headers of every response with the status. */
const OF_STATUS: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Returns the headers of a route's responses with the status. */
export function headersOf(route: Route, status: number): Schema {
  const isSuccess = status < 300;
  const names = [
    ...ALWAYS,
    ...(OF_STATUS[status] ?? []),
    ...(hasRate(route) ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(isSuccess && isEventStream(route) ? ['X-Accel-Buffering'] : []),
    ...(isDeprecated(route) ? ['Deprecation', 'Sunset'] : []),
    ...((isSuccess && isPaged(route)) || isDeprecated(route) ? ['Link'] : []),
    ...(isSuccess && isCounted(route) ? ['Total-Count'] : []),
    ...(isSuccess && route.mayBeIncomplete === true ? [TRAIL_BEHIND, TRAIL_GAPS] : []),
    ...(isSuccess && isRevised(route) ? ['ETag'] : []),
    ...(isSuccess && route.setsCookie === true ? ['Set-Cookie'] : []),
    ...(isSuccess && route.idempotent !== undefined ? ['Idempotent-Replayed'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Whether a client may call the route with its token, so that the response may have the headers of its rate. */
export function hasRate({ access, admit }: Route): boolean {
  return access !== 'public' || admit !== undefined;
}

/** Whether responses of the route may say that something in the request is deprecated. */
export function isDeprecated(route: Route): boolean {
  return new RouteDeprecations(route).any;
}

function isEventStream({ mediaTypes = [] }: Route): boolean {
  return mediaTypes.includes('text/event-stream');
}

function isCounted({ query }: Route): boolean {
  return query !== undefined && fieldsOf(query).has('total' satisfies keyof CountedQuery);
}

function isPaged({ query }: Route): boolean {
  return query !== undefined && fieldsOf(query).has('limit' satisfies keyof PageQuery);
}
