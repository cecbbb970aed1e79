import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { frameOf } from '@mailstead/core/frames/frame';
import { FrameReader } from '@mailstead/core/frames/frame-reader';
import { until } from '@mailstead/core/testing/until';

interface Answer {
  id: number | null;
  status?: number;
  body?: unknown;
  problem?: Record<string, unknown>;
  closing?: boolean;
}

/** A connection to the address for frames, which can also send what no daemon sends. */
export class FrameClient {
  /** Everything that the API sent, in order. */
  readonly heard: Answer[] = [];
  private readonly reader = new FrameReader(10_000_000);
  private lastId = 0;
  private hasEnded = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      for (const frame of this.reader.read(chunk)) this.heard.push(JSON.parse(frame.toString()) as Answer);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.hasEnded = true;
    });
  }

  /** Connects, and sends nothing. */
  static async connect(address: number | string | null): Promise<FrameClient> {
    const socket = connect(typeof address === 'string' ? { path: address } : { port: address ?? 0, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new FrameClient(socket);
  }

  /** Connects with a token that the API accepts. */
  static async greeted(address: number | string | null, token: string): Promise<FrameClient> {
    const client = await FrameClient.connect(address);
    client.send({ token });
    await client.next(({ id, status }) => id === null && status === 200);
    return client;
  }

  get isClosed(): boolean {
    return this.hasEnded;
  }

  send(value: unknown): void {
    this.socket.write(frameOf(JSON.stringify(value)));
  }

  /** Sends a request. @returns its answer */
  async ask(path: string, body: unknown, more: object = {}): Promise<Answer> {
    this.lastId += 1;
    const id = this.lastId;
    this.send({ id, path, body, ...more });
    return this.next((answer) => answer.id === id);
  }

  /** Waits for a frame. */
  async next(isIt: (answer: Answer) => boolean): Promise<Answer> {
    await until('the frame', () => this.hasEnded || this.heard.some(isIt));
    const found = this.heard.find(isIt);
    if (found === undefined) throw new Error(`Closed after ${JSON.stringify(this.heard)}`);
    return found;
  }

  /** Waits for the end of the connection. @returns the code of the last frame */
  async endCode(): Promise<unknown> {
    await until('the connection to end', () => this.hasEnded);
    return this.heard.at(-1)?.problem?.code;
  }

  close(): void {
    this.socket.destroy();
  }
}
