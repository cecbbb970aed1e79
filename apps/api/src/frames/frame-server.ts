import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { AppError } from '@mailstead/core/errors';
import type { ShutdownCheck } from '@mailstead/core/health-check';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import { FrameConnection, type FrameLimits } from './frame-connection.js';
import type { FramedRoutes } from './framed-routes.js';
import { listenOn } from './listen-on.js';

/** A dead peer behind a tunnel is noticed after some minutes. */
const KEEP_ALIVE_MS = 60_000;

export interface FrameServerLimits extends FrameLimits {
  /** The connections whose token was right. One more is refused. */
  connections: number;
  /** The connections without a right token yet. One more ends the oldest of them. */
  unknown: number;
  /** All connections, with those that are ending. One more is closed at once, without a word. */
  all: number;
}

/** A mail server has one connection. */
export const FRAME_LIMITS: FrameServerLimits = {
  greetingMs: 5_000,
  halfSentMs: 10_000,
  unreadMs: 30_000,
  inFlight: 8,
  connections: 64,
  unknown: 64,
  all: 1_024,
};

/** Serves the policy daemon by frames on an address of this machine. */
export class FrameServer {
  private readonly server: Server;
  private readonly unknown = new Set<FrameConnection>();
  private readonly known = new Set<FrameConnection>();

  constructor(
    private readonly routes: FramedRoutes,
    private readonly shutdown: ShutdownCheck,
    private readonly limits: FrameServerLimits = FRAME_LIMITS,
  ) {
    const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
    this.server = createServer(options, (socket) => this.accept(socket));
    this.server.maxConnections = limits.all;
    shutdown.onBegin(() => {
      for (const connection of this.known) connection.announceEnd();
    });
  }

  /** The connections whose token was right. */
  get connections(): number {
    return this.known.size;
  }

  /** The port, or the path of the unix socket; null while it does not listen. */
  get address(): number | string | null {
    const address = this.server.address();
    return address === null || typeof address === 'string' ? address : address.port;
  }

  /** @throws Error when the address is not available */
  async listen(address: ListenAddress): Promise<void> {
    await listenOn(this.server, address);
  }

  /** Accepts no new connections, answers what runs, and closes. */
  async close(deadlineMs: number): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const connection of this.unknown) connection.refuse(new AppError('shutting_down'));
    for (const connection of this.known) connection.endWhenIdle();
    const late = setTimeout(() => this.known.forEach((each) => each.refuse(new AppError('shutting_down'))), deadlineMs);
    await closed;
    clearTimeout(late);
  }

  private accept(socket: Socket): void {
    const connection: FrameConnection = new FrameConnection(socket, this.routes, this.limits, {
      onGreeted: () => this.admit(connection),
    });
    this.unknown.add(connection);
    socket.once('close', () => {
      this.unknown.delete(connection);
      this.known.delete(connection);
    });
    const [oldest] = this.unknown;
    if (this.unknown.size > this.limits.unknown && oldest !== undefined) this.drop(oldest);
  }

  /** @throws AppError shutting_down, busy */
  private admit(connection: FrameConnection): void {
    this.unknown.delete(connection);
    if (this.shutdown.isStopping) throw new AppError('shutting_down');
    if (this.known.size >= this.limits.connections) throw new AppError('busy');
    this.known.add(connection);
  }

  private drop(connection: FrameConnection): void {
    this.unknown.delete(connection);
    connection.refuse(new AppError('busy'));
  }
}
