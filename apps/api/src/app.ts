import type { RequestListener, Server } from 'node:http';
import { AppError } from '@mailstead/core/errors';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { AnyRequest } from './http/exchange.js';
import { type Handler, Http, type HttpOptions } from './http/http.js';
import { createHttpServer, type HttpTimeouts } from './http/http-server.js';
import type { Route } from './http/route.js';

/**
 * Mounts the routes on the router of Express. A known path with another method responds with 405, an unknown path with
 * 404.
 *
 * Without an application of Express: it changes the prototypes of each request and response, and everything that Node
 * does with them afterwards takes longer.
 */
export function createApp(routes: Route[], options: HttpOptions, timeouts: HttpTimeouts): Server {
  const http = new Http(options);
  const router = Router();
  const direct = new Map<string, Handler>();
  for (const route of routes) {
    const handler = http.handler(route);
    router[route.method](route.path, handler);
    const target = `${route.method.toUpperCase()} ${route.path}`;
    if (!route.path.includes(':') && !direct.has(target)) direct.set(target, handler);
  }
  // `/domains/bulk` before `/domains/:domain_name`, which matches it too.
  for (const [path, methods] of [...methodsByPath(routes)].sort(literalFirst)) {
    router.all(path, (request: Request, response: Response) => {
      http.refuse(request, response, new AppError('method_not_allowed'), path, { Allow: methods.join(', ') });
    });
  }
  router.use((request: Request, response: Response) => http.refuse(request, response, new AppError('route_not_found')));
  // Express recognises an error handler by its four parameters.
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    http.refuse(request, response, error),
  );
  const serve: RequestListener = (request: AnyRequest, response) => {
    request.target = request.url ?? '';
    request.url = ownPath(request.target);
    // The router compares the path with the patterns of all routes, one after the other.
    const handler = direct.get(`${request.method} ${request.url}`);
    if (handler === undefined) router(request as Request, response as Response, () => response.destroy());
    else handler(request, response);
  };
  return createHttpServer(serve, http, timeouts);
}

/**
 * Returns the path and the query of a request target, also of a target in absolute form (RFC 9112 section 3.2.2).
 * Without this, Express passes a target that does not begin with a slash, or contains a `#` or white space, to Node's
 * `url.parse`. That function writes the target, which may contain a token, into its warnings.
 */
function ownPath(target: string): string {
  const path = target
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]*/i, '')
    .replace(/#.*$/s, '')
    .replaceAll(/[\s\ufeff]/g, encodeURIComponent);
  return path.startsWith('/') ? path : `/${path}`;
}

function literalFirst([left]: [path: string, ...unknown[]], [right]: [path: string, ...unknown[]]): number {
  return Number(left.includes('/:')) - Number(right.includes('/:'));
}

/** Returns the methods for the `Allow` header of each path pattern. */
export function methodsByPath(routes: Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { method, path } of routes) {
    const known = methods.get(path) ?? [];
    methods.set(path, [...known, ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])]);
  }
  return methods;
}
