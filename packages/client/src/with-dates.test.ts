import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, type MailsteadClient } from './mailstead-client.js';

describe('times', () => {
  let server: Server;
  let client: MailsteadClient;
  let answer: unknown;
  let seen: { url: string; body: string };

  beforeAll(async () => {
    server = createServer((request, response) => {
      seen = { url: request.url ?? '', body: '' };
      request.on('data', (chunk: Buffer) => (seen.body += chunk.toString()));
      response.writeHead(200, { 'Content-Type': 'application/json' });
      request.on('end', () => response.end(JSON.stringify(answer)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'a-token' });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const path = { domain_name: 'example.com' };

  it('in responses are dates in UTC, whatever the time zone of the process', async () => {
    answer = { name: 'example.com', created_at: '2026-07-01T12:00:00.123' };
    const { data } = await client.GET('/domains/{domain_name}', { params: { path } });
    const created: Date | undefined = data?.created_at;
    expect(created?.toISOString()).toBe('2026-07-01T12:00:00.123Z');
  });

  it('that are null or missing stay so, at every depth, and in lists', async () => {
    answer = [
      { name: 'a', next_at: null, last_run: null },
      {
        name: 'b',
        next_at: '2026-01-01T00:00:00.000',
        last_run: { started_at: '2026-01-01T00:00:00.001', ended_at: null },
      },
    ];
    const { data = [] } = await client.GET('/jobs');
    expect(data).toEqual([
      { name: 'a', next_at: null, last_run: null },
      {
        name: 'b',
        next_at: new Date('2026-01-01T00:00:00.000Z'),
        last_run: { started_at: new Date('2026-01-01T00:00:00.001Z'), ended_at: null },
      },
    ]);
    const ended: Date | null | undefined = data[1]?.last_run?.ended_at;
    expect(ended).toBeNull();
  });

  it('inside values of any shape stay text: the document does not name them as times', async () => {
    const after = { expires_at: '2026-01-01T00:00:00.000' };
    answer = [{ id: 1, at: '2026-01-01T00:00:00.000', after }];
    const { data } = await client.GET('/audit');
    expect(data).toEqual([{ id: 1, at: new Date('2026-01-01T00:00:00.000Z'), after }]);
  });

  it('in requests may be dates, in the body and in the query', async () => {
    const at = new Date('2026-07-01T12:00:00.123Z');
    answer = { expires_at: '2026-07-01T12:00:00.123' };
    const { data } = await client.POST('/api-keys/', {
      body: { token: 'a-token', partner_ref: 'acme', expires_at: at, mailboxes_per_domain: 0, aliases_per_mailbox: 0 },
    });
    expect(JSON.parse(seen.body)).toMatchObject({ expires_at: at.toISOString() });
    expect(data?.expires_at).toEqual(at);
    await client.GET('/api-keys/{token}/usage', { params: { path: { token: '1' }, query: { since: at } } });
    expect(new URL(seen.url, 'http://localhost').searchParams.get('since')).toBe(at.toISOString());
  });

  it('stay text when the response is read as text', async () => {
    answer = { created_at: '2026-07-01T12:00:00.123' };
    const { data } = await client.GET('/domains/{domain_name}', { params: { path }, parseAs: 'text' });
    expect(data).toBe(JSON.stringify(answer));
  });

  it('are dates for the compiler, and paths, fields and bodies that do not exist do not compile', () => {
    // Never called: the compiler checks the lines, and fails when one of them compiles.
    const wrong = async () => {
      const { data } = await client.GET('/domains/{domain_name}', { params: { path } });
      // @ts-expect-error a time is no text
      const text: string | undefined = data?.created_at;
      // @ts-expect-error a name is no date
      const date: Date | undefined = data?.name;
      // @ts-expect-error no such field
      const absent: unknown = data?.colour;
      // @ts-expect-error no such path
      await client.GET('/colours');
      // @ts-expect-error no such method
      await client.DELETE('/me');
      // @ts-expect-error no parameters of the path
      await client.GET('/domains/{domain_name}');
      // @ts-expect-error no body
      await client.POST('/domains/');
      // @ts-expect-error a body without its field
      await client.POST('/domains/', { body: {} });
      // @ts-expect-error no such filter
      await client.GET('/domains/', { params: { query: { colour: 'red' } } });
      return [text, date, absent];
    };
    expect(wrong).toBeInstanceOf(Function);
  });

  it('cost nothing where the response has none: the policy daemon gets the result as it is', async () => {
    answer = [{ name: 'example.com', created_at: '2026-07-01T12:00:00.123' }];
    const { data } = await client.POST('/outbound/increments', { body: { items: [{ domain: 'example.com' }] } });
    expect(data).toEqual(answer);
  });
});
