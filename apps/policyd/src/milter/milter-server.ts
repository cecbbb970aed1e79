import { once } from 'node:events';
import { createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { freeSocketPath } from '../free-socket-path.js';
import type { MessageCounter } from './message-counter.js';
import type { MilterObserver } from './milter-observer.js';
import { MilterProtocolError } from './milter-protocol-error.js';
import { MilterSession } from './milter-session.js';
import { readPackets } from './read-packets.js';

const MAX_PACKET_BYTES = 1_048_576;
/** Postfix keeps the connection for the whole SMTP session, which may be idle for 300 s. */
const IDLE_MS = 600_000;

export interface MilterOptions {
  /** Milliseconds after which an idle connection is closed. */
  idleMs?: number;
  maxConnections?: number;
}

/**
 * Serves the milter protocol for Postfix. Reads a message's sender addresses, removes its `X-SES-` fields, and counts the
 * message at its end, if its login may use the addresses.
 */
export class MilterServer {
  private readonly server: Server;
  private readonly serving = new Map<Socket, Promise<void>>();

  constructor(
    private readonly counter: MessageCounter,
    private readonly observer: MilterObserver,
    private readonly options: MilterOptions = {},
  ) {
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = options.maxConnections ?? 20_000;
  }

  /** The number of connected mail server processes. */
  get connections(): number {
    return this.serving.size;
  }

  /**
   * Listens on `{ host, port }` or on the unix socket `{ path }`. The socket is open to all users of the machine, so the
   * permissions of its folder must restrict access.
   *
   * @throws Error when the address is not available.
   */
  async listen(address: Pick<ListenOptions, 'host' | 'port' | 'path'>): Promise<void> {
    if (address.path !== undefined) await freeSocketPath(address.path);
    this.server.listen({ ...address, readableAll: true, writableAll: true });
    await once(this.server, 'listening');
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
    const served = this.serve(socket).finally(() => this.serving.delete(socket));
    this.serving.set(socket, served);
  }

  private async serve(socket: Socket): Promise<void> {
    socket.setNoDelay(true);
    const idleMs = this.options.idleMs ?? IDLE_MS;
    socket.setTimeout(idleMs, () => socket.destroy(new MilterProtocolError(`nothing for ${idleMs} ms`)));
    const session = new MilterSession(this.counter, this.observer);
    try {
      await pipeline(
        socket,
        async function* (bytes: AsyncIterable<Buffer>) {
          for await (const packet of readPackets(bytes, MAX_PACKET_BYTES)) {
            const reply = await session.handle(packet);
            if (session.ended) return;
            if (reply !== null) yield reply;
          }
        },
        socket,
      );
    } catch (error) {
      // Other errors mean that the mail server disconnected.
      if (error instanceof MilterProtocolError) this.observer.cut(error.message);
    } finally {
      socket.destroy();
    }
  }
}
