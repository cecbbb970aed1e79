import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import supertest from 'supertest';
import { startTestApi, type TestApi } from '../../testing/api-fixture.js';

const LINT = fileURLToPath(new URL('../../../../../tools/openapi/lint.mjs', import.meta.url));

describe('the served OpenAPI document', () => {
  let api: TestApi;
  let folder: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    folder = await mkdtemp(join(tmpdir(), 'mailstead-lint-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await api.close();
  });

  it('has no error and no warning of Redocly’s recommended rules', async () => {
    const file = join(folder, 'openapi.json');
    await writeFile(file, (await supertest(api.url).get('/openapi.json').expect(200)).text);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [LINT, file]).catch((error: unknown) => {
      const { stdout: out = '', stderr: err = '' } = error as { stdout?: string; stderr?: string };
      return { stdout: out, stderr: err };
    });
    expect(`${stdout}${stderr}`).toContain('Your API description is valid');
    expect(`${stdout}${stderr}`).not.toMatch(/\d+ warnings?\b|\[\d+\]/);
  });
});
