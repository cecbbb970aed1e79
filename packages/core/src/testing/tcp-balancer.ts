import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP load balancer for the nodes of a cluster, like HAProxy in mode tcp. */
export class TcpBalancer {
  private readonly open = new Set<Socket>();
  private readonly hushed = new Set<Socket>();
  private turn = 0;

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly ports: readonly number[],
    private readonly order: 'backup' | 'in turn',
  ) {}

  /** @param order `backup`: the first port that accepts the connection. `in turn`: round-robin. */
  static async start(ports: readonly number[], order: 'backup' | 'in turn'): Promise<TcpBalancer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const balancer = new TcpBalancer(server, (server.address() as AddressInfo).port, ports, order);
    server.on('connection', (client) => void balancer.join(client));
    return balancer;
  }

  /** @returns the URL with the balancer's port */
  urlOf(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.toString();
  }

  /**
   * Forwards nothing more on the connections that are open, not even their end, like a firewall that forgot them: no
   * side is told, and the kernel goes on to acknowledge what is sent. New connections are served.
   *
   * @returns the number of connections
   */
  hush(): number {
    const heard = [...this.open].filter((socket) => !this.hushed.has(socket));
    for (const socket of heard) {
      socket.unpipe();
      socket.pause();
      this.hushed.add(socket);
    }
    return heard.length / 2;
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.open) socket.destroy();
    await once(this.server, 'close');
  }

  /** Serves again after `stop`. Meanwhile it refused connections, like a program that was killed. */
  async startAgain(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  private async join(client: Socket): Promise<void> {
    this.keep(client);
    const first = this.order === 'backup' ? 0 : this.turn++ % this.ports.length;
    for (const port of [...this.ports.slice(first), ...this.ports.slice(0, first)]) {
      const server = connect(port, '127.0.0.1');
      this.keep(server);
      const taken = await Promise.race([
        once(server, 'connect').then(
          () => true,
          () => false,
        ),
        once(server, 'close').then(
          () => false,
          () => false,
        ),
      ]);
      if (!taken) continue;
      client.pipe(server).pipe(client);
      client.once('close', () => this.passEnd(client, server));
      server.once('close', () => this.passEnd(server, client));
      return;
    }
    client.destroy();
  }

  private passEnd(of: Socket, to: Socket): void {
    if (!this.hushed.has(of)) to.destroy();
  }

  private keep(socket: Socket): void {
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.open.delete(socket));
  }
}
