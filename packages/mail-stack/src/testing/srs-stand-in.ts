import type { Socket } from 'node:net';
import { LoopbackServer } from './loopback-server.js';

/** Rewrites senders to the SRS domain, or recipients of that domain back. */
type Direction = 'forward' | 'reverse';

/** Replaces one of postsrsd's two tables (tcp_table(5)). */
export class SrsStandIn extends LoopbackServer {
  private constructor(
    private readonly domain: string,
    private readonly direction: Direction,
  ) {
    super();
  }

  static async start(domain: string, direction: Direction): Promise<SrsStandIn> {
    return await new SrsStandIn(domain, direction).listen();
  }

  get table(): string {
    return `tcp:${this.address}`;
  }

  protected override serve(socket: Socket): void {
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
