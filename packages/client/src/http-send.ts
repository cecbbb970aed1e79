import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { arrayBuffer } from 'node:stream/consumers';

const IDLE_CONNECTIONS = 32;
const agents = {
  http: new HttpAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
  https: new HttpsAgent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS, noDelay: true }),
};

/** A complete request. */
export interface Sent {
  method: string;
  headers: Headers;
  body: ArrayBuffer | null;
  signal: AbortSignal;
}

/**
 * Sends a request on a kept-alive connection. Node's `fetch` needs several times the processor time, which matters
 * because the policy daemon sends requests for every message.
 *
 * @throws Error when the connection fails, when it closes before the end of the response, or when the signal aborts.
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
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, (incoming) => {
      const { statusCode: status = 0 } = incoming;
      const received = new Headers(
        Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
      );
      arrayBuffer(incoming)
        .then((content) =>
          resolve(new Response(content.byteLength === 0 ? null : content, { status, headers: received })),
        )
        .catch(reject);
    });
    request.on('error', reject);
    request.end(body === null ? undefined : Buffer.from(body));
  });
}
