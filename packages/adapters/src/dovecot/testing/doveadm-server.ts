import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StoredMessage {
  user: string;
  bytes: number;
  /** Unix time, seconds. */
  savedAt: number;
}

/**
 * A number is returned as the exit code of a failed command. `close` closes the connection without a response, `hang`
 * sends no response, `cut` closes the connection before the end of the response, `endless` goes on as long as the
 * client reads.
 */
export type DoveadmFault = number | 'close' | 'hang' | 'cut' | 'endless';

interface Parameters {
  user?: string;
  query?: string[];
  field?: string[];
  mask?: string[];
}

type Command = [name: string, parameters: Parameters, tag: string];

/**
 * A fake doveadm HTTP API on loopback, for purges, the usage of a mailbox, and open sessions. Its responses are those
 * of Dovecot 2.3.19, or with `isNew` those of 2.4.1 to `who` and `kick`.
 */
export class DoveadmServer {
  messages: StoredMessage[] = [];
  /** The logins of open sessions. */
  sessions: string[] = [];
  isNew = false;
  fault: DoveadmFault | null = null;
  /** All commands received, like `expunge *@example.com`. */
  readonly commands: string[] = [];
  /** Bytes written of an endless response. */
  endlessBytes = 0;

  private constructor(
    private readonly server: Server,
    private readonly apiKey: string,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.serve(request, response, Buffer.concat(chunks).toString()));
    });
  }

  static async start(apiKey: string): Promise<DoveadmServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DoveadmServer(server, apiKey);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/doveadm/v1`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(request: IncomingMessage, response: ServerResponse, body: string): void {
    const expected = `X-Dovecot-API ${Buffer.from(this.apiKey).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401).end();
      return;
    }
    const commands = JSON.parse(body) as Command[];
    const [[name, parameters, tag] = ['', {}, '']] = commands;
    for (const [each, { user, mask }] of commands) this.commands.push(`${each} ${user ?? mask?.join() ?? 'everybody'}`);
    if (this.fault === 'hang') return;
    if (this.fault === 'endless') {
      this.goOn(response);
      return;
    }
    if (this.fault === 'close' || (READS_QUERY.has(name) && !isQuery(parameters.query))) {
      request.socket.destroy();
    } else if (typeof this.fault === 'number') {
      response.end(JSON.stringify([['error', { type: 'exitCode', exitCode: this.fault }, tag]]));
    } else {
      const answer = JSON.stringify(commands.map((command) => this.answer(...command)));
      // Small pieces, so that rows are split between chunks.
      for (let start = 0; start < answer.length; start += 50) response.write(answer.slice(start, start + 50));
      if (this.fault === 'cut') request.socket.destroySoon();
      else response.end();
    }
  }

  private goOn(response: ServerResponse): void {
    const piece = Buffer.alloc(16_384, ' ');
    const write = () => {
      do {
        if (response.destroyed) return;
        this.endlessBytes += piece.length;
      } while (response.write(piece));
    };
    response.on('drain', write);
    write();
  }

  private answer(name: string, { user = '', query = [], field = [], mask = [] }: Parameters, tag: string): unknown {
    if (name === 'quotaGet') return ['doveadmResponse', this.quota(user), tag];
    if (name === 'who') return this.who(tag);
    if (name === 'kick') return this.kick(mask, tag);
    const before = Number(query[3]);
    const isExpired = (message: StoredMessage) =>
      (user.startsWith('*') ? message.user.endsWith(user.slice(1)) : message.user === user) && message.savedAt < before;
    const expired = this.messages.filter(isExpired);
    if (name === 'expunge') {
      this.messages = this.messages.filter((message) => !isExpired(message));
      return ['doveadmResponse', [], tag];
    }
    if (name !== 'fetch' || field[0] !== 'size.physical') return ['error', { type: 'unknownMethod' }, tag];
    const rows = expired.map((message) => ({ username: message.user, 'size.physical': String(message.bytes) }));
    return ['doveadmResponse', rows, tag];
  }

  private who(tag: string): unknown {
    const more = this.isNew ? { dest_ip: '' } : {};
    const rows = this.sessions.map((username, index) => {
      return { username, service: 'imap', pid: String(1_000 + index), ip: '192.0.2.1', ...more };
    });
    return ['doveadmResponse', rows, tag];
  }

  /** An empty list of masks is everybody in 2.3; any other number than one is an error of both versions. */
  private kick(masks: string[], tag: string): unknown {
    const [mask = '*'] = masks;
    if (masks.length > 1) return ['error', { type: 'exitCode', exitCode: 64 }, tag];
    const isMeant = (user: string) => (mask.startsWith('*') ? user.endsWith(mask.slice(1)) : user === mask);
    const ended = this.sessions.filter(isMeant);
    this.sessions = this.sessions.filter((user) => !isMeant(user));
    if (this.isNew) return ['doveadmResponse', [{ count: String(ended.length) }], tag];
    if (ended.length === 0) return ['error', { type: 'exitCode', exitCode: 68 }, tag];
    return ['doveadmResponse', ended.map((result) => ({ result })), tag];
  }

  private quota(user: string): object[] {
    const own = this.messages.filter((message) => message.user === user);
    const kilobytes = Math.ceil(own.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024);
    return [
      { root: 'User quota', type: 'STORAGE', value: String(kilobytes), limit: '1048576', percent: '0' },
      { root: 'User quota', type: 'MESSAGE', value: String(own.length), limit: '-', percent: '0' },
    ];
  }
}

const READS_QUERY = new Set(['fetch', 'expunge']);

/** Dovecot closes the connection for a query without a mailbox, and for a date that it cannot parse. */
function isQuery(query: string[] = []): boolean {
  const [mailbox, mask, savedBefore, date] = query;
  return mailbox === 'mailbox' && mask === '*' && savedBefore === 'savedbefore' && /^\d+$/.test(date ?? '');
}
