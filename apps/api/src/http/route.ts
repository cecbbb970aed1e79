import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '@mailstead/core/operators/actor';
import type { OperatorScope } from '@mailstead/core/operators/caller';
import type { KeptSubject } from '@mailstead/core/operators/idempotency-store';
import type { DtoClass } from './fields/field-notes.js';

/**
 * Callers that may use a route. `client`: API keys and master. `master`: master only. `any`: every valid token.
 * `public`: every caller, without a token. Operators may also use routes that list their scope, and with the scope
 * `read` every GET.
 */
type Access = 'public' | 'any' | 'client' | 'master';

export interface RouteRequest<Body, Query, Prepared> {
  actor: Actor;
  params: Record<string, string | undefined>;
  body: Body;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Returns a signal that aborts when the caller closes the connection. */
  closeSignal: () => AbortSignal;
  /** The return value of `prepare`. */
  prepared: Prepared;
}

interface RouteOptions<Body extends object, Query extends object, Prepared> {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  access: Access;
  scopes?: readonly Exclude<OperatorScope, 'read'>[];
  summary: string;
  body?: DtoClass<Body>;
  /** The request may have no body. A missing body counts as a body without fields. */
  bodyOptional?: boolean;
  bodyLimitBytes?: number;
  query?: DtoClass<Query>;
  /** The DTO class of the response, in brackets for a list; null for a response that is not JSON or has no body. */
  response: DtoClass | [DtoClass] | null;
  status?: 200 | 201 | 202 | 204;
  /** Set when the route accepts an `Idempotency-Key`: the table in which it creates a row. */
  idempotent?: KeptSubject['table'];
  /** The route hashes a password, so it may respond with 429. */
  hashes?: boolean;
  /** Expensive work before the transaction of an idempotent request, such as hashing a password. */
  prepare?: (request: Omit<RouteRequest<Body, Query, undefined>, 'prepared'>) => Promise<Prepared>;
  run: (request: RouteRequest<Body, Query, Prepared>) => unknown;
}

/** One route of a controller, with its defaults. */
export interface Route extends Omit<RouteOptions<object, object, unknown>, 'prepare' | 'run'> {
  status: 200 | 201 | 202 | 204;
  /** The handler gets the bytes of the body instead of parsed JSON. */
  raw: boolean;
  prepare: ((request: Omit<RouteRequest<object, object, undefined>, 'prepared'>) => Promise<unknown>) | undefined;
  run: (request: RouteRequest<object, object, unknown>) => unknown;
}

/** A class with routes. Each route declares its access, its DTO classes and its handler. */
export interface Controller {
  routes(): Route[];
}

/** Creates a route. The types of body and query come from their DTO classes. */
export function route<Body extends object = object, Query extends object = object, Prepared = undefined>(
  options: RouteOptions<Body, Query, Prepared>,
): Route {
  return { status: 200, ...options, raw: false } as Route;
}

/** Creates a route whose handler gets the bytes of the body. */
export function rawRoute(
  options: Omit<RouteOptions<object, object, undefined>, 'body' | 'run'> & {
    run: (request: RouteRequest<Buffer, object, undefined>) => unknown;
  },
): Route {
  return { status: 200, ...options, raw: true } as Route;
}
