import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ApiProblem } from './api-problem.js';

const IDLE_CONNECTIONS = 32;
const agents = {
  http: new HttpAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
  https: new HttpsAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
};

/** A complete response. `incoming` has its status and headers. */
export interface Received {
  incoming: IncomingMessage;
  body: Buffer;
}

/**
 * Sends a complete request on a kept-alive connection. Node's `fetch` needs several times the processor time, which
 * matters because the policy daemon sends requests for every message.
 *
 * @param options of `node:http`; with `protocol`.
 * @param timeoutMs the maximum duration until the end of the response.
 * @throws Error when the connection fails, when it closes before the end of the response, when the time is over, or
 * when the signal of the options aborts.
 */
export function httpSend(
  options: RequestOptions,
  body: string | Uint8Array | null,
  timeoutMs: number,
): Promise<Received> {
  const isSecure = options.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      ...options,
      agent: isSecure ? agents.https : agents.http,
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
    };
    const timer = setTimeout(() => {
      const late = new Error(`No answer within ${timeoutMs} ms`);
      fail(late);
      request.destroy(late);
    }, timeoutMs);
    request.on('error', fail);
    request.on('response', (incoming: IncomingMessage) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () => {
        clearTimeout(timer);
        resolve({ incoming, body: Buffer.concat(chunks) });
      });
    });
    // With the whole body at once, Node adds the Content-Length and writes header and body together.
    request.end(body ?? undefined);
  });
}

/** Returns the error for a response that is not 2xx. */
export function problemOf({ statusCode = 0, headers }: IncomingMessage, body: string): ApiProblem {
  const requestId = headers['x-request-id'];
  const retryAfter = headers['retry-after'] ?? null;
  return ApiProblem.of(statusCode, body, typeof requestId === 'string' ? requestId : null, retryAfter);
}
