import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One connection with questions and answers in turn. */
export class Dialogue {
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve: (answer: Buffer) => void; reject: (error: Error) => void } | null = null;
  private failure: Error | null = null;

  private constructor(
    private readonly socket: Socket,
    private readonly isWhole: (answer: Buffer) => boolean,
  ) {
    socket.setNoDelay(true);
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed the connection')));
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
  }

  /** @param isWhole whether these bytes are a whole answer. */
  static async open(port: number, isWhole: (answer: Buffer) => boolean): Promise<Dialogue> {
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    return new Dialogue(socket, isWhole);
  }

  /** @throws Error when the connection ends before the answer. */
  ask(question: string | Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (this.failure !== null) {
        reject(this.failure);
        return;
      }
      this.waiting = { resolve, reject };
      this.socket.write(question);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    if (!this.isWhole(this.received)) return;
    const answer = this.received;
    this.received = Buffer.alloc(0);
    this.waiting?.resolve(answer);
    this.waiting = null;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.waiting?.reject(this.failure);
    this.waiting = null;
  }
}
