import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Waiting {
  resolve: (action: string) => void;
  reject: (error: Error) => void;
}

/** Behaves like an smtpd process of Postfix: one connection, one request at a time. */
export class PostfixClient {
  private text = '';
  private waiting: Waiting | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.waiting?.reject(new Error('closed')));
  }

  static async connect(address: { port: number } | { path: string }): Promise<PostfixClient> {
    const socket = connect({ host: '127.0.0.1', ...address });
    await once(socket, 'connect');
    return new PostfixClient(socket);
  }

  /** @returns the action. @throws Error when the server closes the connection. */
  ask(attributes: Record<string, string | number>): Promise<string> {
    const lines = Object.entries({ request: 'smtpd_access_policy', ...attributes }).map(
      ([name, value]) => `${name}=${value}`,
    );
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(new Error('closed'));
        return;
      }
      this.waiting = { resolve, reject };
      this.socket.write(`${lines.join('\n')}\n\n`);
    });
  }

  /** Sends bytes without waiting for a reply. */
  write(text: string): void {
    this.socket.write(text);
  }

  get isClosed(): boolean {
    return this.socket.destroyed;
  }

  async closed(): Promise<void> {
    if (!this.socket.closed) await once(this.socket, 'close');
  }

  close(): void {
    this.socket.destroy();
  }

  private take(text: string): void {
    this.text += text;
    const action = /^action=(.*)\n\n$/.exec(this.text)?.[1];
    if (action === undefined) return;
    this.text = '';
    this.waiting?.resolve(action);
  }
}
