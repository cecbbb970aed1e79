import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { freeSocketPath } from '../free-socket-path.js';
import type { MessageCounter } from './message-counter.js';
import type { MilterObserver } from './milter-observer.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { MilterSession } from './milter-session.js';
import { readPackets } from './read-packets.js';
import type { SenderCheck } from './sender-check.js';

const MAX_PACKET_BYTES = 1_048_576;
/** Postfix holds the connection for a whole SMTP session, which it lets wait for 300 s. */
const IDLE_MS = 600_000;

export interface MilterOptions {
  /** How long a mail server may be silent, in milliseconds. */
  idleMs?: number;
  maxConnections?: number;
}

/**
 * The milter of the submission service: a logged-in user's message may claim to be from the addresses of its login only, and
 * gives the relay no orders. What passes is counted, at its end.
 */
export class MilterServer {
  private readonly server: Server;
  private readonly serving = new Map<Socket, Promise<void>>();

  constructor(
    private readonly check: SenderCheck,
    private readonly counter: MessageCounter,
    private readonly observer: MilterObserver,
    private readonly options: MilterOptions = {},
  ) {
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = options.maxConnections ?? 20_000;
  }

  /** How many mail server processes are connected. */
  get connections(): number {
    return this.serving.size;
  }

  /**
   * Starts to listen on `{ host, port }` or on the unix socket `{ path }`, which all users of the machine may connect to: its
   * folder keeps out whom it should. @throws Error when the address cannot be had.
   */
  async listen(address: Pick<ListenOptions, 'host' | 'port' | 'path'>): Promise<void> {
    if (address.path !== undefined) await freeSocketPath(address.path);
    this.server.listen({ ...address, readableAll: true, writableAll: true });
    await once(this.server, 'listening');
  }

  /** The address listened on: `host:port`, or the path. */
  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') return address ?? '';
    return `${address.address}:${address.port}`;
  }

  /**
   * Takes no new connections and waits until the mail servers have ended theirs; cuts those that are left when the deadline
   * (in milliseconds) is over. Their messages are put off.
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
    const served = this.serve(socket).finally(() => this.serving.delete(socket));
    this.serving.set(socket, served);
  }

  private async serve(socket: Socket): Promise<void> {
    socket.setNoDelay(true);
    const idleMs = this.options.idleMs ?? IDLE_MS;
    socket.setTimeout(idleMs, () => socket.destroy(new MilterProtocolError(`nothing for ${idleMs} ms`)));
    const session = new MilterSession(this.check, this.counter, this.observer);
    try {
      await pipeline(
        socket,
        async function* (bytes: AsyncIterable<Buffer>) {
          for await (const packet of readPackets(bytes, MAX_PACKET_BYTES)) {
            const reply = await session.take(packet);
            if (session.ended) return;
            if (reply !== null) yield reply;
          }
        },
        socket,
      );
    } catch (error) {
      // A mail server that just went away ends its own messages; there is nobody to tell.
      if (error instanceof MilterProtocolError) this.observer.cut(error.message);
    } finally {
      socket.destroy();
    }
  }
}
