import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Reader } from '@mailstead/adapters/database/driver/reader';
import { AppError, type ErrorCode, type ErrorKind } from '@mailstead/core/errors';
import { RETRY_AFTER_S, type ShutdownCheck } from '@mailstead/core/health-check';
import type { Caller } from '@mailstead/core/operators/caller';
import type { RequestOwner } from '@mailstead/core/partners/partner-scope';
import { requestOwnerOf } from '@mailstead/core/sessions/session-owner';
import { traced } from '@mailstead/core/trace';
import type { Admission } from './admission.js';
import { RouteDeprecations } from './deprecation.js';
import { type AnyRequest, callersId, callersTraceId, Exchange } from './exchange.js';
import type { Attempt, Idempotency } from './idempotency.js';
import type { ListTurns, PendingRequest } from './list-turns.js';
import { appErrorOf, problemOf, statusOf } from './problem.js';
import { problemText } from './problem-text.js';
import { type BodyReader, CONTENT_ENCODINGS, DEFAULT_BODY_LIMIT_BYTES, jsonReader, rawReader } from './read-body.js';
import { readRequest } from './read-request.js';
import { loggedPath, type RequestIds, type RequestLog, secretsOf, withoutSecrets } from './request-log.js';
import { etagOf, expectedRevisions, isRevised, takesIfMatch } from './revision.js';
import type { Route, RouteRequest } from './route.js';
import { securityHeaders } from './security-headers.js';
import type { StrangerTurns } from './stranger-turns.js';
import { writeJson, writeResponse } from './write-response.js';

export const API_VERSION = '5.0.0';

export type Handler = (request: AnyRequest, response: ServerResponse) => void;

type Headers = Record<string, string | number>;
type AnyInput = RouteRequest<object, object, unknown>;

const PROBLEM_HEADERS: Partial<Record<ErrorKind, Headers>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  unavailable: { 'Retry-After': RETRY_AFTER_S },
  too_many: { 'Retry-After': RETRY_AFTER_S },
};

const PROBLEM_HEADERS_OF_CODE: Partial<Record<ErrorCode, Headers>> = {
  busy: { 'Retry-After': 1 },
  unsupported_content_encoding: { 'Accept-Encoding': CONTENT_ENCODINGS },
};

export interface HttpOptions {
  admission: Admission;
  idempotency: Idempotency;
  log: RequestLog;
  shutdown: ShutdownCheck;
  /** Runs the work of a request that only reads, for its caller. */
  readFor: <T>(reader: Reader, work: () => Promise<T>) => Promise<T>;
  /** Runs the work of a request, whose changes take turns with those of other partners. */
  changesOf: <T>(owner: RequestOwner | null, work: () => T) => T;
  /** One for each process: it orders the chunks of all lists. */
  turns: ListTurns;
  /** One for each process: it orders the requests without a key. */
  strangers: StrangerTurns;
}

/**
 * Serves routes: checks token, rate and kind of token, reads the body, validates and runs, in this order
 * (`docs/api.md`).
 */
export class Http {
  /** Without `no-store`, a browser shows answers after the logout, and a cache between mixes those of two cookies. */
  private readonly headers = { ...securityHeaders(), 'X-API-Version': API_VERSION, 'Cache-Control': 'no-store' };

  constructor(private readonly options: HttpOptions) {}

  /** Returns the handler of a route, for Express and for requests that it has not seen. */
  handler(route: Route): Handler {
    const readBody = bodyReader(route);
    const deprecations = new RouteDeprecations(route);
    return (request, response) => {
      const exchange = new Exchange(request, response, route.path);
      void traced(callersTraceId(request), () =>
        this.serve(route, readBody, deprecations.any ? deprecations : null, exchange),
      );
    };
  }

  /**
   * Responds with an error for a request that has no route.
   *
   * @param path the path pattern that matched when only the method is wrong; empty when no pattern matched.
   */
  refuse(request: IncomingMessage, response: ServerResponse, error: unknown, path = '', headers: Headers = {}): void {
    const exchange = new Exchange(request, response, path);
    traced(callersTraceId(request), () => this.log(exchange, this.writeProblem(exchange, error, headers)));
  }

