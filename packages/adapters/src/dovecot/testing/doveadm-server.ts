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

type Command = [name: string, parameters: { user?: string; query?: string[]; field?: string[] }, tag: string];

/**
 * A fake doveadm HTTP API on loopback, for purges and the usage of a mailbox. Its responses are those of Dovecot
 * 2.3.19.
 */
export class DoveadmServer {
  messages: StoredMessage[] = [];
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
    const [[name, parameters, tag] = ['', {}, '']] = JSON.parse(body) as Command[];
    this.commands.push(`${name} ${parameters.user}`);
    if (this.fault === 'hang') return;
    if (this.fault === 'endless') {
      this.goOn(response);
      return;
    }
    if (this.fault === 'close' || (name !== 'quotaGet' && !isQuery(parameters.query))) {
      request.socket.destroy();
    } else if (typeof this.fault === 'number') {
      response.end(JSON.stringify([['error', { type: 'exitCode', exitCode: this.fault }, tag]]));
    } else {
      const answer = JSON.stringify(this.answer(name, parameters, tag));
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

  private answer(name: string, { user = '', query = [], field = [] }: Command[1], tag: string): unknown {
    if (name === 'quotaGet') return [['doveadmResponse', this.quota(user), tag]];
    const before = Number(query[3]);
    const isExpired = (message: StoredMessage) =>
      (user.startsWith('*') ? message.user.endsWith(user.slice(1)) : message.user === user) && message.savedAt < before;
    const expired = this.messages.filter(isExpired);
    if (name === 'expunge') {
      this.messages = this.messages.filter((message) => !isExpired(message));
      return [['doveadmResponse', [], tag]];
    }
    if (name !== 'fetch' || field[0] !== 'size.physical') return [['error', { type: 'unknownMethod' }, tag]];
    const rows = expired.map((message) => ({ username: message.user, 'size.physical': String(message.bytes) }));
    return [['doveadmResponse', rows, tag]];
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

/** Dovecot closes the connection for a query without a mailbox, and for a date that it cannot parse. */
function isQuery(query: string[] = []): boolean {
  const [mailbox, mask, savedBefore, date] = query;
  return mailbox === 'mailbox' && mask === '*' && savedBefore === 'savedbefore' && /^\d+$/.test(date ?? '');
}
