import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiProblem } from './api-problem.js';
import { createClient, type MailsteadClient } from './mailstead-client.js';

interface Seen {
  method: string;
  path: string;
  key: string | undefined;
  token: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => {
  return (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
};
const hangUp: Answer = (request) => request.socket.destroy();
const silence: Answer = () => undefined;

function clientOf(server: Server): MailsteadClient {
  return createClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    token: 'a-token',
    retries: 3,
    firstRetryMs: 1,
    maxRetryMs: 5,
    timeoutMs: 500,
  });
}

describe('the client', () => {
  let server: Server;
  let client: MailsteadClient;
  let seen: Seen[];
  /** One for each request; the last one answers all further ones. */
  let answers: Answer[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      seen.push({
        method,
        path: url,
        key: headers['idempotency-key'] as string | undefined,
        token: headers.authorization,
      });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = clientOf(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen = [];
  });

  it('sends the token and answers the data', async () => {
    answers = [json(200, { name: 'example.com' })];
    const { data } = await client.GET('/domains/{domain_name}', { params: { path: { domain_name: 'example.com' } } });
    expect(data).toEqual({ name: 'example.com' });
    expect(seen).toEqual([{ method: 'GET', path: '/domains/example.com', key: undefined, token: 'Bearer a-token' }]);
  });

  it('throws a problem with its code, its fields and the request id', async () => {
    const problem = {
      code: 'validation_failed',
      detail: 'name is required',
      errors: [{ field: 'name', message: 'is required' }],
    };
    answers = [json(422, problem, { 'X-Request-Id': 'r-1' })];
    const error = await client.POST('/domains/', { body: { name: '' } }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ status: 422, ...problem, requestId: 'r-1' });
    expect(seen).toHaveLength(1);
  });

  it('throws a problem for an error page of something in between', async () => {
    answers = [(_, response) => response.writeHead(403).end('<html>')];
    await expect(client.GET('/me')).rejects.toMatchObject({ status: 403, code: 'unreadable_answer' });
  });

  it('asks again after a broken connection, silence and 503', async () => {
    answers = [hangUp, silence, json(503, {}), json(200, { kind: 'client' })];
    expect((await client.GET('/me')).data).toEqual({ kind: 'client' });
    expect(seen).toHaveLength(4);
  });

  it('gives up when nothing comes, whatever the garbage collector took away meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // A server of its own: requests that were given up may arrive later.
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const waiting = clientOf(silent);
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
  }, 10_000);

  it('gives up after its retries with what came last', async () => {
    answers = [json(503, { code: 'database_unavailable' })];
    await expect(client.GET('/me')).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(seen).toHaveLength(4);
  });

  it('creates under one idempotency key, however often it has to ask, also while the first is running', async () => {
    answers = [hangUp, json(409, { code: 'idempotency_in_progress' }), json(201, { id: 1 })];
    await client.POST('/domains/', { body: { name: 'example.com' } });
    const keys = new Set(seen.map(({ key }) => key));
    expect(seen).toHaveLength(3);
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('never sends increments or resets twice', async () => {
    answers = [hangUp];
    await expect(client.POST('/outbound/increments', { body: { items: [{ domain: 'example.com' }] } })).rejects.toThrow(
      /hang up|ECONNRESET/,
    );
    await expect(client.POST('/outbound/reset-daily', {})).rejects.toThrow(/hang up|ECONNRESET/);
    expect(seen).toHaveLength(2);
  });
});
