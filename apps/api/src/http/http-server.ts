import { createServer, IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@mailstead/core/errors';
import type { Received } from '@mailstead/core/http/pipeline';
import { Pipelines } from '@mailstead/core/http/pipelines';
import type { Http } from './http.js';
import { interruptBody } from './read-body.js';

/** Time limits of a connection, milliseconds. A connection that exceeds one is closed up to `checkEveryMs` later. */
export interface HttpTimeouts {
  /** For the headers of a request. */
  headersMs: number;
  /** For a whole request. There is no limit for the response, so that slow readers get complete lists. */
  requestMs: number;
  checkEveryMs: number;
  /** For the next request, after a response (`KEEP_ALIVE_SECONDS`). */
  keepAliveMs: number;
}

export const HTTP_TIMEOUTS: Omit<HttpTimeouts, 'keepAliveMs'> = {
  headersMs: 10_000,
  requestMs: 30_000,
  checkEveryMs: 5_000,
};

/** The errors of Node's parser that are not a 400. */
const PARSER_ERRORS: Record<string, AppError['code']> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
};

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, DELETE';

/**
 * A request of a connection that has ended says that it is an upgrade, so that Node passes it on to nobody. Otherwise
 * Node passes on all requests of a read, up to 1,600, and makes an error with a stack for each of them.
 */
class EndableRequest extends IncomingMessage {
  get upgrade(): boolean {
    return this.socket.destroyed || this.method === 'CONNECT';
  }

  /** Node says here what the headers ask for. No other protocol is spoken. */
  set upgrade(_asked: boolean) {}
}

/**
 * Creates the server of the API. Responses that Node would write itself (400, 405, 408, 413, 417, 431) become problem
 * details with the headers of all responses.
 *
 * @param app serves the requests that Node's parser accepts.
 */
export function createHttpServer(app: RequestListener, http: Http, timeouts: HttpTimeouts): Server {
  const pipelines = new Pipelines<IncomingMessage, ServerResponse>();
  const take = (request: IncomingMessage, response: ServerResponse, serve: () => void) =>
    pipelines.of(request.socket).take(request, response, serve);
  const server = createServer(
    {
      IncomingMessage: EndableRequest,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      // The listener checks it, because Node's own 400 has no body.
      requireHostHeader: false,
    },
    (request, response) => {
      take(request, response, () => {
        if (request.headers.host !== undefined || request.httpVersion !== '1.1') app(request, response);
        else {
          const error = new AppError('malformed_request', { detail: 'The header Host is missing' });
          http.refuse(request, response, error, '', { Connection: 'close' });
        }
      });
    },
  );
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    take(request, response, () => http.refuse(request, response, new AppError('expectation_failed')));
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    // A response before those to the earlier requests would count as the response to the first of these.
    if (!pipelines.of(socket).isIdle) socket.destroy();
    else http.refuseSocket(socket, new AppError('method_not_allowed'), request, { Allow: ALLOWED_METHODS });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else {
      const problem = new AppError(PARSER_ERRORS[error.code ?? ''] ?? 'malformed_request');
      refuseInput(http, socket, problem, pipelines.of(socket).last);
    }
  });
  return server;
}

/**
 * Responds to bytes that are not a request, or to a request that did not arrive in time. Node reads no further requests
 * from the connection.
 *
 * @param last the last request on the connection whose headers were read.
 */
function refuseInput(
  http: Http,
  socket: Duplex,
  error: AppError,
  last: Received<IncomingMessage, ServerResponse> | undefined,
): void {
  if (last === undefined || (last.request.complete && last.response.writableFinished)) {
    http.refuseSocket(socket, error);
  } else if (last.response.headersSent) {
    socket.destroy();
  } else {
    last.response.setHeader('Connection', 'close');
    if (!last.request.complete) interruptBody(last.request, error);
  }
}
