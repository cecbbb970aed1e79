import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Rewrites senders to the SRS domain, or recipients of that domain back. */
type Direction = 'forward' | 'reverse';

/** The place of one of postsrsd's two tables (tcp_table(5)). */
export class SrsStandIn {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly domain: string,
    private readonly direction: Direction,
  ) {
    server.on('connection', (socket) => this.serve(socket));
  }

  static async start(domain: string, direction: Direction): Promise<SrsStandIn> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SrsStandIn(server, domain, direction);
  }

  get table(): string {
    return `tcp:127.0.0.1:${(this.server.address() as AddressInfo).port}`;
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
      for (let end = buffer.indexOf('\n'); end !== -1; end = buffer.indexOf('\n')) {
        const [, local = '', domain = ''] = /^get (\S+)@(\S+)$/.exec(buffer.slice(0, end)) ?? [];
        buffer = buffer.slice(end + 1);
        const address = this.direction === 'forward' ? this.forward(local, domain) : this.reverse(local, domain);
        socket.write(address === null ? '500 not rewritten\n' : `200 ${address}\n`);
      }
    });
  }

  private forward(local: string, domain: string): string | null {
    const isAddress = /^[a-z0-9.]+$/.test(local) && domain !== this.domain;
    return isAddress ? `SRS0=hash=day=${domain}=${local}@${this.domain}` : null;
  }

  private reverse(local: string, domain: string): string | null {
    const [, host, user] = /^SRS0=hash=day=([^=]+)=(.+)$/i.exec(local) ?? [];
    return domain === this.domain && host !== undefined ? `${user}@${host}` : null;
  }
}
