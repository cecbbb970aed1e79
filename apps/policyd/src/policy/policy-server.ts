import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { drained } from '../drained.js';
import { listen } from '../listen.js';
import { PolicyProtocolError, type PolicyRequest, PolicyRequestReader } from './policy-request.js';

/** Must exceed the time that Postfix keeps an unused connection (`smtpd_policy_service_max_idle`, 300 s). */
const IDLE_MS = 900_000;
/** The time limit for an incomplete request. Postfix writes a request at once. */
const HALF_SENT_MS = 30_000;

export interface PolicyServerOptions {
  idleMs?: number;
  halfSentMs?: number;
  maxConnections?: number;
}

/** Serves Postfix's policy delegation protocol: one reply for each request of a connection, in order. */
export class PolicyServer {
  private readonly server: Server;
  private readonly connected = new Map<Socket, Connection>();
  private isClosing = false;

  constructor(
    private readonly answer: (request: PolicyRequest) => Promise<string>,
    private readonly onCut: (reason: string) => void,
    private readonly options: PolicyServerOptions = {},
  ) {
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = options.maxConnections ?? 20_000;
  }

  get connections(): number {
    return this.connected.size;
  }

  /** `host:port`, or the path of the unix socket. */
  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return address ?? '';
    return `${address.address}:${address.port}`;
  }

  /** @throws Error when the address is not available. */
  async listen(address: ListenAddress): Promise<void> {
    await listen(this.server, address);
  }

  /**
   * Accepts no new connections, replies to pending requests, and closes. Postfix then connects to the next process.
   */
  async close(deadlineMs: number): Promise<void> {
    this.isClosing = true;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const connection of this.connected.values()) connection.endWhenIdle();
    const timer = setTimeout(() => {
      for (const socket of this.connected.keys()) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(timer);
  }

  private accept(socket: Socket): void {
    const connection = new Connection(socket, this.answer, this.onCut, {
      idleMs: this.options.idleMs ?? IDLE_MS,
      halfSentMs: this.options.halfSentMs ?? HALF_SENT_MS,
    });
    this.connected.set(socket, connection);
    socket.on('close', () => this.connected.delete(socket));
    if (this.isClosing) connection.endWhenIdle();
  }
}

class Connection {
  private readonly reader = new PolicyRequestReader();
  private readonly waiting: PolicyRequest[] = [];
  private isBusy = false;
  private isEnding = false;
  private unfinished: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly answer: (request: PolicyRequest) => Promise<string>,
    private readonly onCut: (reason: string) => void,
    private readonly times: { idleMs: number; halfSentMs: number },
  ) {
    socket.setNoDelay(true);
    socket.setTimeout(times.idleMs);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('timeout', () => this.cut('silence'));
    socket.on('close', () => this.expectTheRest(false));
    socket.on('error', () => socket.destroy());
  }

  endWhenIdle(): void {
    this.isEnding = true;
    if (!this.isBusy && !this.reader.isInside) this.socket.end();
  }

  private take(chunk: Buffer): void {
    try {
      this.waiting.push(...this.reader.read(chunk));
    } catch (error) {
      this.cut(error instanceof PolicyProtocolError ? error.message : String(error));
      return;
    }
    if (!this.isBusy && this.waiting.length > 0) void this.work();
    else if (!this.isBusy) this.expectTheRest(this.reader.isInside);
  }

  /** Replies to the waiting requests. Does not read from the connection meanwhile. */
  private async work(): Promise<void> {
    this.isBusy = true;
    this.expectTheRest(false);
    this.socket.pause();
    for (let request = this.waiting.shift(); request !== undefined; request = this.waiting.shift()) {
      const action = await this.answer(request);
      if (this.socket.destroyed) return;
      if (!this.socket.write(`action=${action}\n\n`)) await drained(this.socket);
    }
    this.isBusy = false;
    if (this.isEnding && !this.reader.isInside) this.socket.end();
    else {
      this.expectTheRest(this.reader.isInside);
      this.socket.resume();
    }
  }

  /** Limits the time from a request's first byte to its last. The socket's time-out restarts with each byte. */
  private expectTheRest(isInside: boolean): void {
    if (!isInside || this.socket.destroyed) {
      clearTimeout(this.unfinished);
      this.unfinished = undefined;
    } else this.unfinished ??= setTimeout(() => this.cut('half a request'), this.times.halfSentMs);
  }

  private cut(reason: string): void {
    this.onCut(reason);
    this.socket.destroy();
  }
}
