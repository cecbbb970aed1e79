import type { IncomingHttpHeaders } from 'node:http';
import type { Actor } from '@mailstead/core/operators/actor';
import type { OperatorScope } from '@mailstead/core/operators/caller';
import type { KeptSubject } from '@mailstead/core/operators/idempotency-store';
import type { DtoClass } from './fields/field-notes.js';

/**
 * Who may use a route. `client`: API keys and master. `master`: master alone. Operators come in by the route's scopes,
 * and with `read` on every GET. `any`: every valid token. `public`: no token at all.
 */
type Access = 'public' | 'any' | 'client' | 'master';

export interface RouteRequest<Body, Query, Prepared> {
  actor: Actor;
  params: Record<string, string | undefined>;
  body: Body;
  query: Query;
  headers: IncomingHttpHeaders;
  /** A signal that is given when the caller closes the connection: nobody waits for the answer any more. */
  whileWaited: () => AbortSignal;
  /** What `prepare` answered. */
  prepared: Prepared;
}

interface RouteOptions<Body extends object, Query extends object, Prepared> {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  access: Access;
  scopes?: readonly Exclude<OperatorScope, 'read'>[];
  summary: string;
  body?: DtoClass<Body>;
  /** A request without a body is one where no field is given. */
  bodyOptional?: boolean;
  bodyLimitBytes?: number;
  query?: DtoClass<Query>;
  /** The class of the answer, in brackets for a list; none for an answer without a body. */
  response?: DtoClass | [DtoClass];
  status?: 200 | 201 | 202 | 204;
  /** Takes an `Idempotency-Key`; the table of what it makes. */
  idempotent?: KeptSubject['table'];
  /** Hashes a password, so that it may be refused for a time. */
  hashes?: boolean;
  /** Costly work before the transaction of an idempotent request, such as hashing a password. */
  prepare?: (request: Omit<RouteRequest<Body, Query, undefined>, 'prepared'>) => Promise<Prepared>;
  run: (request: RouteRequest<Body, Query, Prepared>) => unknown;
}

/** A row of a controller's table. */
export interface Route extends Omit<RouteOptions<object, object, unknown>, 'prepare' | 'run'> {
  status: 200 | 201 | 202 | 204;
  /** Takes the raw bytes of the body instead of JSON. */
  raw: boolean;
  prepare: ((request: Omit<RouteRequest<object, object, undefined>, 'prepared'>) => Promise<unknown>) | undefined;
  run: (request: RouteRequest<object, object, unknown>) => unknown;
}

/** A table of routes: each row says who may, what is read, what is called and how the answer is presented. */
export interface Controller {
  routes(): Route[];
}

/** Makes a row, with the types of body and query taken from their classes. */
export function route<Body extends object = object, Query extends object = object, Prepared = undefined>(
  options: RouteOptions<Body, Query, Prepared>,
): Route {
  return { status: 200, ...options, raw: false } as Route;
}

/** Makes a row whose handler gets the bytes of the body as they came. */
export function rawRoute(
  options: Omit<RouteOptions<object, object, undefined>, 'body' | 'run'> & {
    run: (request: RouteRequest<Buffer, object, undefined>) => unknown;
  },
): Route {
  return { status: 200, ...options, raw: true } as Route;
}