  /**
   * Responds with an error and closes the connection, for a request without a response object: one that Node's parser
   * refused, or a CONNECT.
   *
   * @param request undefined when the parser did not reach the end of its headers.
   */
  refuseSocket(socket: Duplex, error: AppError, request?: IncomingMessage, headers: Headers = {}): void {
    const requestUid = randomUUID();
    const ids = { requestUid, requestId: (request === undefined ? null : callersId(request)) ?? requestUid };
    const problem = problemOf(error, ids.requestId);
    const all = { ...this.headersOf(ids), ...headersOfProblem(error), ...headers, Connection: 'close' };
    // A client that does not read its earlier responses gets none.
    if (socket.writableLength === 0)
      socket.end(problemText(statusOf(error.kind), all, problem), () => socket.destroy());
    else socket.destroy();
    const line = {
      ...ids,
      method: request?.method ?? '(none)',
      path: loggedPath('', {}),
      route: '',
      status: statusOf(error.kind),
      durationMs: 0,
      caller: null,
      added: {},
      errorCode: error.code,
    };
    traced(request === undefined ? null : callersTraceId(request), () => this.options.log.request(line));
  }

  private async serve(
    route: Route,
    readBody: BodyReader | null,
    deprecations: RouteDeprecations | null,
    exchange: Exchange,
  ): Promise<void> {
    const pending = this.options.turns.begin();
    let errorCode: string | null = null;
    const noteDeprecated = () => {
      if (deprecations !== null) exchange.deprecationHeaders = deprecations.headersFor(exchange.url, exchange.body);
    };
    noteDeprecated();
    try {
      await this.options.admission.admit(route, exchange);
      if (readBody !== null) exchange.body = await readBody(exchange.request);
      noteDeprecated();
      const owner = exchange.caller === null ? null : requestOwnerOf(exchange.caller);
      await this.options.strangers.run(route, exchange, () =>
        this.options.changesOf(owner, () =>
          route.method === 'get' ? this.read(route, exchange, pending) : this.respond(route, exchange, pending),
        ),
      );
    } catch (error) {
      errorCode = this.writeProblem(exchange, error);
    }
    pending.end();
    this.log(exchange, errorCode);
  }

  /** A read whose caller has gone is not begun, or ends before its next statement. */
  private read(route: Route, exchange: Exchange, pending: PendingRequest): Promise<void> {
    const { caller, response } = exchange;
    const partnerId = caller?.kind === 'client' ? caller.partnerId : null;
    pending.setPartner(partnerId);
    const reader = { partnerId, isGone: () => response.destroyed };
    return this.options.readFor(reader, () => this.respond(route, exchange, pending));
  }

  private async respond(route: Route, exchange: Exchange, pending: PendingRequest): Promise<void> {
    const { request, response } = exchange;
    const input = requestOf(route, exchange, {
      identify: () => this.options.admission.identify(route, exchange),
      charge: (charged) => this.options.admission.chargeRequest(exchange, charged),
      reportDefect: (error) => this.options.log.defect(error, exchange, exchange.secrets()),
    });
    this.options.admission.chargeItems(route, exchange, input.body);
    const key = request.headers['idempotency-key'];
    const { idempotent: table } = route;
    const { replayed, result } =
      table === undefined || key === undefined
        ? { replayed: false, result: await run(route, input) }
        : await this.runOnce(route, input, { key: String(key), path: attemptedPath(route, exchange), table });
    // Only now, because the process may have begun to stop while the request ran.
    const headers = Object.assign(this.headersOf(exchange), exchange.rateHeaders, exchange.deprecationHeaders);
    if (route.cacheControl !== undefined) headers['Cache-Control'] = route.cacheControl;
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    if (isRevised(route)) headers.ETag = etagOf(result);
    await writeResponse({ response, status: route.status, headers, url: exchange.url, pending }, result);
  }

