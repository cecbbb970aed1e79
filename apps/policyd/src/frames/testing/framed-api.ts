import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { frameOf } from '@mailstead/core/frames/frame';
import { FrameReader } from '@mailstead/core/frames/frame-reader';

interface Request {
  token?: string;
  id?: number;
  path?: string;
  traceparent?: string;
  body?: unknown;
}

/** An address for frames whose answers the test gives. */
export class FramedApi {
  /** What arrived, without the tokens. */
  readonly requests: Request[] = [];
  readonly tokens: string[] = [];
  readonly sockets: Socket[] = [];
  /** Answers a token; null: not at all. */
  greeting: object | null = { id: null, status: 200 };
  /** Called with each request. */
  onRequest: (request: Request, answer: (frame: object) => void, socket: Socket) => void = ({ id }, answer) =>
    answer({ id, status: 200, body: [] });
  private readonly server: Server;

  private constructor() {
    this.server = createServer((socket) => {
      this.sockets.push(socket);
      const reader = new FrameReader(2_000_000);
      const answer = (frame: object) => void socket.write(frameOf(JSON.stringify(frame)));
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        for (const frame of reader.read(chunk)) this.take(JSON.parse(frame.toString()) as Request, answer, socket);
      });
    });
  }

  static async start(): Promise<FramedApi> {
    const api = new FramedApi();
    api.server.listen(0, '127.0.0.1');
    await once(api.server, 'listening');
    return api;
  }

  get address(): { host: string; port: number } {
    const address = this.server.address();
    return { host: '127.0.0.1', port: typeof address === 'object' && address !== null ? address.port : 0 };
  }

  /** Sends a frame to all its callers. */
  tell(frame: object): void {
    for (const socket of this.sockets) socket.write(frameOf(JSON.stringify(frame)));
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private take(request: Request, answer: (frame: object) => void, socket: Socket): void {
    if (request.token === undefined) {
      this.requests.push(request);
      this.onRequest(request, answer, socket);
    } else {
      this.tokens.push(request.token);
      if (this.greeting !== null) answer(this.greeting);
    }
  }
}
