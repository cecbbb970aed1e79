import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { inTurn } from '@mailstead/core/http/pipelines';
import type { ListenAddress } from '@mailstead/core/settings/listen-address';
import type { LoginTurns } from './login-turns.js';
import { readLogin } from './read-login.js';
import type { TrustedHosts } from './trusted-hosts.js';

/** Dovecot closes an unused connection after 10 s; this server must not be the first to close. */
const KEEP_ALIVE_MS = 60_000;
const MOST_BYTES = 16_384;

const ALLOW = { status: 0 };
const REFUSE = { status: -1, msg: 'Too many logins at once, try again' };

export type LoginOutcome = 'allowed' | 'refused';

const COMMANDS = ['allow', 'report', 'trusts'];

/**
 * Serves the auth policy protocol of Dovecot 2.3 and 2.4: `POST ?command=allow` before a password is checked,
 * `?command=report` after it. The response to `allow` waits until the check may begin. The doctor asks `trusts`:
 * whether the peer is a trusted host (status 1).
 */
export class LoginServer {
  private readonly server: Server;

  constructor(
    private readonly turns: LoginTurns,
    private readonly trusted: TrustedHosts,
    private readonly onDecided: (outcome: LoginOutcome) => void,
  ) {
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.serve(request, response).catch(() => response.destroy());
    };
    this.server = createServer(inTurn(serve));
    this.server.keepAliveTimeout = KEEP_ALIVE_MS;
  }

  /** `host:port`. */
  get address(): string {
    const address = this.server.address();
    return address === null || typeof address === 'string' ? (address ?? '') : `${address.address}:${address.port}`;
  }

  /** @throws Error when the address is not available. */
  async listen(address: ListenAddress): Promise<void> {
    this.server.listen(address);
    await once(this.server, 'listening');
  }

  close(): void {
    this.server.close();
    this.turns.close();
    this.server.closeIdleConnections();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    const command = new URL(request.url ?? '', 'http://policyd').searchParams.get('command');
    const login = request.method === 'POST' ? readLogin(await bodyOf(request), this.trusted) : null;
    if (login === null || command === null || !COMMANDS.includes(command)) {
      response.writeHead(400).end();
      return;
    }
    if (command === 'trusts') {
      answer(response, { status: login.client === null ? 1 : 0 });
      return;
    }
    if (command === 'report') {
      this.turns.end(login.id);
      answer(response, ALLOW);
      return;
    }
    const mayBegin = await this.turns.begin(login, closed.signal);
    this.onDecided(mayBegin ? 'allowed' : 'refused');
    answer(response, mayBegin ? ALLOW : REFUSE);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += String(chunk);
    if (body.length > MOST_BYTES) throw new Error('the request is too large');
  }
  return body;
}

function answer(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
