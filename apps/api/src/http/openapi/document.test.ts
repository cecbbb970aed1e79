import { ERRORS } from '@mailstead/core/errors';
import supertest from 'supertest';
import type { ApiDocument } from '../../testing/api-document.js';
import { startTestApi, type TestApi } from '../../testing/api-fixture.js';
import { faultOf, type SentResponse } from '../../testing/documented-responses.js';
import type { Route } from '../route.js';
import { TAGS } from './tags.js';

interface Property {
  description?: string;
  $ref?: string;
  oneOf?: Property[];
  properties?: Record<string, Property>;
  items?: Property;
}

describe('the OpenAPI document', () => {
  let api: TestApi;
  let document: ApiDocument;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    document = api.document;
  });
  afterAll(() => api.close());

  const label = ({ method, path }: Route) => `${method} ${path}`;

  it('describes every property of every body and response', () => {
    const found = Object.entries(document.components.schemas).flatMap(([name, schema]) => undescribed(name, schema));
    expect(found).toEqual([]);
  });

  it('describes every parameter, and gives an example of each in a path', () => {
    const parameters = api.routes.flatMap((route) =>
      document.operation(route).parameters.map((each) => ({ ...each, of: `${label(route)} ${each.name}` })),
    );
    expect(parameters.filter(({ description = '' }) => description === '').map(({ of }) => of)).toEqual([]);
    const paths = parameters.filter((each) => each.in === 'path');
    expect(paths.filter(({ example }) => example === undefined).map(({ of }) => of)).toEqual([]);
  });

  it('has its own operation id for every route, and a tag with a text, partners’ tags first', () => {
    const operations = api.routes.map((route) => document.operation(route));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(api.routes.length);
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect([...used].sort()).toEqual(TAGS.map(({ name }) => name).sort());
    const names: string[] = TAGS.map(({ name }) => name);
    const forPartners = api.routes.filter(({ access }) => access === 'client' || access === 'any');
    const lastOfPartners = Math.max(
      ...forPartners.map((route) => names.indexOf(document.operation(route).tags[0] ?? '')),
    );
    const ofOperators = api.routes.filter(({ access }) => access === 'master');
    const firstOfOperators = Math.min(
      ...ofOperators.map((route) => names.indexOf(document.operation(route).tags[0] ?? '')),
    );
    expect(lastOfPartners).toBeLessThan(firstOfOperators);
  });

  it('has an example in every request and response body with JSON, which matches its schema', () => {
    for (const route of api.routes) {
      const operation = document.operation(route);
      const bodies = [operation.requestBody?.content, document.response(operation, route.status)?.content];
      for (const content of bodies) {
        const media = content?.['application/json'];
        if (media === undefined || route.path === '/openapi.json') continue;
        expect([label(route), media.example === undefined]).toEqual([label(route), false]);
        expect([label(route), document.mismatch(media.schema, media.example)]).toEqual([label(route), null]);
      }
    }
  });

  it('has a problem as the example of each error code, which matches its schema', () => {
    const examples = (document.json.components as { examples: Record<string, { value: { code: string } }> }).examples;
    for (const [code, { value }] of Object.entries(examples)) {
      expect([code, value.code]).toEqual([code, code]);
      expect([code, document.mismatch({ $ref: '#/components/schemas/Problem' }, value)]).toEqual([code, null]);
    }
    expect(Object.keys(ERRORS)).toEqual(expect.arrayContaining(Object.keys(examples)));
  });

  it('begins with an introduction, and its page has an icon that this service serves', async () => {
    expect((document.json.info as { description: string }).description).toContain('**Authentication.**');
    const { text } = await supertest(api.url).get('/docs').expect(200);
    const icon = /<link rel="icon" href="([^"]+)">/.exec(text)?.[1] ?? '';
    const { headers } = await supertest(api.url).get(icon).expect(200);
    expect(headers['content-type']).toBe('image/svg+xml');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});

describe('the check of responses against the document', () => {
  let api: TestApi;
  let document: ApiDocument;
  let sent: SentResponse;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    document = api.document;
    const { text, headers } = await supertest(api.url).get('/health').expect(200);
    sent = { method: 'GET', url: '/health', status: 200, headers, body: text };
  });
  afterAll(() => api.close());

  it.each<[string, { headers?: object; body?: string; status?: number; url?: string }, RegExp | null]>([
    ['a right response', {}, null],
    ['an undocumented status', { status: 418 }, /the status is not documented/],
    ['an undocumented member', { body: '{"status":"ok","version":"5.0.0","extra":1}' }, /additional properties/],
    ['a missing member', { body: '{"status":"ok"}' }, /required property 'version'/],
    ['a wrong type', { body: '{"status":1,"version":"5.0.0"}' }, /must be string/],
    ['an undocumented header', { headers: { 'x-more': '1' } }, /the header x-more is not documented/],
    ['a missing header', { headers: { 'x-request-id': undefined } }, /the header x-request-id is missing/],
    ['another content type', { headers: { 'content-type': 'text/html' } }, /text\/html is not documented/],
    ['a path without a route', { url: '/nowhere' }, /expected 404, 405 or/],
  ])('finds %s', (_, change: { headers?: object }, expected) => {
    const headers = Object.entries({ ...sent.headers, ...change.headers }).filter(([, value]) => value !== undefined);
    const changed = { ...sent, ...change, headers: Object.fromEntries(headers) as Record<string, string> };
    if (expected === null) expect(faultOf(document, changed)).toBeNull();
    else expect(faultOf(document, changed)).toMatch(expected);
  });

  it('finds no fault in the refusal of a target that is too long for the parser, but in another status of it', async () => {
    const url = `/${'x'.repeat(20_000)}`;
    const { status, headers, text: body } = await supertest(api.url).get(url);
    expect(status).toBe(431);
    expect(faultOf(document, { method: 'GET', url, status, headers, body })).toBeNull();
    expect(faultOf(document, { method: 'GET', url, status: 400, headers, body })).toMatch(/expected 404, 405 or/);
  });

  it('finds a code that the route does not list', () => {
    const body = JSON.stringify({
      type: 't',
      title: 'Not Found',
      status: 404,
      detail: 'd',
      code: 'mailbox_not_found',
      request_id: 'r',
    });
    const headers = { ...sent.headers, 'content-type': 'application/problem+json' };
    const fault = faultOf(document, { ...sent, url: '/domains/x.example', status: 404, headers, body });
    expect(fault).toMatch(/the code mailbox_not_found is not documented/);
  });
});

function undescribed(name: string, schema: Property): string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([field, property]) => {
      const path = `${name}.${field}`;
      const own = (property.description ?? '') === '' ? [path] : [];
      return [...own, ...undescribed(path, property)];
    }),
    ...(schema.items === undefined ? [] : undescribed(`${name}[]`, schema.items)),
  ];
}
