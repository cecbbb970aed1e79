import { connect } from 'node:net';
import type { Endpoint } from '../settings/endpoint.js';

const PATIENCE_MS = 10_000;

/**
 * Connects, writes `request`, and answers what came back as soon as `isComplete` says so. Where the other side `greets`, the request
 * waits for its first line. Throws a sentence when nobody listens, the other side closes first, or 10 seconds pass.
 */
export async function ask(
  endpoint: Endpoint,
  request: Buffer | string,
  isComplete: (answer: Buffer) => boolean,
  { greets = false } = {},
): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const socket = connect(
      endpoint.kind === 'unix' ? { path: endpoint.path } : { host: endpoint.host, port: endpoint.port },
    );
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
    socket.setTimeout(PATIENCE_MS, () => fail('it did not answer within 10 seconds'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () =>
      fail(answer.length === 0 ? 'it closed the connection without an answer' : 'its answer broke off'),
    );
    socket.on('connect', () => {
      if (!greets) {
        put();
      }
    });
    socket.on('data', (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (!isAsked && answer.includes('\n')) {
        put();
      }
      if (isComplete(answer)) {
        resolve(answer);
        socket.destroy();
      }
    });
  });
}
