import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '@mailstead/core/errors';
import type { Actor } from '@mailstead/core/operators/actor';
import type { Caller, OperatorScope } from '@mailstead/core/operators/caller';
import type { KeptSubject } from '@mailstead/core/operators/idempotency-store';
import type { Entrance } from './admission.js';
import type { Deprecation } from './deprecation.js';
import type { DtoClass } from './fields/field-notes.js';
import type { Params } from './params.js';
import type { LogFields } from './request-log.js';

/**
 * Callers that may use a route. `client`: API keys and master. `master`: master only. `any`: every valid token. `key`:
 * API keys with the scope `manage` that are not limited to some domains; no operators, master included. `public`: every
 * caller, without a token. Operators may also use routes that list their scope, and with the scope `read` every GET.
 */
type Access = 'public' | 'any' | 'client' | 'master' | 'key';

export interface RouteRequest<Body, Query, Prepared, Path extends string = string> {
  actor: Actor;
  params: Params<Path>;
  body: Body;
  query: Query;
  headers: IncomingHttpHeaders;
  /** Where the request comes from. */
  sender: Sender;
  /** Returns a signal that aborts when the caller closes the connection. */
  closeSignal: () => AbortSignal;
  /**
   * Identifies the caller again, for a response that stays open. It is not charged. @throws AppError like the request
   * itself
   */
  identify: () => Promise<Actor>;
  /** Charges a caller whom the route identified by something in the body. @throws AppError rate_limited */
  charge: (caller: Caller) => void;
  /** Adds fields to the log line of this request. */
  addToLog: (fields: LogFields) => void;
  /** Logs an error that is a defect of the service, of an item whose failure does not fail the request. */
  reportDefect: (error: unknown) => void;
  /** The return value of `prepare`. */
  prepared: Prepared;
}

export interface Sender {
  /** Returns the IP address, an IPv6 address as its /64 network. */
  address: () => string;
  /** Whether it is a program of this machine that called the service by a name of this machine, without a proxy. */
  isLocal: () => boolean;
}

interface RouteOptions<Body extends object, Query extends object, Prepared, Path extends string> {
  method: 'get' | 'post' | 'put' | 'delete';
  path: Path;
  access: Access;
  scopes?: readonly Exclude<OperatorScope, 'read'>[];
  /** Who may use a public route that checks the token itself, because it accepts another kind of token too. */
  tokenAccess?: Access;
  /** Not for operators with these scopes, although the route is for their kind of caller. */
  notForScopes?: readonly OperatorScope[];
  /** Not for keys that are limited to some domains, and not for links. */
  wholePartner?: boolean;
  /** For keys with the scope `read` too, with the access `key`. */
  readKeys?: boolean;
  /** For sessions of `dns` links too, which may use no other route. */
  dnsLink?: boolean;
  /** Not a change of the partner's data, so that suspended partners and keys with the scope `read` may use it. */
  whileSuspended?: boolean;
  /**
   * Checks the token of a public route that accepts a token of its own, before the input is checked. A caller with
   * another token must be passed to `charge` before it is refused, because its look-up counts for its rate.
   */
  admit?: (entrance: Entrance) => Promise<void>;
  /** The response gives the browser the cookie of a session, or takes it away. */
  setsCookie?: boolean;
  /**
   * `Cache-Control` of the success, for what is the same for every caller. The default is `no-store`, as for errors.
   */
  cacheControl?: string;
  /** Accepts every query and ignores a body: pages, probes and the webhook, to which callers add parameters. */
  anyInput?: boolean;
  summary: string;
  /** Sentences after the summary, for what the fields do not say. Markdown. */
  description?: string;
  /** A later version will not have the route. Each response says so by its headers. */
  deprecated?: Deprecation;
  /**
   * The errors of this route, besides those of every route with its access and parameters (`openapi/problems.ts`). The
   * tests of the API refuse a response with another code.
   */
  errors?: readonly ErrorCode[];
  /** The responses that are not JSON: the media types of the body. */
  mediaTypes?: readonly string[];
  /** Media types of the same list, for clients that ask for them with `Accept`. */
  alsoMediaTypes?: readonly string[];
  /** Statuses that respond with a body of the same class as the success, such as 503 of a readiness probe. */
  alsoStatuses?: readonly number[];
  /** The example of the body in the OpenAPI document, when the fields' examples do not give one. */
  exampleBody?: Record<string, unknown>;
  body?: DtoClass<Body>;
  /** The request may have no body. A missing body counts as a body without fields. */
  bodyOptional?: boolean;
  bodyLimitBytes?: number;
  query?: DtoClass<Query>;
  /**
   * The DTO class of the response, in brackets for a list, with several classes when the query chooses between them;
   * null for a response that is not JSON or has no body.
   */
  response: DtoClass | [DtoClass, ...DtoClass[]] | null;
  status?: 200 | 201 | 202 | 204;
  /** Set when the route accepts an `Idempotency-Key`: the table in which it creates a row. */
  idempotent?: KeptSubject['table'];
  /** Set when the route itself keeps the responses of its items under an `Idempotency-Key`. */
  idempotentItems?: boolean;
  /** The number of items of a bulk request: the rate of the partner is charged for each. The default is one. */
  items?(body: Body): number;
  /** Rows may be missing, which headers of the success say. */
  mayBeIncomplete?: boolean;
  /** The route hashes a password, so it may respond with 429. */
  hashes?: boolean;
  /** Expensive work before the transaction of an idempotent request, such as hashing a password. */
  prepare?(request: Omit<RouteRequest<Body, Query, undefined, Path>, 'prepared'>): Promise<Prepared>;
  run(request: RouteRequest<Body, Query, Prepared, Path>): unknown;
}

/** One route of a controller, with its defaults. Its functions are methods, which take the requests of any route. */
export interface Route extends RouteOptions<object, object, unknown, string> {
  status: 200 | 201 | 202 | 204;
  /** The handler gets the bytes of the body instead of parsed JSON. */
  raw: boolean;
}

/** A class with routes. Each route declares its access, its DTO classes and its handler. */
export interface Controller {
  routes(): Route[];
}

/** Creates a route. The types of body and query come from their DTO classes, those of the parameters from the path. */
export function route<
  Body extends object = object,
  Query extends object = object,
  Prepared = undefined,
  Path extends string = string,
>(options: RouteOptions<Body, Query, Prepared, Path>): Route {
  return { status: 200, ...options, raw: false };
}

/** Creates a route whose handler gets the bytes of the body. */
export function rawRoute(
  options: Omit<RouteOptions<object, object, undefined, string>, 'body' | 'items' | 'run'> & {
    run: (request: RouteRequest<Buffer, object, undefined>) => unknown;
  },
): Route {
  return { status: 200, ...options, raw: true };
}
