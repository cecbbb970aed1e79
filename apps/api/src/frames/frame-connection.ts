import type { Socket } from 'node:net';
import { AppError } from '@mailstead/core/errors';
import { frameOf, MAX_REQUEST_BYTES } from '@mailstead/core/frames/frame';
import { FrameLengthError, FrameReader } from '@mailstead/core/frames/frame-reader';
import { readFrameRequest, readGreeting } from './frame-request.js';
import type { FramedRoutes, FrameSender } from './framed-routes.js';

/** Enough for a token. */
const MAX_GREETING_BYTES = 1_024;
/** The time for a caller to read why its connection ends. */
const LAST_WORD_MS = 1_000;
/** A unix socket has no address. */
const NO_ADDRESS = 'unix';

export interface FrameLimits {
  /** The time for the first frame, milliseconds. */
  greetingMs: number;
  /** From the first byte of a frame to its last. */
  halfSentMs: number;
  /** The time in which a caller reads some of its answers. */
  unreadMs: number;
  /** The requests of a connection that run at once. No more is read meanwhile. */
  inFlight: number;
}

export interface FrameConnectionEvents {
  /** The token was right. @throws AppError when the connection must end nevertheless */
  onGreeted: () => void;
}

/** A connection of the policy daemon: a first frame with the token, then requests and their answers, in any order. */
export class FrameConnection {
  private readonly reader = new FrameReader(MAX_GREETING_BYTES);
  private readonly closing = new AbortController();
  /** Frames that were read and wait. All come from one chunk, because the socket is paused while one waits. */
  private readonly waiting: Buffer[] = [];
  private sender: FrameSender | null = null;
  private state: 'new' | 'greeting' | 'open' | 'refused' = 'new';
  private isEnding = false;
  private isUnread = false;
  private running = 0;
  private greetingTimer: NodeJS.Timeout | undefined;
  private halfSentTimer: NodeJS.Timeout | undefined;
  private unreadTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly routes: FramedRoutes,
    private readonly limits: FrameLimits,
    private readonly events: FrameConnectionEvents,
  ) {
    const late = () =>
      this.refuse(new AppError('request_timeout', { detail: 'The first frame did not arrive in time' }));
    this.greetingTimer = setTimeout(late, limits.greetingMs);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.clearTimers();
      this.waiting.length = 0;
      this.closing.abort();
    });
  }

  /** Tells the caller to send further requests elsewhere. Those that arrive are still served. */
  announceEnd(): void {
    if (this.state === 'open') this.write('{"id":null,"closing":true}');
  }

  /** Ends the connection after its last request. */
  endWhenIdle(): void {
    this.isEnding = true;
    this.next();
  }

  /** Says why the connection ends, and ends it. Answers to requests that still run are not sent. */
  refuse(error: unknown): void {
    if (this.state === 'refused' || this.socket.destroyed) return;
    const secrets = this.sender === null ? [] : [this.sender.token];
    this.state = 'refused';
    this.clearTimers();
    this.waiting.length = 0;
    // What still comes is read and dropped: closing with unread bytes could take the last frame from the caller.
    this.socket.removeAllListeners('data').resume();
    this.socket.end(frameOf(this.routes.refusal(error, secrets)));
    const timer = setTimeout(() => this.socket.destroy(), LAST_WORD_MS);
    this.socket.once('close', () => clearTimeout(timer));
  }

  private take(chunk: Buffer): void {
    try {
      this.waiting.push(...this.reader.read(chunk));
    } catch (error) {
      const isLength = error instanceof FrameLengthError;
      this.refuse(isLength ? new AppError('body_too_large', { detail: error.message }) : error);
      return;
    }
    this.next();
  }

  /** Begins what may begin, and reads on when nothing waits. */
  private next(): void {
    if (this.state === 'refused' || this.socket.destroyed) return;
    const frame = this.mayBegin() ? this.waiting.shift() : undefined;
    if (frame !== undefined) {
      if (this.state === 'open') void this.serve(frame);
      else void this.greet(frame);
      this.next();
      return;
    }
    const isFull = this.waiting.length > 0 || this.isUnread;
    if (isFull) this.socket.pause();
    else this.socket.resume();
    this.expectTheRest(this.reader.isInside && !isFull);
    if (this.isEnding && this.running === 0 && this.waiting.length === 0 && !this.reader.isInside) this.socket.end();
  }

  private mayBegin(): boolean {
    return this.state === 'new' || (this.state === 'open' && !this.isUnread && this.running < this.limits.inFlight);
  }

  private async greet(frame: Buffer): Promise<void> {
    this.state = 'greeting';
    try {
      const address = this.socket.remoteAddress ?? NO_ADDRESS;
      const sender = { token: readGreeting(frame), address, closeSignal: () => this.closing.signal };
      this.sender = sender;
      await this.routes.greet(sender);
      if (this.state !== 'greeting' || this.socket.destroyed) return;
      this.events.onGreeted();
    } catch (error) {
      this.refuse(error);
      return;
    }
    clearTimeout(this.greetingTimer);
    this.state = 'open';
    this.reader.maxBytes = MAX_REQUEST_BYTES;
    this.write('{"id":null,"status":200}');
    this.next();
  }

  private async serve(frame: Buffer): Promise<void> {
    const { sender } = this;
    if (sender === null) return;
    this.running += 1;
    try {
      this.write(await this.routes.answer(readFrameRequest(frame), sender));
    } catch (error) {
      this.refuse(error);
    }
    this.running -= 1;
    this.next();
  }

  private write(text: string): void {
    if (this.state === 'refused' || !this.socket.writable) return;
    if (this.socket.write(frameOf(text)) || this.isUnread) return;
    this.isUnread = true;
    this.unreadTimer = setTimeout(() => this.socket.destroy(), this.limits.unreadMs);
    this.socket.once('drain', () => {
      this.isUnread = false;
      clearTimeout(this.unreadTimer);
      this.next();
    });
  }

  private expectTheRest(isInside: boolean): void {
    if (!isInside) {
      clearTimeout(this.halfSentTimer);
      this.halfSentTimer = undefined;
      return;
    }
    const late = () => this.refuse(new AppError('request_timeout', { detail: 'A frame was not complete in time' }));
    this.halfSentTimer ??= setTimeout(late, this.limits.halfSentMs);
  }

  private clearTimers(): void {
    for (const timer of [this.greetingTimer, this.halfSentTimer, this.unreadTimer]) clearTimeout(timer);
  }
}
