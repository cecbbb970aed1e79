import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { arrayBuffer } from 'node:stream/consumers';

const IDLE_CONNECTIONS = 32;
const agents = {
  http: new HttpAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
  https: new HttpsAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
};

/** One request, whole. */
export interface Sent {
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
  signal: AbortSignal;
}

/**
 * Sends a request on a connection that is kept for the next one. Node's `fetch` does the same at several times the cost
 * in processor time, which the policy daemon has for every message.
 *
 * @throws Error when the connection cannot be made or breaks before the end of the answer, and when the signal says so
 */
export function httpSend(url: string, { method, headers, body, signal }: Sent): Promise<Response> {
  const isSecure = url.startsWith('https:');
  const options = {
    method,
    signal,
    headers: { ...Object.fromEntries(headers), ...(body === null ? {} : { 'content-length': body.byteLength }) },
    agent: isSecure ? agents.https : agents.http,
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, (answer) => {
      const { statusCode: status = 0 } = answer;
      const received = new Headers(
        Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      arrayBuffer(answer)
        .then((content) =>
          resolve(new Response(content.byteLength === 0 ? null : content, { status, headers: received })),
        )
        .catch(reject);
    });
    request.on('error', reject);
    request.end(body === null ? undefined : Buffer.from(body));
  });
}
