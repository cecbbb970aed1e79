import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server in front of the API that records requests, holds them, or answers none. */
export class ApiFront {
  isDown = false;
  /** Every request as `METHOD /path`. */
  readonly requests: string[] = [];
  private held: { pattern: RegExp; arrived: (request: IncomingMessage) => void } | null = null;
  private readonly server: Server;

  private constructor(private readonly target: string) {
    this.server = createServer((request, response) => void this.pass(request, response));
  }

  static async start(target: string): Promise<ApiFront> {
    const front = new ApiFront(target);
    await once(front.server.listen(0, '127.0.0.1'), 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Never passes on the next request that matches `METHOD /path`. Resolves when it has arrived, with what closes its
   * connection.
   */
  hold(pattern: RegExp): Promise<() => void> {
    return new Promise((resolve) => {
      this.held = { pattern, arrived: ({ socket }) => resolve(() => socket.destroy()) };
    });
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = `${request.method} ${request.url}`;
    this.requests.push(name);
    if (this.isDown) {
      request.socket.destroy();
      return;
    }
    if (this.held?.pattern.test(name) === true) {
      this.held.arrived(request);
      this.held = null;
      return;
    }
    const body = await buffer(request);
    const { method, headers, url } = request;
    httpRequest(`${this.target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => request.socket.destroy())
      .end(body);
  }
}
