import { connect } from 'node:net';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { CHILD_MASTER, type ChildService } from './child-service.js';

const KEY = 'live-Key.0123456789~abc+def=';
const OTHER_KEY = 'second.live.key-0123456789';
const PASSWORD = 'correct/horse battery';
const ADDRESS = 'ann@secret.test';

interface Sent {
  method: string;
  target: string;
  authorization: string;
  id: string;
}

/** Sends these bytes as a request. @returns the status; 0 when the connection was closed without a response. */
function send(url: string, lines: string[], body = ''): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
    socket.on('error', () => undefined);
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
  });
}

/** Returns the text after each of several percent-decodings, joined. */
function decoded(text: string): string {
  const texts = [text];
  for (let round = 0; round < 3; round += 1) {
    texts.push(
      (texts.at(-1) ?? '').replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
  }
  return texts.join('\n');
}

/** What the log of a process contains that receives secrets. @param running returns it; with `LOG_LEVEL=debug` */
export function loggedSecretsSuite(running: () => ChildService): void {
  let api: ChildService;

  beforeAll(async () => {
    api = running();
    for (const token of [KEY, OTHER_KEY]) await api.call('POST', '/api-keys/', { token, partner_ref: 'acme' });
    await api.call('POST', '/domains/', { name: 'secret.test' }, KEY);
    await api.call('POST', '/users/', { email: ADDRESS, password: PASSWORD }, KEY);
  });

  const escaped = (text: string) => text.replaceAll(/./gu, (each) => `%${each.charCodeAt(0).toString(16)}`);
  const secret = fc
    .tuple(
      fc.constantFrom(KEY, OTHER_KEY, PASSWORD),
      fc.constantFrom<(text: string) => string>(
        (text) => text,
        encodeURIComponent,
        escaped,
        (text) => encodeURIComponent(escaped(text)),
        (text) => escaped(text.slice(0, 1)) + text.slice(1),
      ),
    )
    .map(([text, encode]) => encode(text).replaceAll(' ', '%20'));
  const target = fc
    .record({
      origin: fc.constantFrom(
        '',
        '',
        '',
        'http://host',
        'http://host:80',
        'HTTP://user:pw@host',
        '//host',
        'host',
        '*',
      ),
      start: fc.constantFrom('/', '/', '/', '//', '/./', '/x/../', '\\', ''),
      collection: fc.constantFrom(
        'api-keys',
        'API-KEYS',
        '%61pi-keys',
        'users',
        'domains',
        'aliases',
        'partners',
        'jobs',
        'docs',
        'nowhere',
      ),
      separator: fc.constantFrom('/', '/', '/', '//', '%2f', '/./', '\\', '/;', '?token=', '#'),
      secret,
      end: fc.constantFrom('', '/', '/usage', '?limit=1', ';a=b', '%zz', '%', '%00', '@nobody', '/run'),
    })
    .map((part) => part.origin + part.start + part.collection + part.separator + part.secret + part.end);
  const request: fc.Arbitrary<Sent> = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'POST', 'BREW'),
    target,
    authorization: fc.constantFrom(`Bearer ${CHILD_MASTER}`, `Bearer ${KEY}`, `Basic ${OTHER_KEY}`, KEY, ''),
    id: fc.constantFrom('id-1', KEY, OTHER_KEY),
  });

  it('contains neither a key nor a password, whatever the form of the request', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target: asked, authorization, id }) => {
        const isCarried = authorization.includes(id) || (asked.split('#')[0] ?? '').includes(id);
        const status = await send(api.url, [
          `${method} ${asked} HTTP/1.1`,
          'Host: host',
          `Authorization: ${authorization}`,
          `Referer: http://host/api-keys/${KEY}`,
          `User-Agent: ${OTHER_KEY}`,
          `X-Request-Id: ${isCarried ? id : 'id-2'}`,
          'Connection: close',
        ]);
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }),
      {
        numRuns: sampleSize(1_000, 250),
        examples: [
          // For a wrong port, Node writes a warning that contains the whole URL.
          [`http://host:80x/api-keys/${KEY}`, 'id-1'],
          [`//user@host:80x/${KEY}#`, 'id-1'],
          [`//user@host:80x/${KEY}\u00a0`, 'id-1'],
          // The whole text is the host of the target; the path is empty.
          [`http://hostapi-keys%2f${OTHER_KEY}`, OTHER_KEY],
        ].map(([asked = '', id = '']): [Sent] => [{ method: 'GET', target: asked, authorization: '', id }]),
      },
    );
    const body = `{"email":"${ADDRESS}","password":"${PASSWORD}"`;
    for (const text of [body, `${body},"token":"${KEY}"}`, `${body},"name":7}`]) {
      const lines = [`Authorization: Bearer ${KEY}`, 'Content-Type: application/json', 'Host: x', 'Connection: close'];
      const status = await send(api.url, ['POST /users/ HTTP/1.1', ...lines, `Content-Length: ${text.length}`], text);
      expect([400, 422]).toContain(status);
    }
    await api.until(async () => api.output.includes('(no route)'));
    const log = decoded(api.output);
    const lines = log.split('\n');
    for (const text of [KEY, OTHER_KEY, PASSWORD, CHILD_MASTER]) {
      expect(lines.filter((line) => line.includes(text))).toEqual([]);
    }
    const metrics = await (
      await fetch(`${api.url}/metrics`, { headers: { Authorization: `Bearer ${CHILD_MASTER}` } })
    ).text();
    const audit = JSON.stringify((await api.call('GET', '/audit')).body);
    for (const text of [KEY, OTHER_KEY, PASSWORD]) expect(decoded(metrics + audit)).not.toContain(text);
  });

  it('contains the route, with only domain names and addresses of the path filled in', async () => {
    await api.call('GET', '/domains/Secret.TEST', undefined, KEY);
    await api.call('GET', `/users/${encodeURIComponent(ADDRESS)}`, undefined, KEY);
    await api.call('GET', '/nowhere/at/all', undefined, KEY);
    await api.call('PATCH', `/api-keys/${KEY}`, undefined, KEY);
    await api.until(async () => api.output.includes('"method":"PATCH","path":"/api-keys/:token"'));
    for (const path of ['/domains/secret.test', `/users/${ADDRESS}`, '(no route)']) {
      expect(api.output).toContain(`"path":"${path}"`);
    }
  });

  describe('a request with a target in absolute form', () => {
    const call = (method: string, target_: string, body = '', token = KEY) =>
      send(
        api.url,
        [
          `${method} ${target_} HTTP/1.1`,
          'Host: elsewhere',
          `Authorization: Bearer ${token}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          'Connection: close',
        ],
        body,
      );

    it('is served like its path, once', async () => {
      expect(await call('POST', 'http://host/domains/', '{"name":"whole.test"}')).toBe(201);
      expect(await call('POST', 'http://host/domains/', '{"name":"whole.test"}')).toBe(400);
      expect((await api.call('GET', '/me', undefined, KEY)).body.domains_used).toBe(2);
      expect(await call('DELETE', 'http://host/domains/whole.test')).toBe(204);
      expect(await call('DELETE', 'http://host/domains/whole.test')).toBe(404);
      expect(await call('DELETE', `http://host/api-keys/${OTHER_KEY}`, '', CHILD_MASTER)).toBe(204);
      expect(await call('GET', '/me', '', OTHER_KEY)).toBe(401);
    });

    it.each(['//domains/', '/%64omains/', '/domains%2f', '/./domains/', '/x/../domains/'])(
      'is not confused with %s, which is no path of ours',
      async (path) => {
        expect(await call('POST', path, '{"name":"odd.test"}')).toBe(404);
        expect((await api.call('GET', '/me', undefined, KEY)).body.domains_used).toBe(1);
      },
    );

    it('gets links to pages on the host that it called', async () => {
      const response = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        socket.on('close', () => resolve(text));
        socket.write(
          `GET http://elsewhere/audit?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${CHILD_MASTER}\r\nConnection: close\r\n\r\n`,
        );
      });
      expect(response).toMatch(/^Link: <\/audit\?limit=1&after=\d+>; rel="next"\r$/m);
    });
  });

  it('contains no cookie, no CSRF token and no code, whatever the form of the request', async () => {
    await api.call('POST', '/domains/', { name: 'session.test' });
    const { body: link } = await api.call('POST', '/portal-links', { domain: 'session.test', scope: 'dns' });
    const code = String(link.url).split('#code=')[1] ?? '';
    const opened = await fetch(`${api.url}/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'opened' },
      body: JSON.stringify({ code }),
    });
    const cookie = /__Host-mailstead=([^;]+)/.exec(opened.headers.get('set-cookie') ?? '')?.[1] ?? '';
    const csrf = String(((await opened.json()) as Record<string, unknown>).csrf_token);
    expect([code, cookie, csrf].map(({ length }) => length)).toEqual([43, 43, 43]);
    const session = { Cookie: `__Host-mailstead=${cookie}`, 'X-CSRF-Token': csrf };
    for (const [method, path, headers, body] of [
      ['GET', '/me', session, null],
      ['GET', '/me', { ...session, 'X-Request-Id': cookie }, null],
      ['GET', '/me', { ...session, 'X-Request-Id': csrf }, null],
      ['GET', `/portal/enter/${code}`, {}, null],
      ['GET', `/sessions/${code}`, session, null],
      ['DELETE', `/sessions/${cookie}`, session, null],
      ['DELETE', `/portal-links/${code}`, session, null],
      ['GET', '/me', { Cookie: `__Host-mailstead=${cookie}; __Host-mailstead=${csrf}` }, null],
      ['POST', '/sessions', {}, `{"code":"${code}"`],
      ['POST', '/sessions', {}, `{"code":"${code}","x":1}`],
      ['POST', '/sessions/preview', {}, `{"code":"${code}"}`],
      ['DELETE', '/sessions/current', { ...session, 'X-Request-Id': 'last' }, null],
    ] as [string, string, Record<string, string>, string | null][]) {
      await fetch(`${api.url}${path}`, { method, headers: { 'Content-Type': 'application/json', ...headers }, body });
    }
    await api.until(async () => api.output.includes('"last"'));
    const stored = JSON.stringify([
      (await api.call('GET', '/audit')).body,
      (await api.call('GET', '/portal-links')).body,
    ]);
    for (const secret of [code, cookie, csrf]) {
      expect(api.output.split('\n').filter((line) => line.includes(secret))).toEqual([]);
      expect(stored).not.toContain(secret);
    }
  });
}
