import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { type DtoClass, fieldsOf, type Schema } from '../http/fields/field-notes.js';
import type { Route } from '../http/route.js';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

/**
 * Texts as a query or a path contains them, percent-encoded. `%ED%A0%80` is an unpaired surrogate, `%FF` is not UTF-8.
 */
const ENCODED = [
  ...[
    'é',
    '😀',
    '\uffff',
    'é@box.example',
    'box.exämple',
    '@é.example',
    '١٢',
    'İ',
    'a\u0301',
    ' ',
    '\'"\\;--',
    '%',
  ].map(encodeURIComponent),
  '%ED%A0%80',
  '%ED%A0%80@box.example',
  '%00',
  '%0A',
  '%FF',
  'box.example%00',
  '99999999999999999999',
  '1e9',
  '-1',
  'x'.repeat(10_000),
  encodeURIComponent('é'.repeat(1_500)),
];
/** Texts as a JSON body contains them, escaped. */
const ESCAPED = [
  'é',
  '😀',
  '\\uffff',
  '\\ud800',
  '\\udc00x',
  '\\u0000',
  '\\u0085',
  '\\n',
  '',
  ' ',
  'é@box.example',
  'box.exämple',
  'x'.repeat(10_000),
  '😀'.repeat(128),
  '😀'.repeat(5_000),
  '99999999999999999999',
  '+010000-01-01T00:00:00.000Z',
];

const SAMPLES: Record<string, string> = {
  name: 'new.example',
  domain: 'box.example',
  partner_ref: 'acme',
  email: 'new@box.example',
  address: 'info@box.example',
  token: 'a-token-of-the-samples-0123456789',
};

/** Sends unusual texts to every route of the application, in every place that takes a text. */
onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    // The requests suspend the partner of their path.
    await api.key('beta');
    await api.as(acme).post('/domains/', { name: 'box.example' }).expect(201);
    await api.as(acme).post('/users/', { email: 'ann@box.example', password: 'correct horse' }).expect(201);
  });
  afterAll(() => api.close());

  const guarded = () => api.routes.filter(({ access }) => access !== 'public');
  const label = ({ method, path }: Route, where: string, text: string) =>
    `${method} ${path} with ${where} ${text.slice(0, 60)}`;

  /** The path of the route with parameters of things that exist, where such things are known. */
  const pathOf = ({ path }: Route) =>
    path
      .replace(':domain_name', 'box.example')
      .replace(':email', 'ann@box.example')
      .replace(':alias', 'none@box.example')
      .replace(':partner_ref', 'beta')
      .replace(/:\w+/, '999999');

  async function statusOf(route: Route, url: string, body?: string): Promise<number> {
    // The client token shows the filters of a partner, and has no access to the rest.
    const tokens = route.access === 'master' ? [MASTER] : [MASTER, acme];
    let highest = 0;
    for (const token of tokens) {
      const response = await fetch(`${api.url}${url}`, {
        method: route.method.toUpperCase(),
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      if (text !== '' && response.headers.get('content-type')?.includes('json') === true) JSON.parse(text);
      highest = Math.max(highest, response.status);
    }
    return highest;
  }

  it('in a parameter of the query never fails, and is an empty list or a refusal', async () => {
    const wrong: string[] = [];
    for (const route of guarded().filter(({ query }) => query !== undefined)) {
      for (const field of fieldsOf(route.query as DtoClass).keys()) {
        for (const text of ENCODED) {
          const status = await statusOf(route, `${pathOf(route)}?${field}=${text}`);
          if (status === 500) wrong.push(`${label(route, field, text)}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('in a parameter of the path never fails', async () => {
    const wrong: string[] = [];
    for (const route of guarded().filter(({ path }) => path.includes(':'))) {
      const body = route.body === undefined ? undefined : JSON.stringify(sampleOf(route.body));
      for (const text of ENCODED) {
        const status = await statusOf(route, route.path.replace(/:\w+/, text), body);
        if (status === 500) wrong.push(`${label(route, 'path', text)}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('in a field of a body never fails', async () => {
    const wrong: string[] = [];
    for (const route of guarded()) {
      if (route.body === undefined) continue;
      for (const [field, bodyWith] of textsOf(route.body)) {
        for (const text of ESCAPED) {
          const status = await statusOf(route, pathOf(route), bodyWith(`"${text}"`));
          if (status === 500) wrong.push(`${label(route, field, text)}: ${status}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('in a header never fails', async () => {
    for (const key of ['é', 'x'.repeat(256), 'x'.repeat(10_000), '\u0080', 'a\tb']) {
      const { status } = await fetch(`${api.url}/domains/`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${acme}`, 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: '{"name":"keyed.example"}',
      });
      expect([key.slice(0, 10), status]).toEqual([key.slice(0, 10), 422]);
    }
  });

  it('never caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});

/** A body with a plain value in every required field, so that the request gets as far as possible. */
function sampleOf(dto: DtoClass): Record<string, unknown> {
  const required = [...fieldsOf(dto)].filter(([, { optional }]) => !optional);
  return Object.fromEntries(required.map(([name, { schema, refers }]) => [name, sampleField(name, schema, refers)]));
}

function sampleField(name: string, schema: Schema, [nested]: readonly DtoClass[]): unknown {
  if (nested !== undefined) return schema.type === 'array' ? [sampleOf(nested)] : sampleOf(nested);
  const type = Array.isArray(schema.type) ? (schema.type[0] as unknown) : schema.type;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  if (type === 'boolean') return true;
  if (type === 'array') return [];
  if (schema.pattern !== undefined) return '2027-01-01T00:00:00.000';
  return SAMPLES[name] ?? 'ann@box.example';
}

/**
 * Each text field of a body, also of nested objects, and a function that returns the body with a JSON text in that
 * field.
 */
function textsOf(dto: DtoClass): [field: string, body: (json: string) => string][] {
  const fields: [string, (json: string) => string][] = [];
  for (const [name, { schema, refers }] of fieldsOf(dto)) {
    const others = sampleOf(dto);
    const withValue = (json: string) => JSON.stringify({ ...others, [name]: 'MARK' }).replace('"MARK"', () => json);
    const [nested] = refers;
    if (nested === undefined) {
      if (String(schema.type).includes('string')) fields.push([name, withValue]);
      continue;
    }
    for (const [inner, body] of textsOf(nested)) {
      const wrap = (json: string) => (schema.type === 'array' ? `[${body(json)}]` : body(json));
      fields.push([`${name}.${inner}`, (json) => withValue(wrap(json))]);
    }
  }
  return fields;
}
