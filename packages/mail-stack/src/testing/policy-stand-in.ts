import type { Socket } from 'node:net';
import { LoopbackServer } from './loopback-server.js';

export type PolicyRequest = Record<string, string>;

/** Replaces the policy daemon: stores Postfix's requests, and replies as the test sets. */
export class PolicyStandIn extends LoopbackServer {
  readonly requests: PolicyRequest[] = [];
  answer: (request: PolicyRequest) => string = () => 'DUNNO';

  static async start(): Promise<PolicyStandIn> {
    return await new PolicyStandIn().listen();
  }

  protected override serve(socket: Socket): void {
    let buffer = '';
    socket.on('data', (chunk: Buffer) => {
      buffer += chunk.toString('latin1');
      for (let end = buffer.indexOf('\n\n'); end !== -1; end = buffer.indexOf('\n\n')) {
        const request = parse(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        this.requests.push(request);
        socket.write(`action=${this.answer(request)}\n\n`);
      }
    });
  }
}

function parse(text: string): PolicyRequest {
  const pairs = text.split('\n').map((line): [string, string] => {
    const equals = line.indexOf('=');
    return [line.slice(0, equals), line.slice(equals + 1)];
  });
  return Object.fromEntries(pairs);
}
