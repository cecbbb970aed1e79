import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import supertest from 'supertest';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

describe('the types of the client', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  it('come from the document that this service serves (otherwise run `npm run client-types`)', async () => {
    const served: unknown = (await supertest(api.url).get('/openapi.json').expect(200)).body;
    const known: unknown = JSON.parse(await readFile(join(ROOT, 'packages/client/generated/openapi.json'), 'utf8'));
    expect(known).toEqual(served);
  });

  it('equal the types that the document generates', async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'tools/openapi/generate.mjs'), '--check']);
  });
});
