import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../../settings/endpoint.js';
import { PROBE_ADDRESS, PROBE_DOMAIN } from '../probe.js';

/** Postfix writes a command in one packet, and a line of a message has at most 998 characters (RFC 5321). */
const LONGEST_LINE = 4096;
const LARGEST_MESSAGE = 1_048_576;
const IDLE_MS = 30_000;
const MOST_CONNECTIONS = 20;

interface Session {
  /** The names of the messages to the accepted recipients. */
  names: string[];
  inMessage: boolean;
  bytes: number;
}

/**
 * Receives the doctor's own messages by LMTP from both instances of Postfix. It refuses every other recipient (550), so
 * that nobody's mail ends here, and passes nothing on.
 */
export class ProbeListener {
  private readonly expected = new Map<string, (() => void) | null>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.maxConnections = MOST_CONNECTIONS;
    server.on('connection', (socket) => this.serve(socket));
  }

  /** @throws Error when the port is taken. */
  static async start({ host, port }: ListenAddress): Promise<ProbeListener> {
    const listener = new ProbeListener(createServer());
    listener.server.listen(port, host ?? '127.0.0.1');
    await once(listener.server, 'listening');
    return listener;
  }

  /** The recipient of the message with this name, which is accepted from now on. */
  expect(name: string): string {
    this.expected.set(name, null);
    return PROBE_ADDRESS.replace('@', `+${name}@`);
  }

  /** @returns whether the message arrived within this time. */
  async arrives(name: string, withinMs: number): Promise<boolean> {
    if (!this.expected.has(name)) return true;
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs);
      this.expected.set(name, () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    const session: Session = { names: [], inMessage: false, bytes: 0 };
    let buffer = '';
    this.sockets.add(socket);
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      buffer += chunk.toString('latin1');
      session.bytes += chunk.length;
      const lines = buffer.split('\r\n');
      buffer = lines.pop() ?? '';
      if (buffer.length > LONGEST_LINE || session.bytes > LARGEST_MESSAGE) socket.destroy();
      else for (const line of lines) socket.write(this.answer(session, line));
    });
    socket.write(`220 ${PROBE_DOMAIN} LMTP\r\n`);
  }

  private answer(session: Session, line: string): string {
    if (session.inMessage) return line === '.' ? this.receive(session) : '';
    const command = line.slice(0, 4).toUpperCase();
    if (command === 'LHLO') return `250 ${PROBE_DOMAIN}\r\n`;
    if (command === 'QUIT') return '221 2.0.0 Bye\r\n';
    if (command === 'RCPT') return this.addRecipient(session, line);
    if (command === 'DATA') {
      if (session.names.length === 0) return '503 5.5.1 No recipient\r\n';
      session.inMessage = true;
      return '354 Go on\r\n';
    }
    if (!['MAIL', 'RSET', 'NOOP'].includes(command)) return '500 5.5.2 Unknown command\r\n';
    if (command !== 'NOOP') session.names = [];
    return '250 2.0.0 Ok\r\n';
  }

  private addRecipient(session: Session, line: string): string {
    const name = /^RCPT TO:<probe\+([0-9a-f]+)@/i.exec(line)?.[1] ?? '';
    if (!this.expected.has(name)) return '550 5.1.1 This address is only for messages of the doctor\r\n';
    session.names.push(name);
    return '250 2.1.5 Ok\r\n';
  }

  /** LMTP answers for each recipient. */
  private receive(session: Session): string {
    const { names } = session;
    Object.assign(session, { names: [], inMessage: false, bytes: 0 });
    for (const name of names) {
      this.expected.get(name)?.();
      this.expected.delete(name);
    }
    return names.map(() => '250 2.0.0 Arrived\r\n').join('');
  }
}
