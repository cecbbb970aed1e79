import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const DOCUMENTS = fileURLToPath(new URL('../../../../docs', import.meta.url));

describe('the documents that the reference names', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  /** Sends the path as it is: `fetch` would shorten `..`. */
  function ask(path: string): Promise<{ status: number | undefined; type: string | undefined; text: string }> {
    const { hostname, port } = new URL(api.url);
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, type: response.headers['content-type'], text }),
        );
      });
      sent.on('error', reject).end();
    });
  }

  it('are served as text, each as it is in the project', async () => {
    const document = JSON.parse((await ask('/openapi.json')).text) as { info: { description: string } };
    const named = [...document.info.description.matchAll(/\]\((\/docs\/[^)]+)\)/g)].map(([, path = '']) => path);
    expect(named).toEqual(['/docs/api.md', '/docs/error-codes.md', '/docs/access.md', '/docs/api-versions.md']);
    for (const path of named) {
      const text = await readFile(`${DOCUMENTS}${path.slice('/docs'.length)}`, 'utf8');
      expect(await ask(path)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text });
    }
  });

  it.each([
    '/docs/operations.md',
    '/docs/API.md',
    '/docs/api.md%00',
    '/docs/decisions',
    '/docs/../README.md',
    '/docs/..%2FREADME.md',
    '/docs/..%2f..%2fetc%2fpasswd',
    '/docs/decisions%2F0012-sessions-and-links.md',
    '/docs/constructor',
  ])('are a fixed list: %s is none of them', async (path) => {
    const { status, text } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status });
  });
});
