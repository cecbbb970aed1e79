import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { drained } from '../drained.js';
import { listen } from '../listen.js';
import type { OpenSessions } from '../open-sessions.js';
import type { MessageCounter } from './message-counter.js';
import type { MilterObserver } from './milter-observer.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { MilterSession } from './milter-session.js';
import { PacketReader } from './read-packets.js';

const MAX_PACKET_BYTES = 1_048_576;
/** Postfix keeps the connection for the whole SMTP session, which may be idle for 300 s. */
const IDLE_MS = 600_000;

export interface MilterOptions {
  /** Milliseconds after which an idle connection is closed. */
  idleMs?: number;
  maxConnections?: number;
}

/**
 * Serves the milter protocol for Postfix. Reads a message's sender addresses, removes its `X-SES-` and `X-Mailbox-Line`
 * fields, and counts the message at its end, if its login may use the addresses.
 */
export class MilterServer {
  private readonly server: Server;
  private readonly serving = new Map<Socket, Promise<void>>();

  constructor(
    private readonly counter: MessageCounter,
    private readonly observer: MilterObserver,
    private readonly sessions: OpenSessions,
    private readonly options: MilterOptions = {},
  ) {
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = options.maxConnections ?? 20_000;
  }

  /** The number of connected mail server processes. */
  get connections(): number {
    return this.serving.size;
  }

  /** @throws Error when the address is not available. */
  async listen(address: Pick<ListenOptions, 'host' | 'port' | 'path'>): Promise<void> {
    await listen(this.server, address);
  }

  /** `host:port`, or the path of the unix socket. */
  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return address ?? '';
    return `${address.address}:${address.port}`;
  }

  /**
   * Accepts no new connections and waits until the mail servers have closed theirs. Closes the remaining connections
   * after the deadline; their messages are deferred.
   *
   * @param deadlineMs milliseconds.
   */
  async close(deadlineMs: number): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    const timer = setTimeout(() => {
      for (const socket of this.serving.keys()) socket.destroy();
    }, deadlineMs);
    await closed;
    clearTimeout(timer);
    await Promise.all(this.serving.values());
  }

  private accept(socket: Socket): void {
    const session = new MilterSession(this.counter, this.observer, this.sessions);
    const connection = new Connection(socket, session, this.observer, this.options.idleMs ?? IDLE_MS);
    const served = connection.served().finally(() => {
      session.close();
      this.serving.delete(socket);
    });
    this.serving.set(socket, served);
  }
}

class Connection {
  private readonly reader = new PacketReader(MAX_PACKET_BYTES);
  private handled: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Socket,
    private readonly session: MilterSession,
    private readonly observer: MilterObserver,
    idleMs: number,
  ) {
    socket.setNoDelay(true);
    socket.setTimeout(idleMs, () => socket.destroy(new MilterProtocolError(`nothing for ${idleMs} ms`)));
    socket.on('data', (chunk) => {
      this.handled = this.handle(chunk);
    });
    socket.on('error', (error) => {
      // Other errors mean that the mail server disconnected.
      if (error instanceof MilterProtocolError) this.observer.cut(error.message);
    });
  }

  /** Resolves when the connection is closed and its last message is decided. */
  async served(): Promise<void> {
    await new Promise((resolve) => this.socket.on('close', resolve));
    await this.handled;
    const brokeOff = this.socket.readableEnded && this.reader.isInside;
    if (brokeOff) this.observer.cut('the connection broke off inside a packet');
  }

  /** Handles the packets that are complete with this chunk. Does not read from the connection meanwhile. */
  private async handle(chunk: Buffer): Promise<void> {
    this.socket.pause();
    try {
      for (const packet of this.reader.read(chunk)) {
        const reply = await this.session.handle(packet);
        if (this.session.ended) this.socket.destroySoon();
        if (this.session.ended || this.socket.destroyed) return;
        if (reply !== null && !this.socket.write(reply)) await drained(this.socket);
      }
      this.socket.resume();
    } catch (error) {
      this.socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
