import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export type PolicyRequest = Record<string, string>;

/** The place of the policy daemon: remembers what Postfix asked, and answers what the test says. */
export class PolicyStandIn {
  readonly requests: PolicyRequest[] = [];
  answer: (request: PolicyRequest) => string = () => 'DUNNO';
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(): Promise<PolicyStandIn> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PolicyStandIn(server);
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
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
