import { AppError, type ErrorKind } from '@mailstead/core/errors';
import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import type { Authenticator } from '@mailstead/core/operators/authenticator';
import type { Request, RequestHandler, Response } from 'express';
import { authorize } from './authorize.js';
import { Exchange } from './exchange.js';
import type { Attempt, Idempotency } from './idempotency.js';
import type { ListTurns, PendingRequest } from './list-turns.js';
import { appErrorOf, problemOf, statusOf } from './problem.js';
import { type BodyReader, DEFAULT_BODY_LIMIT_BYTES, jsonReader, rawReader } from './read-body.js';
import { readRequest } from './read-request.js';
import { loggedPath, type RequestLog, secretsOf, withoutSecrets } from './request-log.js';
import type { Route, RouteRequest } from './route.js';
import { securityHeaders } from './security-headers.js';
import { writeJson, writeResponse } from './write-response.js';

export const API_VERSION = '5.0.0';

type Headers = Record<string, string | number>;
type AnyRequest = RouteRequest<object, object, unknown>;

const PROBLEM_HEADERS: Partial<Record<ErrorKind, Headers>> = {
  unauthenticated: { 'WWW-Authenticate': 'Bearer' },
  unavailable: { 'Retry-After': RETRY_AFTER_S },
  too_many: { 'Retry-After': RETRY_AFTER_S },
  // The service does not read the rest of a refused body, so the connection cannot be used again.
  too_large: { Connection: 'close' },
};

export interface HttpOptions {
  authenticator: Authenticator;
  idempotency: Idempotency;
  log: RequestLog;
  /** One for each process: it orders the chunks of all lists. */
  turns: ListTurns;
}

/** Serves routes: authenticates, authorizes, reads the body, validates and runs, in this order (`docs/api.md`). */
export class Http {
  private readonly headers = { ...securityHeaders(), 'X-API-Version': API_VERSION };

  constructor(private readonly options: HttpOptions) {}

  /** Returns the Express handler of a route. */
  handler(route: Route): RequestHandler {
    const readBody = bodyReader(route);
    return (request, response) => {
      void this.serve(route, readBody, new Exchange(request, response, route.path));
    };
  }

  /**
   * Responds with an error for a request that has no route.
   *
   * @param path the path pattern that matched when only the method is wrong; empty when no pattern matched.
   */
  refuse(request: Request, response: Response, error: unknown, path = '', headers: Headers = {}): void {
    const exchange = new Exchange(request, response, path);
    this.log(exchange, this.writeProblem(exchange, error, headers));
  }

  private async serve(route: Route, readBody: BodyReader | null, exchange: Exchange): Promise<void> {
    const pending = this.options.turns.begin();
    let errorCode: string | null = null;
    try {
      await this.admit(route, exchange);
      if (readBody !== null) exchange.body = await readBody(exchange.request, exchange.response);
      await this.respond(route, exchange, pending);
    } catch (error) {
      errorCode = this.writeProblem(exchange, error);
    }
    pending.end();
    this.log(exchange, errorCode);
  }

  /** @throws AppError missing_token, invalid_token, api_key_inactive, api_key_expired, and those of `authorize` */
  private async admit(route: Route, exchange: Exchange): Promise<void> {
    if (route.access === 'public') return;
    exchange.caller = await this.options.authenticator.authenticate(exchange.request.headers.authorization);
    authorize(exchange.caller, route);
  }

  private async respond(route: Route, exchange: Exchange, pending: PendingRequest): Promise<void> {
    const { request, response } = exchange;
    const headers = this.headersOf(exchange);
    const input = requestOf(route, exchange);
    const key = request.headers['idempotency-key'];
    const { idempotent: table } = route;
    const { replayed, result } =
      table === undefined || key === undefined
        ? { replayed: false, result: await run(route, input) }
        : await this.runOnce(route, input, { key: String(key), path: `${request.method} ${route.path}`, table });
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    await writeResponse({ response, status: route.status, headers, url: request.originalUrl, pending }, result);
  }

  /** @param kept identifies the attempt. An idempotency key is valid for one method and path. */
  private runOnce(route: Route, input: AnyRequest, kept: Pick<Attempt, 'key' | 'path' | 'table'>) {
    return this.options.idempotency.run(
      { ...kept, actor: input.actor, body: input.body, status: route.status },
      async () => route.prepare?.(input),
      async (prepared) => (await route.run({ ...input, prepared })) as object,
    );
  }

  /** @returns the error code of the response. */
  private writeProblem(exchange: Exchange, error: unknown, extra: Headers = {}): string {
    const { response, requestId } = exchange;
    const known = appErrorOf(error);
    const problem = known ?? new AppError('internal_error');
    if (problem.code === 'internal_error') this.options.log.defect(error, requestId, exchange.secrets());
    if (response.headersSent) {
      response.destroy();
      return problem.code;
    }
    const headers = {
      ...this.headersOf(exchange),
      'Content-Type': 'application/problem+json',
      ...extra,
      ...PROBLEM_HEADERS[problem.kind],
    };
    writeJson(response, statusOf(problem.kind), problemOf(problem, requestId), headers);
    return problem.code;
  }

  private headersOf({ requestId }: Exchange): Headers {
    return { ...this.headers, 'X-Request-Id': requestId };
  }

  private log(exchange: Exchange, errorCode: string | null): void {
    const { request, response, path, params, started, requestId, caller } = exchange;
    const secrets = secretsOf(request.headers.authorization, params, undefined);
    this.options.log.request({
      method: request.method,
      path: withoutSecrets(loggedPath(path, params), secrets),
      route: path,
      status: response.statusCode,
      durationMs: performance.now() - started,
      requestId,
      caller,
      errorCode,
    });
  }
}

/** Validates the query and the body; on public routes neither is checked. @throws AppError validation_failed */
function requestOf(route: Route, exchange: Exchange): AnyRequest {
  const { request, params, requestId, caller, body: raw } = exchange;
  const { query, body } = readRequest(route, request.originalUrl, raw);
  return {
    actor: { ...(caller ?? { kind: 'system', name: 'anonymous' }), requestId },
    params,
    headers: request.headers,
    query,
    body,
    closeSignal: () => exchange.closeSignal(),
    prepared: undefined,
  };
}

async function run(route: Route, input: AnyRequest): Promise<unknown> {
  if (route.prepare !== undefined) input.prepared = await route.prepare(input);
  return route.run(input);
}

function bodyReader(route: Route): BodyReader | null {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  if (route.raw) return rawReader(limit);
  return route.access === 'public' ? null : jsonReader(limit);
}
