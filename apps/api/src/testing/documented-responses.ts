import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { ERRORS, reasonOf } from '@mailstead/core/errors';
import { OF_PARSER } from '../http/openapi/problems.js';
import { statusOf } from '../http/problem.js';
import type { Route } from '../http/route.js';
import { securityHeaders } from '../http/security-headers.js';
import { ApiDocument } from './api-document.js';

/** Headers of the connection and of browsers' security. The document does not list them. */
const UNLISTED = new Set([
  'connection',
  'keep-alive',
  'content-length',
  'content-type',
  'transfer-encoding',
  'date',
  ...Object.keys(securityHeaders()).map((name) => name.toLowerCase()),
]);
const PROBLEM = { $ref: '#/components/schemas/Problem' };
/** Responses with any path: the router sends them before a route is known. */
const ROUTER_CODES = ['route_not_found', 'method_not_allowed'] as const;
/** Headers that may be absent. The other documented headers are in every response. */
const OPTIONAL_HEADERS = [
  'link',
  'total-count',
  'mailstead-trail-behind',
  'mailstead-trail-gaps',
  'deprecation',
  'sunset',
  'idempotent-replayed',
  'ratelimit',
  'ratelimit-policy',
  'accept-encoding',
  'set-cookie',
];
/** The portal's files and the way to them, which are no part of the API. */
const PAGES = /^\/(portal(\/.*)?)?(\?.*)?$/;
/** The paths whose success may be stored: the same for every caller. */
const STORED = /^\/(docs(\/.*)?|openapi\.json)(\?.*)?$/;
/** A longer body is checked at the end of the suite, so that a test of fairness does not wait for the check. */
const CHECKED_AT_ONCE_BYTES = 65_536;
const MOST_WAITING = 20;
const LISTED_FAULTS = 20;

/** One response that a server sent. */
export interface SentResponse {
  method: string;
  url: string;
  status: number;
  headers: Record<string, string | undefined>;
  body: string;
}

/** Compares every response of a server with the OpenAPI document of its routes. */
export class DocumentedResponses {
  private readonly faults = new Set<string>();
  private readonly waiting: SentResponse[] = [];
  private known: ApiDocument | undefined;

  constructor(private readonly routes: Route[]) {}

  get document(): ApiDocument {
    this.known ??= ApiDocument.of(this.routes);
    return this.known;
  }

  /** Reads along what the server responds. */
  watch(server: Server): void {
    server.prependListener('request', (request, response) => {
      const recorded = recordResponse(request, response);
      response.once('finish', () => {
        const sent = recorded();
        if (sent.body.length <= CHECKED_AT_ONCE_BYTES) this.check(sent);
        else if (this.waiting.length < MOST_WAITING) this.waiting.push(sent);
      });
    });
  }

  /** @throws Error that lists the responses that are not as documented. */
  end(): void {
    for (const sent of this.waiting.splice(0)) this.check(sent);
    if (this.faults.size === 0) return;
    const faults = [...this.faults].sort();
    throw new Error(
      [
        `${faults.length} kinds of responses are not as the OpenAPI document says (error codes: \`errors\` of the route):`,
        ...faults.slice(0, LISTED_FAULTS),
      ].join('\n'),
    );
  }

  private check(sent: SentResponse): void {
    try {
      const fault = faultOf(this.document, sent);
      if (fault !== null) this.faults.add(fault);
    } catch (error) {
      // An error in a listener would end the whole run.
      this.faults.add(`${sent.method} ${sent.url}: ${reasonOf(error)}`);
    }
  }
}

