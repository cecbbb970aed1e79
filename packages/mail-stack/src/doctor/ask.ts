import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Endpoint, ListenAddress } from '../settings/endpoint.js';

const TIMEOUT_MS = 10_000;

/**
 * Connects, with TLS when `secure` is set, writes `request`, and returns the received bytes when `isComplete` accepts
 * them. With `greets`, waits for the server's first line before it writes.
 *
 * @throws Error with a sentence as message when the connection fails, the server closes it, or 10 seconds pass.
 */
export async function ask(
  endpoint: Endpoint,
  request: Buffer | string,
  isComplete: (answer: Buffer) => boolean,
  { greets = false, secure = false } = {},
): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const where = endpoint.kind === 'unix' ? { path: endpoint.path } : { host: endpoint.host, port: endpoint.port };
    // The certificate contains the public host name, not the address used here.
    const socket = secure ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where);
    let answer: Buffer = Buffer.alloc(0);
    let isAsked = false;
    const put = (): void => {
      isAsked = true;
      socket.write(request);
    };
    const fail = (sentence: string): void => {
      socket.destroy();
      reject(new Error(sentence));
    };
    socket.setTimeout(TIMEOUT_MS, () => fail('it did not answer within 10 seconds'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () =>
      fail(answer.length === 0 ? 'it closed the connection without an answer' : 'its answer broke off'),
    );
    socket.on(secure ? 'secureConnect' : 'connect', () => {
      if (!greets) put();
    });
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (!isAsked && answer.includes('\n')) put();
      if (isComplete(answer)) {
        resolve(answer);
        socket.destroy();
      }
    });
  });
}

/**
 * Connects with TLS. @throws Error with a sentence as message unless the server's first line starts with `beginning`.
 */
export async function expectGreetingInTls({ host, port }: ListenAddress, beginning: string): Promise<void> {
  const endpoint = { kind: 'inet', host: host ?? '127.0.0.1', port } as const;
  const greeting = (await ask(endpoint, '', (answer) => answer.includes('\n'), { secure: true })).toString('latin1');
  if (!greeting.startsWith(beginning)) throw new Error(`it greets with ${greeting.trim()}`);
}
