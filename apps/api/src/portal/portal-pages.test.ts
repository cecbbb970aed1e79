import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import supertest from 'supertest';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const SCRIPT = 'console.log(1);\n'.repeat(100);
const HTML =
  '<html data-demo="IS_THE_SERVICE_A_DEMO" data-undo-ms="HOW_LONG_UNDO_IS_OFFERED"><meta property="csp-nonce" nonce="NONCE_OF_THE_RESPONSE"><script src="x.js" nonce="NONCE_OF_THE_RESPONSE">';
const NONCE = /nonce="([A-Za-z0-9+/=]{24})"/g;

describe('the files of the portal', () => {
  let folder: string;
  let api: TestApi;
  const get = (path: string, headers: Record<string, string> = {}) => supertest(api.url).get(path).set(headers);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailstead-portal-'));
    await writeFile(join(folder, '..', 'outside.js'), 'outside');
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'assets/main-1a2b.js'), SCRIPT);
    await writeFile(join(folder, 'assets/main-1a2b.js.gz'), gzipSync(SCRIPT));
    await writeFile(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(folder, 'assets/small-3c4d.svg'), '<svg/>');
    await writeFile(join(folder, 'index.html'), HTML);
    api = await startTestApi('sqlite', {}, { portalFolder: folder });
  });
  afterAll(async () => {
    await api.close();
    await rm(folder, { recursive: true });
    await rm(join(tmpdir(), 'outside.js'), { force: true });
  });

  it.each(['/portal', '/portal/', '/portal/domains/example.com/dns', '/portal/users/a@b.example?as=acme'])(
    'show the page at %s, so that every address can be sent',
    async (path) => {
      const { text, headers } = await get(path).expect(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      expect(text).toContain('csp-nonce');
    },
  );

  it('say for how long the page offers to take a change back, which takes the factor of all deadlines', async () => {
    scaleDeadlines(2);
    expect((await get('/portal/').expect(200)).text).toContain('<html data-demo="false" data-undo-ms="30000">');
  });

  it('give every response a nonce of its own, in the page and in the policy', async () => {
    const nonces = [];
    for (let asked = 0; asked < 3; asked += 1) {
      const { text, headers } = await get('/portal/').expect(200);
      const inPage = [...text.matchAll(NONCE)].map(([, nonce]) => nonce);
      expect(inPage).toHaveLength(2);
      expect(new Set(inPage).size).toBe(1);
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${inPage[0]}'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      );
      nonces.push(inPage[0]);
    }
    expect(new Set(nonces).size).toBe(3);
  });

  it('have the security headers of every other response', async () => {
    const [page, asset, other] = await Promise.all([
      get('/portal/'),
      get('/portal/assets/main-1a2b.js'),
      get('/health'),
    ]);
    for (const name of ['strict-transport-security', 'x-content-type-options', 'referrer-policy', 'x-frame-options']) {
      expect(other.headers[name]).toBeDefined();
      expect([page.headers[name], asset.headers[name]]).toEqual([other.headers[name], other.headers[name]]);
    }
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', undefined],
  ])('send an asset for `Accept-Encoding: %s` as %s, for ever', async (accepted, encoding) => {
    const { text, headers } = await get('/portal/assets/main-1a2b.js', { 'Accept-Encoding': accepted }).expect(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers.vary).toBe('Accept-Encoding');
    // supertest does not decode br.
    if (encoding !== 'br') expect(text).toBe(SCRIPT);
  });

  it('are not sent again to who has them, and an ETag belongs to one encoding', async () => {
    const asked = { 'Accept-Encoding': 'gzip' };
    const { etag } = (await get('/portal/assets/main-1a2b.js', asked)).headers;
    const again = await get('/portal/assets/main-1a2b.js', { ...asked, 'If-None-Match': `"x", ${etag}` }).expect(304);
    expect(again.text).toBe('');
    await get('/portal/assets/main-1a2b.js', { 'Accept-Encoding': 'br', 'If-None-Match': etag ?? '' }).expect(200);
  });

  it('answer HEAD with the headers alone', async () => {
    for (const path of ['/portal/', '/portal/assets/main-1a2b.js']) {
      const { text, headers } = await supertest(api.url).head(path).set('Accept-Encoding', 'gzip').expect(200);
      expect(text).toBeUndefined();
      expect(Number(headers['content-length'])).toBeGreaterThan(0);
    }
  });

  it.each([
    '/portal/assets/none.js',
    '/portal/assets/main-1a2b.js.gz',
    '/portal/assets/..%2findex.html',
    '/portal/assets/%2e%2e%2f%2e%2e%2foutside.js',
    '/portal/assets/x/../../../outside.js',
    '/portal/assets/main-1a2b.js%00',
    '/portal/assets/%zz',
  ])('do not exist at %s', async (path) => {
    const { status, text } = await raw(api.url, path);
    expect(status).toBe(404);
    expect(text).toContain('route_not_found');
  });

  it('are what a browser is led to from the root, and nobody else', async () => {
    const { headers } = await get('/', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }).expect(302);
    expect(headers.location).toBe('/portal/');
    for (const accept of ['*/*', 'application/json']) await get('/', { Accept: accept }).expect(404);
  });

  it('take any query, but no other method', async () => {
    await get('/portal/?utm_source=mail').expect(200);
    expect((await supertest(api.url).post('/portal/').expect(405)).headers.allow).toBe('GET, HEAD');
  });

  it('are those of the newest build, without a restart', async () => {
    await writeFile(join(folder, 'assets/later-5e6f.js'), 'later');
    await writeFile(join(folder, 'index.html'), `${HTML}newer`);
    await utimes(join(folder, 'index.html'), new Date(), new Date(Date.now() + 5_000));
    expect((await get('/portal/')).text).toContain('newer');
    await get('/portal/assets/later-5e6f.js').expect(200);
  });

  it('are no part of the API document', () => {
    expect(api.routes.some(({ path }) => path === '/' || /^\/portal(\/|$)/.test(path))).toBe(false);
  });
});

describe('a portal that has not been built', () => {
  it('says how to build it, while the API works', async () => {
    const api = await startTestApi('sqlite', {}, { portalFolder: join(tmpdir(), 'mailstead-no-such-folder') });
    const { text, headers } = await supertest(api.url).get('/portal/').expect(503);
    expect(headers['retry-after']).toBeDefined();
    expect(text).toContain('npm run portal');
    await supertest(api.url).get('/portal/assets/main.js').expect(404);
    await supertest(api.url).get('/health').expect(200);
    await api.close();
  });
});

/** Sends the path as it is: supertest and `fetch` would resolve `..`. */
function raw(base: string, path: string): Promise<{ status: number | undefined; text: string }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      textOf(response).then((text) => resolve({ status: response.statusCode, text }), reject);
    })
      .on('error', reject)
      .end();
  });
}
