import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';

/** A loopback address that Postfix does not treat as its own host. */
const ELSEWHERE = '127.0.0.2';

/** A connection to a server with a line protocol, with TLS from the start, later, or never. */
export class LineSocket {
  private buffer = '';
  private failure: Error | null = null;
  private wake: (() => void) | null = null;

  private constructor(private socket: Socket) {
    this.listen();
  }

  /**
   * Connects to a loopback port.
   *
   * @param ca PEM; when set, TLS is used and the server's certificate must be signed by it.
   * @param localAddress the client's address.
   */
  static async open(port: number, ca: string | null = null, localAddress = ELSEWHERE): Promise<LineSocket> {
    const to = { host: '127.0.0.1', port, localAddress };
    const socket = ca === null ? connect(to) : connectTls({ ...to, ca, servername: 'localhost' });
    await once(socket, ca === null ? 'connect' : 'secureConnect');
    return new LineSocket(socket);
  }

  /** Starts TLS on the open connection. */
  async upgrade(ca: string): Promise<void> {
    this.socket.removeAllListeners('data');
    const secured = connectTls({ socket: this.socket, ca, servername: 'localhost' });
    await once(secured, 'secureConnect');
    this.socket = secured;
    this.listen();
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Reads a line, without its end. @throws Error when the server closes the connection. */
  async readLine(): Promise<string> {
    const end = await this.waitFor(() => {
      const found = this.buffer.indexOf('\r\n');
      return found === -1 ? null : found;
    });
    return this.take(end + 2).slice(0, -2);
  }

  /** Reads exactly `count` bytes, as one character each. */
  async readBytes(count: number): Promise<string> {
    await this.waitFor(() => (this.buffer.length >= count ? count : null));
    return this.take(count);
  }

  close(): void {
    this.socket.destroy();
  }

  private take(count: number): string {
    const taken = this.buffer.slice(0, count);
    this.buffer = this.buffer.slice(count);
    return taken;
  }

  private async waitFor(ready: () => number | null): Promise<number> {
    const deadline = setTimeout(() => this.fail(new Error('The server did not answer in time.')), PATIENCE_MS);
    try {
      for (;;) {
        const answer = ready();
        if (answer !== null) return answer;
        if (this.failure !== null) throw this.failure;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    } finally {
      clearTimeout(deadline);
    }
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.buffer += chunk.toString('latin1');
      this.wake?.();
    });
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The server closed the connection.')));
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.wake?.();
  }
}
