import { STATUS_CODES } from 'node:http';
import { ERRORS, type ErrorCode } from '@mailstead/core/errors';
import type { Schema } from '../fields/field-notes.js';
import { parametersIn } from '../params.js';
import { statusOf } from '../problem.js';
import { takesIfMatch } from '../revision.js';
import type { Route } from '../route.js';
import { hasRate, headersOf, isDeprecated } from './headers.js';

/** Errors of requests that Node's parser refuses, before there is a route. */
export const OF_PARSER = ['malformed_request', 'request_timeout', 'headers_too_large', 'expectation_failed'] as const;

/** Errors of every route. */
const ANY_ROUTE: readonly ErrorCode[] = [
  ...OF_PARSER,
  'database_unavailable',
  'busy',
  'disk_full',
  'shutting_down',
  'internal_error',
];

/** Errors of requests with the cookie of a session. */
const WITH_SESSION: readonly ErrorCode[] = ['invalid_session', 'session_needs_tls', 'origin_not_allowed'];

const WITH_TOKEN: readonly ErrorCode[] = [
  'missing_token',
  'invalid_token',
  'api_key_inactive',
  'api_key_expired',
  'too_many_wrong_tokens',
  'rate_limited',
  'restore_not_accepted',
];

/** Errors of the routes that check their query and their body, also when they expect none. */
const OF_INPUT: readonly ErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'validation_failed',
];

interface DocumentedProblem {
  status: number;
  /** The name of the component. Equal problems of several routes have one name. */
  name: string;
  response: Schema;
}

/** Returns the error codes with which a route may respond. */
function errorCodesOf(route: Route): ErrorCode[] {
  const { access, anyInput, errors = [], idempotent, hashes, path, method } = route;
  const isForClients = access === 'client' || access === 'any' || access === 'key';
  const isChange = isForClients && method !== 'get' && route.whileSuspended !== true;
  return [
    ...new Set<ErrorCode>([
      ...(access === 'public' ? [] : [...WITH_TOKEN, ...WITH_SESSION]),
      ...(access === 'public' || method === 'get' ? [] : (['csrf_token_required'] as const)),
      ...(anyInput === true ? [] : OF_INPUT),
      ...(access === 'master' ? (['master_token_required'] as const) : []),
      ...(access === 'master' || access === 'client' ? (['scope_not_allowed'] as const) : []),
      ...(access === 'key' ? (['client_token_required', 'key_limited_to_domains'] as const) : []),
      ...(access === 'key' && route.readKeys !== true ? (['key_read_only'] as const) : []),
      ...(isForClients && route.dnsLink !== true ? (['link_not_allowed'] as const) : []),
      ...(isChange ? (['key_read_only', 'partner_suspended'] as const) : []),
      ...(route.wholePartner === true ? (['key_limited_to_domains'] as const) : []),
      ...parametersIn(path).map(({ error }) => error),
      ...(idempotent === undefined ? [] : (['idempotency_key_reused', 'idempotency_in_progress'] as const)),
      ...(takesIfMatch(route) ? (['changed_meanwhile'] as const) : []),
      ...(hashes === true ? (['hashing_busy', 'overloaded', 'request_cancelled'] as const) : []),
      ...errors,
      ...ANY_ROUTE,
    ]),
  ];
}

/** Returns the responses with problem details of a route, one for each status. */
export function problemsOf(route: Route): DocumentedProblem[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const status = statusOf(ERRORS[code].kind);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus]
    .sort(([left], [right]) => left - right)
    .map(([status, codes]) => ({
      status,
      // Routes without a rate have fewer headers, so their responses are other ones.
      name: [
        `Problem${status}`,
        ...(hasRate(route) ? [] : ['public']),
        ...(isDeprecated(route) ? ['deprecated'] : []),
        ...codes,
      ].join('.'),
      response: responseOf(route, status, codes),
    }));
}

function responseOf(route: Route, status: number, codes: ErrorCode[]): Schema {
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: headersOf(route, status),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