/** @returns what of a response is not as documented; null when it is. */
export function faultOf(document: ApiDocument, sent: SentResponse): string | null {
  const { method, url, status, headers, body } = sent;
  if (PAGES.test(url)) return null;
  const cached = headers['cache-control'];
  if (cached !== 'no-store' && !(STORED.test(url) && status === 200))
    return `${method} ${url} ${status}: Cache-Control is ${cached}`;
  const found = document.find(method, url);
  const name = `${method} ${found?.template ?? '(unknown path)'} ${status}`;
  const operation = found?.operation ?? null;
  const code = codeOf(sent);
  if (operation === null || ROUTER_CODES.some((each) => each === code))
    return routerFaultOf(document, sent, code, name);
  const response = document.response(operation, status);
  if (response === undefined) return `${name}${code === null ? '' : ` ${code}`}: the status is not documented`;
  const headerFault = headerFaultOf(Object.keys(response.headers ?? {}), headers);
  if (headerFault !== null) return `${name}: ${headerFault}`;
  if (method === 'HEAD') return null;
  if (response.content === undefined) return body === '' ? null : `${name}: a body is not documented`;
  const type = headers['content-type']?.split(';', 1)[0] ?? 'no content type';
  const media = response.content[type];
  if (media === undefined) return `${name}: ${type} is not documented`;
  if (code !== null && media.examples !== undefined && !Object.hasOwn(media.examples, code)) {
    return `${name}: the code ${code} is not documented`;
  }
  const mismatch = document.mismatch(media.schema, type.endsWith('json') ? JSON.parse(body) : body);
  return mismatch === null ? null : `${name}: ${mismatch}`;
}

/** Faults of a response to an unknown path or method. */
function routerFaultOf(
  document: ApiDocument,
  { status, headers, body, method }: SentResponse,
  code: string | null,
  name: string,
): string | null {
  const possible = [...ROUTER_CODES, ...OF_PARSER].map((each) => ({
    code: each,
    status: statusOf(ERRORS[each].kind),
  }));
  if (method === 'HEAD' && possible.some((each) => each.status === status)) return null;
  if (!possible.some((each) => each.code === code && each.status === status))
    return `${name} ${code}: expected 404, 405 or a refusal of the parser`;
  if (status === 405 && headers.allow === undefined) return `${name}: no Allow`;
  const mismatch = document.mismatch(PROBLEM, JSON.parse(body));
  return mismatch === null ? null : `${name}: ${mismatch}`;
}

function headerFaultOf(documented: string[], headers: Record<string, string | undefined>): string | null {
  const known = documented.map((header) => header.toLowerCase());
  const unknown = Object.keys(headers).find((header) => !known.includes(header) && !UNLISTED.has(header));
  if (unknown !== undefined) return `the header ${unknown} is not documented`;
  const missing = known.find((header) => headers[header] === undefined && !OPTIONAL_HEADERS.includes(header));
  return missing === undefined ? null : `the header ${missing} is missing`;
}

function codeOf({ headers, body }: SentResponse): string | null {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('application/problem+json') || body === '') return null;
  return (JSON.parse(body) as { code?: string }).code ?? null;
}

/** Reads along what is written to the response. @returns a function that returns what was sent. */
function recordResponse(
  request: IncomingMessage & { originalUrl?: string },
  response: ServerResponse,
): () => SentResponse {
  const chunks: Buffer[] = [];
  const headers: Record<string, string> = {};
  const note = (given: OutgoingHttpHeaders) => {
    for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = String(value);
  };
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  };
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  Object.assign(response, {
    writeHead: (...given: unknown[]) => {
      const last = given.at(-1);
      if (typeof last === 'object' && last !== null) note(last as OutgoingHttpHeaders);
      return writeHead(...given);
    },
    write: (...given: unknown[]) => {
      keep(given[0]);
      return write(...given);
    },
    end: (...given: unknown[]) => {
      keep(given[0]);
      return end(...given);
    },
  });
  return () => {
    note(response.getHeaders());
    // The application has replaced a target in absolute form by its path.
    const { method = 'GET', originalUrl, url = '' } = request;
    return {
      method,
      url: originalUrl ?? url,
      status: response.statusCode,
      headers,
      body: Buffer.concat(chunks).toString(),
    };
  };
}
