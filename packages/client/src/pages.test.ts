import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type MailsteadClient } from './mailstead-client.js';
import { type ListPath, pages, type Row } from './pages.js';

const PAGES_OF = 3;
const TIME = '2026-03-01T12:00:00.123';

describe('pages', () => {
  let server: Server;
  let client: MailsteadClient;
  let seen: string[];
  /** Statuses of the next responses; 200 when empty. */
  let failures: number[];
  let rows: { id: number; name: string; created_at: string }[];
  let isSilent: boolean;

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.url ?? '');
      if (isSilent) return;
      const status = failures.shift() ?? 200;
      const url = new URL(request.url ?? '', 'http://localhost');
      const after = Number(url.searchParams.get('after') ?? 0);
      const limit = Math.min(PAGES_OF, Number(url.searchParams.get('limit')));
      const found = rows.filter(({ id }) => id > after);
      const page = found.slice(0, limit);
      const headers: Record<string, string> = { 'Content-Type': 'application/json' };
      if (found.length > page.length) {
        url.searchParams.set('after', String(page.at(-1)?.id));
        headers.Link = `<${url.pathname}${url.search}>; rel="next"`;
      }
      response.writeHead(status, headers).end(JSON.stringify(status === 200 ? page : {}));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = createClient({
      url: address(),
      token: 'a-token',
      firstRetryMs: 1,
      maxRetryMs: 5,
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [seen, failures, isSilent] = [[], [], false];
    rows = Array.from({ length: 8 }, (_, index) => {
      return { id: index + 1, name: `d${index + 1}.example`, created_at: TIME };
    });
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ids = async (list: AsyncIterable<{ id: number }>) => {
    const found: number[] = [];
    for await (const { id } of list) found.push(id);
    return found;
  };
  const afters = () => seen.map((url) => new URL(url, 'http://localhost').searchParams.get('after'));

  it('returns every row once, in order, and requests the next page by the link of the last', async () => {
    expect(await ids(pages(client, '/domains/'))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(afters()).toEqual([null, '3', '6']);
    rows = [];
    expect(await ids(pages(client, '/domains/'))).toEqual([]);
  });

  it('passes the filters with every page, also those with other characters, and the parameters of the path', async () => {
    const q = 'ä b&c=d+%';
    await ids(pages(client, '/domains/', { q, limit: 2 }));
    const sent = seen.map((url) => new URL(url, 'http://localhost').searchParams);
    expect(sent.map((query) => [query.get('q'), query.get('limit')])).toEqual(sent.map(() => [q, '2']));
    expect(sent).toHaveLength(4);
    seen = [];
    const bounces = pages(client, '/domains/{domain_name}/bounces', {}, { path: { domain_name: 'a.example' } });
    await ids(bounces);
    expect(new Set(seen.map((url) => url.split('?')[0]))).toEqual(new Set(['/domains/a.example/bounces']));
  });

  it('has times as dates', async () => {
    for await (const domain of pages(client, '/domains/')) expect(domain.created_at).toEqual(new Date(`${TIME}Z`));
  });

  it('sends no further request when the loop ends early', async () => {
    for await (const { id } of pages(client, '/domains/')) if (id === 3) break;
    expect(seen).toHaveLength(1);
    const list = pages(client, '/domains/');
    await list.next();
    await list.return();
    expect(await list.next()).toEqual({ done: true, value: undefined });
    expect(seen).toHaveLength(2);
  });

  it('repeats a page that failed, and throws the problem that stays, after the rows before it', async () => {
    failures = [200, 503, 429, 200, 503];
    expect(await ids(pages(client, '/domains/'))).toHaveLength(8);
    failures = [200, 403];
    const found: number[] = [];
    const reading = (async () => {
      for await (const { id } of pages(client, '/domains/')) found.push(id);
    })();
    await expect(reading).rejects.toMatchObject({ status: 403 });
    expect(found).toEqual([1, 2, 3]);
  });

  it('ends with the reason of the signal: before a request, between two rows, and during a request', async () => {
    const reason = new Error('enough');
    await expect(ids(pages(client, '/domains/', {}, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(seen).toEqual([]);
    const between = new AbortController();
    const list = pages(client, '/domains/', {}, { signal: between.signal });
    expect((await list.next()).value).toMatchObject({ id: 1 });
    between.abort(reason);
    await expect(list.next()).rejects.toBe(reason);
    isSilent = true;
    const during = new AbortController();
    const waiting = ids(pages(client, '/domains/', {}, { signal: during.signal }));
    waiting.catch(() => undefined);
    await once(server, 'request');
    during.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });

  it('ends with the reason of the signal while it waits for a repeat', async () => {
    const reason = new Error('enough');
    const slow = createClient({ url: address(), token: 'a-token', firstRetryMs: 60_000, maxRetryMs: 60_000 });
    failures = [503];
    const during = new AbortController();
    const waiting = ids(pages(slow, '/domains/', {}, { signal: during.signal }));
    waiting.catch(() => undefined);
    await once(server, 'request');
    during.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it('compiles for lists only, with their filters and rows', () => {
    const lists: ListPath[] = ['/domains/', '/users/', '/aliases/', '/api-keys/', '/partners/', '/audit'];
    expect(new Set(lists).size).toBe(lists.length);
    const row: Pick<Row<'/audit'>, 'at'> = { at: new Date(0) };
    expect(row.at.getTime()).toBe(0);
    // Never called: the compiler checks the lines, and fails when one of them compiles.
    const wrong = () => [
      // @ts-expect-error a single domain is no list
      pages(client, '/domains/{domain_name}', {}, { path: { domain_name: 'a' } }),
      // @ts-expect-error complete lists without pages are read by GET
      pages(client, '/plans'),
      // @ts-expect-error no such filter
      pages(client, '/domains/', { colour: 'red' }),
      // @ts-expect-error the parameters of the path are missing
      pages(client, '/domains/{domain_name}/bounces', {}),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});
