import { randomUUID } from 'node:crypto';
import { AppError } from '@mailstead/core/errors';
import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import type { Actor } from '@mailstead/core/operators/actor';
import type { Authenticator } from '@mailstead/core/operators/authenticator';
import type { Caller } from '@mailstead/core/operators/caller';
import type { Request, RequestHandler, Response } from 'express';
import { authorize } from './authorize.js';
import type { Idempotency } from './idempotency.js';
import type { ListTurns, Visit } from './list-turns.js';
import { appErrorOf, problemOf, statusOf } from './problem.js';
import { type BodyReader, DEFAULT_BODY_LIMIT_BYTES, jsonReader, rawReader } from './read-body.js';
import { readRequest } from './read-request.js';
import { loggedPath, type RequestLog, secretsOf, withoutSecrets } from './request-log.js';
import type { Route, RouteRequest } from './route.js';
import { securityHeaders } from './security-headers.js';
import { writeAnswer, writeJson } from './write-answer.js';

export const API_VERSION = '5.0.0';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const SHORTEST_TOKEN = 16;

export interface HttpOptions {
  authenticator: Authenticator;
  idempotency: Idempotency;
  log: RequestLog;
  /** The turns that the lists of this process take. */
  turns: ListTurns;
}

/** Serves routes: who is calling, may they, what do they ask, what is the answer. In this order (`docs/api.md`). */
export class Http {
  private readonly headers = { ...securityHeaders(), 'X-API-Version': API_VERSION };

  constructor(private readonly options: HttpOptions) {}

  /** The one Express handler of a route. */
  handler(route: Route): RequestHandler {
    const readBody = bodyReader(route);
    return (request, response) => {
      void this.serve(route, readBody, request, response);
    };
  }

  /**
   * Answers an error that happened before a route was found, or that none was.
   *
   * @param path of the routes that know the path, not the method; empty when none does.
   */
  refuse(request: Request, response: Response, error: unknown, path = '', headers: Record<string, string> = {}): void {
    const started = performance.now();
    const requestId = requestIdOf(request);
    const code = this.writeProblem(request, response, error, requestId, headers);
    this.logged(request, response, path, requestId, null, started, code);
  }

  private async serve(route: Route, readBody: BodyReader | null, request: Request, response: Response): Promise<void> {
    const started = performance.now();
    const requestId = requestIdOf(request);
    const visit = this.options.turns.arrive();
    let caller: Caller | null = null;
    let code: string | null = null;
    let raw: unknown;
    try {
      if (route.access !== 'public') {
        caller = await this.options.authenticator.authenticate(request.headers.authorization);
        authorize(caller, route);
      }
      raw = readBody === null ? undefined : await readBody(request, response);
      await this.answer(route, raw, request, response, caller, requestId, visit);
    } catch (error) {
      code = this.writeProblem(request, response, error, requestId, {}, raw);
    }
    visit.leave();
    this.logged(request, response, route.path, requestId, caller, started, code);
  }

  private async answer(
    route: Route,
    raw: unknown,
    request: Request,
    response: Response,
    caller: Caller | null,
    requestId: string,
    visit: Visit,
  ): Promise<void> {
    const actor: Actor = { ...(caller ?? { kind: 'system', name: 'anonymous' }), requestId };
    const asked = {
      actor,
      params: request.params as Record<string, string | undefined>,
      headers: request.headers,
      ...readRequest(route, request.originalUrl, raw),
      whileWaited: whileOpen(response),
    };
    const headers: Record<string, string | number> = { ...this.headers, 'X-Request-Id': requestId };
    const answer = await this.run(route, asked, request, headers);
    await writeAnswer(response, route.status, answer, headers, request.originalUrl, visit);
  }

  private async run(
    route: Route,
    asked: Omit<RouteRequest<object, object, undefined>, 'prepared'>,
    request: Request,
    headers: Record<string, string | number>,
  ): Promise<unknown> {
    const key = route.idempotent === undefined ? undefined : request.headers['idempotency-key'];
    if (route.idempotent === undefined || key === undefined) {
      const prepared = route.prepare === undefined ? undefined : await route.prepare(asked);
      return route.run({ ...asked, prepared });
    }
    const prepare = async () => route.prepare?.(asked);
    const attempt = {
      actor: asked.actor,
      key: String(key),
      path: `${request.method} ${route.path}`,
      body: asked.body,
      table: route.idempotent,
      status: route.status,
    };
    const { replayed, answer } = await this.options.idempotency.run(attempt, prepare, async (prepared) => {
      return (await route.run({ ...asked, prepared })) as object;
    });
    if (replayed) headers['Idempotent-Replayed'] = 'true';
    return answer;
  }

  /** @returns the code that was answered. */
  private writeProblem(
    request: Request,
    response: Response,
    error: unknown,
    requestId: string,
    extra: Record<string, string>,
    body?: unknown,
  ): string {
    const known = appErrorOf(error);
    const problem = known ?? new AppError('internal_error');
    if (known === null || known.code === 'internal_error') {
      this.options.log.defect(error, requestId, secretsOf(request.headers.authorization, request.params, body));
    }
    if (response.headersSent) {
      response.destroy();
      return problem.code;
    }
    const headers: Record<string, string | number> = {
      ...this.headers,
      'X-Request-Id': requestId,
      'Content-Type': 'application/problem+json',
      ...extra,
    };
    if (problem.kind === 'unauthenticated') headers['WWW-Authenticate'] = 'Bearer';
    if (problem.kind === 'unavailable' || problem.kind === 'too_many') headers['Retry-After'] = RETRY_AFTER_S;
    // The rest of a body that was refused is not read.
    if (problem.kind === 'too_large') headers.Connection = 'close';
    writeJson(response, statusOf(problem.kind), problemOf(problem, requestId), headers);
    return problem.code;
  }

  private logged(
    request: Request,
    response: Response,
    route: string,
    requestId: string,
    caller: Caller | null,
    started: number,
    errorCode: string | null,
  ): void {
    this.options.log.request({
      method: request.method,
      path: withoutSecrets(
        loggedPath(route, request.params),
        secretsOf(request.headers.authorization, request.params, undefined),
      ),
      route,
      status: response.statusCode,
      durationMs: performance.now() - started,
      requestId,
      caller,
      errorCode,
    });
  }
}

function bodyReader(route: Route): BodyReader | null {
  const limit = route.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  if (route.raw) return rawReader(limit);
  return route.access === 'public' ? null : jsonReader(limit);
}

/** Made when it is asked for: few requests do, and each would cost a listener. */
function whileOpen(response: Response): () => AbortSignal {
  return () => {
    const controller = new AbortController();
    if (response.closed) controller.abort();
    else response.once('close', () => controller.abort());
    return controller.signal;
  };
}

/** The caller's own id, unless it stands in the credentials or in the path: then it may be a token, and it would be logged. */
function requestIdOf({ headers, originalUrl }: Request): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SANE_REQUEST_ID.test(given)) return randomUUID();
  const isCarried = [headers.authorization ?? '', originalUrl].some((text) => text.includes(given));
  return given.length >= SHORTEST_TOKEN && isCarried ? randomUUID() : given;
}
