import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A reverse proxy before the service, which can lose the service, or its streams, for a time. */
export class FaultyProxy {
  /** The paths that it answers with 502. */
  private refused: RegExp | null = null;
  private readonly open = new Map<Duplex, string>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async start(target: string): Promise<FaultyProxy> {
    const server = createServer((incoming, response) => proxy.pass(incoming, response));
    const proxy = new FaultyProxy(server, new URL(target));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The requests under way, by their paths. */
  get underWay(): string[] {
    return [...this.open.values()];
  }

  /** Breaks what is under way to these paths, and answers 502 there until `recover`. */
  lose(paths: RegExp): void {
    this.refused = paths;
    for (const [socket, path] of this.open) if (paths.test(path)) socket.destroy();
  }

  recover(): void {
    this.refused = null;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const path = incoming.url ?? '/';
    if (this.refused?.test(path) === true) return void response.writeHead(502).end();
    this.open.set(incoming.socket, path);
    const { hostname, port } = this.target;
    const onward = request({ hostname, port, path, method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => {
      this.open.delete(incoming.socket);
      onward.destroy();
    });
    incoming.pipe(onward);
  }
}
