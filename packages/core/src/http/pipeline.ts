import type { LoopTurns } from './loop-turns.js';

/** Clients that send requests before they have the responses send a few. One read of Node has up to 1,600 requests. */
const MAX_WAITING = 32;
const LOOK_EVERY_MS = 1_000;

/** What a pipeline asks of a socket of Node. */
export interface Connection {
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  on(event: 'resume', listener: () => void): unknown;
  isPaused(): boolean;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** What a pipeline asks of a request of Node. */
export interface PipelinedRequest {
  readonly socket: Connection;
  readonly complete: boolean;
  readonly readableLength: number;
  readonly readableHighWaterMark: number;
}

/** What a pipeline asks of a response of Node. */
export interface PipelinedResponse {
  once(event: 'close', listener: () => void): unknown;
}

/** A request whose headers were read, with its response. */
export interface Received<Request, Response> {
  request: Request;
  response: Response;
}

interface Waiting<Request, Response> extends Received<Request, Response> {
  serve: () => void;
}

/**
 * The requests of one connection. One of them runs: the next one begins when the response before it is closed. So a
 * connection takes one share of the service, however many requests it sends at once. Those that waited begin in turns
 * of the event loop, because a response that needs no I/O would be followed by the next one without letting others in.
 *
 * While requests wait, the socket is not read. Node learns from a read that the client has gone, so one read is made
 * every second.
 */
export class Pipeline<Request extends PipelinedRequest, Response extends PipelinedResponse> {
  private readonly waiting: Waiting<Request, Response>[] = [];
  private running: Response | null = null;
  private newest: Received<Request, Response> | undefined;
  /** Set while the socket is not read. */
  private looks: NodeJS.Timeout | undefined;
  private isLooking = false;

  /** @param turns those of all connections of the process */
  constructor(
    private readonly socket: Connection,
    private readonly turns: LoopTurns,
  ) {
    socket.on('resume', () => this.stayPaused());
  }

  /** The last request whose headers were read; undefined when there is none. */
  get last(): Received<Request, Response> | undefined {
    return this.newest;
  }

  /** Whether every request has its response. */
  get isIdle(): boolean {
    return this.running === null;
  }

  /** Serves the request when its turn comes. A request above the number that may wait ends the connection. */
  take(request: Request, response: Response, serve: () => void): void {
    // Node passes on all requests of a read, also after one of them has ended the connection.
    if (this.socket.destroyed) return;
    this.newest = { request, response };
    if (this.running === null) {
      this.begin({ request, response, serve });
    } else if (this.waiting.length < MAX_WAITING) {
      this.waiting.push({ request, response, serve });
      this.pause();
    } else {
      this.socket.destroy();
    }
  }

  private begin({ response, serve }: Waiting<Request, Response>): void {
    this.running = response;
    response.once('close', () => {
      if (this.waiting.length > 0) this.turns.add(() => this.beginNext());
      else this.running = null;
    });
    serve();
  }

  private beginNext(): void {
    this.running = null;
    // After a response with `Connection: close`, and when the client has gone.
    if (this.socket.destroyed || this.socket.writableEnded) this.waiting.length = 0;
    const next = this.waiting.shift();
    if (this.waiting.length === 0) this.resume();
    if (next !== undefined) this.begin(next);
  }

  private pause(): void {
    if (this.looks !== undefined) return;
    this.looks = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    this.socket.pause();
  }

  private resume(): void {
    if (this.looks === undefined) return;
    clearInterval(this.looks);
    this.looks = undefined;
    this.socket.resume();
  }

  /** Node resumes the socket whenever it has passed on a request or its body. */
  private stayPaused(): void {
    if (this.looks === undefined || this.isLooking) return;
    // Paused between `resume` and this event, the stream says that it is paused, although it is read: once more.
    if (this.socket.isPaused()) this.socket.resume();
    else this.socket.pause();
  }

  /** Makes one read: Node reads sockets before it runs a callback of `setImmediate`. */
  private look(): void {
    const { request } = this.waiting.at(-1) ?? {};
    const isFull = request?.complete === false && request.readableLength >= request.readableHighWaterMark;
    if (isFull) return;
    this.isLooking = true;
    this.socket.resume();
    setImmediate(() => {
      this.isLooking = false;
      if (this.looks !== undefined) this.socket.pause();
    });
  }
}
