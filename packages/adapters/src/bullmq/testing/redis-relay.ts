import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Connections to a Redis that a test can cut, keep from being opened, or hush. */
export class RedisRelay {
  isUp = true;
  private readonly sockets = new Set<Socket>();
  private readonly clients = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly target: URL) {
    this.server = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const each of [socket, upstream]) {
        this.sockets.add(each);
        each.on('error', () => undefined).on('close', () => this.sockets.delete(each));
      }
      this.clients.add(socket);
      if (!this.isUp) socket.destroy();
      socket.pipe(upstream).pipe(socket);
      socket.on('close', () => {
        this.clients.delete(socket);
        upstream.destroy();
      });
    });
  }

  /** @returns the URL of Redis through the relay */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(typeof address === 'object' ? address?.port : '');
    return url.toString();
  }

  /** Stops to pass on what clients send; their connections stay open. */
  silence(): void {
    for (const socket of this.clients) socket.pause();
  }

  speak(): void {
    for (const socket of this.clients) socket.resume();
  }

  /**
   * Passes nothing on any more in the connections that are open, as a firewall that has forgotten them: neither side
   * learns of it. New connections are served.
   */
  hush(): void {
    for (const socket of this.sockets) socket.unpipe().resume().removeAllListeners('close');
    this.clients.clear();
  }

  cut(): void {
    this.isUp = false;
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}
