import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError, ERRORS, type ErrorCode } from '@mailstead/core/errors';
import supertest from 'supertest';
import { problemOf, statusOf } from '../http/problem.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const DOCUMENT = fileURLToPath(new URL('../../../../docs/error-codes.md', import.meta.url));

describe('the type of problem details', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  it('leads to the line of its code, on a page of the service and in docs/error-codes.md, for every code', async () => {
    const { text, headers } = await supertest(api.url).get('/docs/error-codes').expect(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const document = readFileSync(DOCUMENT, 'utf8');
    for (const code of Object.keys(ERRORS) as ErrorCode[]) {
      const type = new URL(String(problemOf(new AppError(code), 'id').type), `${api.url}/domains/`);
      expect([type.pathname, type.hash]).toEqual(['/docs/error-codes', `#${code}`]);
      const status = statusOf(ERRORS[code].kind);
      expect(text).toContain(`<tr id="${code}"><td><code>${code}</code></td><td>${status}</td>`);
      expect(document).toContain(`| <a id="${code}"></a>\`${code}\` | ${status} |`);
    }
    expect(text.match(/<tr id=/g)).toHaveLength(Object.keys(ERRORS).length);
  });
});
