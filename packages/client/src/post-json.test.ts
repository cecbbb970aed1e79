import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiProblem } from './api-problem.js';
import { createPostJson, type PostJson } from './post-json.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const ITEM = { domain: 'exämple.com', sender: 'info@exämple.com', recipient: 'one@out.example' };

const respond = (status: number, body: string, headers: Record<string, string> = {}): Handler => {
  return (_, response) => response.writeHead(status, headers).end(body);
};

describe('a POST without the typed client', () => {
  let server: Server;
  let handle: Handler;
  let seen: { method: string; path: string; token: string; type: string; length: string; body: string }[];

  const post = (base = '', timeoutMs = 2_000): PostJson =>
    createPostJson({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, token: 't', timeoutMs });
  const look = (base?: string, timeoutMs?: number) => post(base, timeoutMs)('/outbound/looks', { items: [ITEM] });
  const thrownBy = (call: Promise<unknown>) => call.catch((error: unknown) => error);

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      void text(request).then((body) => {
        const { authorization = '', 'content-type': type = '', 'content-length': length = '' } = headers;
        seen.push({ method, path: url, token: authorization, type, length, body });
        handle(request, response);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.keepAliveTimeout = 120_000;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    seen = [];
  });

  it('sends the token and the body with its length, and returns the data', async () => {
    handle = respond(200, '[{"name":"exämple.com"}]');
    expect(await look()).toEqual([{ name: 'exämple.com' }]);
    const body = JSON.stringify({ items: [ITEM] });
    expect(seen).toEqual([
      {
        method: 'POST',
        path: '/outbound/looks',
        token: 'Bearer t',
        type: 'application/json',
        length: String(Buffer.byteLength(body)),
        body,
      },
    ]);
  });

  it('appends the path to that of the base URL, with or without a slash at its end', async () => {
    handle = respond(200, '[]');
    await look('/v5');
    await look('/v5/');
    expect(seen.map(({ path }) => path)).toEqual(['/v5/outbound/looks', '/v5/outbound/looks']);
  });

  it('returns data that arrives in parts, also when a character is split', async () => {
    const [first, second] = [Buffer.from('[{"name":"exä').subarray(0, -1), Buffer.from('ämple"}]').subarray(1)];
    handle = (_, response) => {
      response.write(first, () => setImmediate(() => response.end(second)));
    };
    expect(await look()).toEqual([{ name: 'exämple' }]);
  });

  it('throws a problem with its code, its fields and the request id', async () => {
    const problem = { code: 'validation_failed', detail: 'no', errors: [{ field: 'items', message: 'is wrong' }] };
    handle = respond(422, JSON.stringify(problem), { 'X-Request-Id': 'r-1' });
    const error = await thrownBy(look());
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ status: 422, ...problem, requestId: 'r-1' });
  });

  it.each([
    [301, 'moved'],
    [429, ''],
    [503, '<html>'],
  ])('throws a problem for %i of a proxy, and sends nothing again', async (status, body) => {
    handle = respond(status, body, { Location: '/elsewhere' });
    expect(await thrownBy(look())).toMatchObject({ status, code: 'unreadable_answer', requestId: null });
    expect(seen).toHaveLength(1);
  });

  it('throws for a 200 that is not JSON', async () => {
    handle = respond(200, '<html>');
    expect(await thrownBy(look())).toBeInstanceOf(SyntaxError);
    handle = respond(200, '');
    expect(await thrownBy(look())).toBeInstanceOf(SyntaxError);
  });

  it('throws after the time-out, also when the response has begun', async () => {
    handle = () => undefined;
    await expect(look('', 20)).rejects.toThrow('No answer within 20 ms');
    handle = (_, response) => response.writeHead(200, { 'Content-Length': '10' }).write('[');
    await expect(look('', 20)).rejects.toThrow('No answer within 20 ms');
  });

  it('throws when the connection breaks, before or within the response', async () => {
    handle = (request) => request.socket.destroy();
    await expect(look()).rejects.toThrow(/hang up|ECONNRESET/);
    handle = (request, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('[', () => request.socket.destroy());
    };
    await expect(look()).rejects.toThrow(/aborted|ECONNRESET/);
  });
});