  /** @param kept identifies the attempt. An idempotency key is valid for one method and path. */
  private runOnce(route: Route, input: AnyInput, kept: Pick<Attempt, 'key' | 'path' | 'table'>) {
    return this.options.idempotency.run(
      { ...kept, actor: input.actor, body: input.body, status: route.status },
      async () => route.prepare?.(input),
      async (prepared) => (await route.run({ ...input, prepared })) as object,
    );
  }

  /** @returns the error code of the response. */
  private writeProblem(exchange: Exchange, error: unknown, extra: Headers = {}): string {
    const { response } = exchange;
    const known = appErrorOf(error);
    const problem = known ?? new AppError('internal_error');
    if (problem.code === 'internal_error') this.options.log.defect(error, exchange, exchange.secrets());
    if (response.headersSent) {
      response.destroy();
      return problem.code;
    }
    const { rateHeaders, deprecationHeaders } = exchange;
    const own = { ...this.headersOf(exchange), ...rateHeaders, ...deprecationHeaders };
    const headers = { ...own, ...extra, ...headersOfProblem(problem) };
    writeJson(response, statusOf(problem.kind), problemOf(problem, exchange.requestId), headers);
    return problem.code;
  }

  private headersOf({ requestId }: RequestIds): Headers {
    const headers: Headers = { ...this.headers, 'X-Request-Id': requestId };
    if (this.options.shutdown.isStopping) headers.Connection = 'close';
    return headers;
  }

  private log(exchange: Exchange, errorCode: string | null): void {
    const { request, response, path, params, started, requestId, requestUid, caller } = exchange;
    const secrets = secretsOf(request.headers, params, undefined);
    this.options.log.request({
      requestId,
      requestUid,
      method: request.method ?? '',
      path: withoutSecrets(loggedPath(path, params), secrets),
      route: path,
      status: response.statusCode,
      durationMs: performance.now() - started,
      caller,
      errorCode,
      added: exchange.logFields,
    });
  }
}

/** Validates the query and the body. @throws AppError validation_failed */
function requestOf(
  route: Route,
  exchange: Exchange,
  { identify, ...functions }: { identify: () => Promise<Caller> } & Pick<AnyInput, 'charge' | 'reportDefect'>,
): AnyInput {
  const { request, params, requestId, requestUid, caller, sender, body: raw } = exchange;
  const { query, body } = readRequest(route, exchange.url, raw);
  const expected = takesIfMatch(route) ? expectedRevisions(request.headers['if-match']) : undefined;
  return {
    actor: {
      ...(caller ?? { kind: 'system', name: 'anonymous' }),
      requestId,
      requestUid,
      ...(expected === undefined ? {} : { expected }),
    },
    params,
    headers: request.headers,
    sender,
    query,
    body,
    identify: async () => ({ ...(await identify()), requestId, requestUid }),
    closeSignal: () => exchange.closeSignal(),
    addToLog: (fields) => void Object.assign(exchange.logFields, fields),
    ...functions,
    prepared: undefined,
  };
}

function headersOfProblem({ kind, code, retryAfterS }: AppError): Headers {
  return {
    'Content-Type': 'application/problem+json',
    ...PROBLEM_HEADERS[kind],
    ...PROBLEM_HEADERS_OF_CODE[code],
    ...(retryAfterS === undefined ? {} : { 'Retry-After': retryAfterS }),
  };
}

/** The method and the path of a request; it is compared, not stored, so it may contain a token. */
function attemptedPath({ path }: Route, { request, params }: Exchange): string {
  const given = Object.values(params);
  return `${request.method} ${path}${given.length === 0 ? '' : ` ${JSON.stringify(given)}`}`;
}

async function run(route: Route, input: AnyInput): Promise<unknown> {
  if (route.prepare !== undefined) input.prepared = await route.prepare(input);
  return route.run(input);
}

function bodyReader(route: Route): BodyReader | null {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  if (route.raw) return rawReader(limit);
  return route.anyInput === true ? null : jsonReader(limit);
}
