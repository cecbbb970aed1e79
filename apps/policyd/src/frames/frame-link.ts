import { connect, type Socket } from 'node:net';
import { ApiProblem } from '@mailstead/client/api-problem';
import type { ApiResponse } from '@mailstead/client/post-json';
import { frameOf } from '@mailstead/core/frames/frame';
import { FrameReader } from '@mailstead/core/frames/frame-reader';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';

/** Above the longest answer: 1,000 verdicts. */
const MAX_ANSWER_BYTES = 8_388_608;
const KEEP_ALIVE_MS = 60_000;

/** A frame of the API. */
interface AnswerFrame {
  /** Null: about the connection. */
  id: number | null;
  status?: number;
  body?: unknown;
  problem?: object;
  closing?: boolean;
}

interface Pending {
  /** Milliseconds, as `performance.now`. */
  sentAt: number;
  resolve: (response: ApiResponse) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** An open connection to the API's address for frames. Its requests run at the same time. */
export class FrameLink {
  private readonly reader = new FrameReader(MAX_ANSWER_BYTES);
  private readonly pending = new Map<number, Pending>();
  private lastId = 0;
  private heardAt = performance.now();
  private isOpen = false;
  private isLeaving = false;
  private onGreeted: (error: Error | null) => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new Error('The API closed the connection')));
  }

  /**
   * Connects and sends the token.
   *
   * @throws ApiProblem when the API refuses it; Error when the connection fails or the time is over. The API has done
   *   nothing then.
   */
  static async open(address: ListenAddress, token: string, withinMs: number): Promise<FrameLink> {
    const link = new FrameLink(
      connect({ ...address, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }),
    );
    const greeted = new Promise<void>((resolve, reject) => {
      link.onGreeted = (error) => (error === null ? resolve() : reject(error));
    });
    const timer = setTimeout(() => link.end(late(withinMs)), withinMs);
    link.socket.write(frameOf(JSON.stringify({ token })));
    await greeted.finally(() => clearTimeout(timer));
    return link;
  }

  /** Whether requests may be sent. */
  get isUsable(): boolean {
    return this.isOpen && !this.isLeaving;
  }

  /**
   * @param body a JSON text
   * @throws Error when the connection ends before the answer, or when the time is over; the API may have done it
   */
  send(path: string, body: string, traceparent: string, withinMs: number): Promise<ApiResponse> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.giveUp(id, withinMs), withinMs);
      this.pending.set(id, { sentAt: performance.now(), resolve, reject, timer });
      this.socket.write(
        frameOf(`{"id":${id},"path":${JSON.stringify(path)},"traceparent":"${traceparent}","body":${body}}`),
      );
    });
  }

  /** Ends the connection when every request has its answer. */
  leave(): void {
    this.isLeaving = true;
    if (this.pending.size === 0) this.socket.end();
  }

  /** A connection on which nothing came since the request was sent is of no use to later ones either. */
  private giveUp(id: number, withinMs: number): void {
    const pending = this.pending.get(id);
    if (pending === undefined) return;
    this.pending.delete(id);
    pending.reject(late(withinMs));
    if (this.heardAt < pending.sentAt) this.end(late(withinMs));
  }

  private take(chunk: Buffer): void {
    this.heardAt = performance.now();
    try {
      for (const frame of this.reader.read(chunk)) this.hear(JSON.parse(frame.toString()) as AnswerFrame);
    } catch (error) {
      this.end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private hear({ id, status = 0, body, problem, closing }: AnswerFrame): void {
    const respond = (): ApiResponse => ({ status, read: () => (status === 200 ? body : thrown(status, problem)) });
    if (id !== null) {
      const pending = this.pending.get(id);
      this.pending.delete(id);
      clearTimeout(pending?.timer);
      pending?.resolve(respond());
      if (this.isLeaving && this.pending.size === 0) this.socket.end();
    } else if (closing === true) {
      this.leave();
    } else if (status === 200) {
      this.isOpen = true;
      this.onGreeted(null);
    } else {
      this.end(problemOf(status, problem));
    }
  }

  private end(error: Error): void {
    this.isOpen = false;
    this.socket.destroy();
    this.onGreeted(error);
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
  }
}

function late(withinMs: number): Error {
  return new Error(`No answer within ${withinMs} ms`);
}

function problemOf(status: number, problem: object | undefined): ApiProblem {
  const requestId: unknown = problem === undefined ? null : Reflect.get(problem, 'request_id');
  return ApiProblem.of(status, JSON.stringify(problem ?? null), typeof requestId === 'string' ? requestId : null);
}

function thrown(status: number, problem: object | undefined): never {
  throw problemOf(status, problem);
}
