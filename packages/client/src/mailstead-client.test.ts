import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiProblem } from './api-problem.js';
import { createClient, type MailsteadClient } from './mailstead-client.js';
import { pages } from './pages.js';
import { createSessionClient } from './session-client.js';

interface Seen {
  method: string;
  path: string;
  key: string | undefined;
  token: string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Handler => {
  return (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const hangUp: Handler = (request) => request.socket.destroy();
const noResponse: Handler = () => undefined;

function clientOf(server: Server, path = '/', timeoutMs = 2_000): MailsteadClient {
  return createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    token: 'a-token',
    retries: 3,
    firstRetryMs: 1,
    maxRetryMs: 5,
    timeoutMs,
  });
}

describe('the client', () => {
  let server: Server;
  let client: MailsteadClient;
  let seen: Seen[];
  /** One for each request. The last one is used for all further requests. */
  let handlers: Handler[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({
        method,
        path: url,
        key: headers['idempotency-key'] as string | undefined,
        token: headers.authorization,
      });
      const handle = handlers.length > 1 ? handlers.shift() : handlers[0];
      handle?.(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Node closes an idle connection after 5 s. A request that meets the close is sent again, and so counts one less
    // here.
    server.keepAliveTimeout = 120_000;
    client = clientOf(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen = [];
  });

  it('sends the token and returns the data', async () => {
    handlers = [json(200, { name: 'example.com' })];
    const { data } = await client.GET('/domains/{domain_name}', { params: { path: { domain_name: 'example.com' } } });
    expect(data).toEqual({ name: 'example.com' });
    expect(seen).toEqual([{ method: 'GET', path: '/domains/example.com', key: undefined, token: 'Bearer a-token' }]);
  });

  it.each(['.', '..', ''])(
    'sends nothing for a name %j in a path, which would be the path of another route',
    async (name) => {
      const month = { month: '2026-11' };
      const usage = { params: { path: { partner_ref: name }, query: month } };
      await expect(client.GET('/partners/{partner_ref}/usage', usage)).rejects.toThrow(/^partner_ref must not be "/);
      const key = { params: { path: { token: name } } };
      await expect(client.DELETE('/api-keys/{token}', key)).rejects.toThrow(/^token must not be "/);
      const page = pages(client, '/domains/{domain_name}/bounces', {}, { path: { domain_name: name } });
      await expect(page.next()).rejects.toThrow(/^domain_name must not be "/);
      const session = createSessionClient({ csrfToken: () => null });
      await expect(session.GET('/partners/{partner_ref}/usage', usage)).rejects.toThrow(/^partner_ref must not be "/);
      expect(seen).toEqual([]);
    },
  );

  it('sends every other name as one segment of the path', async () => {
    handlers = [json(200, {})];
    for (const partner_ref of ['a/../b', '../usage', '%2e%2e', '..\\..', '...', '?a#b', 'ä{partner_ref}$&']) {
      await client.GET('/partners/{partner_ref}', { params: { path: { partner_ref } } });
      const [, , segment = '', ...others] = seen.at(-1)?.path.split('/') ?? [];
      expect([decodeURIComponent(segment), others]).toEqual([partner_ref, []]);
    }
  });

  it('throws a problem with its code, its fields and the request id', async () => {
    const problem = {
      code: 'validation_failed',
      detail: 'name is required',
      errors: [{ field: 'name', message: 'is required' }],
    };
    handlers = [json(422, problem, { 'X-Request-Id': 'r-1' })];
    const error = await client.POST('/domains/', { body: { name: '' } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ status: 422, ...problem, requestId: 'r-1' });
    expect(seen).toHaveLength(1);
  });

  it('throws a problem for an error page of a proxy', async () => {
    handlers = [(_, response) => response.writeHead(403).end('<html>')];
    await expect(client.GET('/me')).rejects.toMatchObject({ status: 403, code: 'unreadable_answer' });
  });

  it('sends the request again after a broken connection, a time-out and 503', async () => {
    handlers = [hangUp, noResponse, json(503, {}), json(200, { kind: 'client' })];
    expect((await client.GET('/me')).data).toEqual({ kind: 'client' });
    expect(seen).toHaveLength(4);
  });

  it('rejects after the time-out when no response arrives, also when garbage was collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // A separate server, because aborted requests may still arrive later.
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const waiting = clientOf(silent, '/', 200);
    const calls = Array.from({ length: 20 }, () =>
      waiting.POST('/outbound/reset-daily').then(
        () => 'answered',
        () => 'given up',
      ),
    );
    const collecting = setInterval(collect, 20);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['given up']));
    clearInterval(collecting);
    silent.closeAllConnections();
    silent.close();
  });

  it('throws the last error after its retries', async () => {
    handlers = [json(503, { code: 'database_unavailable' })];
    await expect(client.GET('/me')).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(seen).toHaveLength(4);
  });

  it('sends all retries of a creation with the same idempotency key, also while the first request runs', async () => {
    handlers = [hangUp, json(409, { code: 'idempotency_in_progress' }), json(201, { id: 1 })];
    await client.POST('/domains/', { body: { name: 'example.com' } });
    const keys = new Set(seen.map(({ key }) => key));
    expect(seen).toHaveLength(3);
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends creations and questions again also below a path of the base URL', async () => {
    const below = clientOf(server, '/mail/v5/');
    handlers = [hangUp, json(201, { id: 1 })];
    await below.POST('/domains/', { body: { name: 'example.com' } });
    handlers = [hangUp, json(200, [])];
    await below.POST('/outbound/looks', { body: { items: [] } });
    expect(seen.map(({ path }) => path)).toEqual([
      '/mail/v5/domains/',
      '/mail/v5/domains/',
      '/mail/v5/outbound/looks',
      '/mail/v5/outbound/looks',
    ]);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(seen[1]?.key).toBe(seen[0]?.key);
  });

  it('never sends increments or resets twice', async () => {
    handlers = [hangUp];
    await expect(client.POST('/outbound/increments', { body: { items: [{ domain: 'example.com' }] } })).rejects.toThrow(
      /hang up|ECONNRESET/,
    );
    await expect(client.POST('/outbound/reset-daily', {})).rejects.toThrow(/hang up|ECONNRESET/);
    expect(seen).toHaveLength(2);
  });
});
