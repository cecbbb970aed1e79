import fc from '../../../../../scripts/fast-check.mjs';
import type { Schema } from '../../http/fields/field-notes.js';
import { templateOf } from '../../http/openapi/document.js';
import type { Route } from '../../http/route.js';
import type { ApiDocument } from '../../testing/api-document.js';
import { hostileBody, hostileMember, hostileText, hostileValue, toJsonText } from './hostile-values.js';

const FUZZ_CALLERS = ['alpha', 'beta', 'master', 'policy', 'billing', 'read', 'nobody', 'stranger'] as const;
export type FuzzCaller = (typeof FUZZ_CALLERS)[number];

/** One request, as plain data that fast-check can print. */
export interface FuzzRequest {
  caller: FuzzCaller;
  method: Route['method'];
  template: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Values that exist in the fuzzed service, by the name of the parameter or the field. */
export type Pools = Record<string, readonly unknown[]>;

interface ValueSchema extends Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  oneOf?: ValueSchema[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  items?: ValueSchema;
  properties?: Record<string, ValueSchema>;
  required?: string[];
}

const MOST_ITEMS = 3;
/** One for all fields: fast-check takes long to make one. */
const rightText = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });

/** Generates requests to every route of an OpenAPI document: valid, nearly valid, and hostile. */
export class FuzzRequests {
  constructor(
    private readonly routes: Route[],
    private readonly document: ApiDocument,
    private readonly pools: Pools,
  ) {}

  any(): fc.Arbitrary<FuzzRequest> {
    // Public routes read nothing of the request.
    return fc.oneof(
      ...this.routes.map((route) => ({ weight: route.access === 'public' ? 1 : 5, arbitrary: this.to(route) })),
    );
  }

  private to(route: Route): fc.Arbitrary<FuzzRequest> {
    const { parameters, requestBody } = this.document.operation(route);
    const template = templateOf(route);
    const inPath = parameters
      .filter((each) => each.in === 'path')
      .map(({ name }) => this.pathValue(name).map((text) => [name, text]));
    const inQuery = parameters
      .filter((each) => each.in === 'query')
      .map(({ name, schema }) => this.queryValue(name, schema));
    const schema = requestBody?.content['application/json']?.schema;
    return fc.record({
      caller: callers,
      method: fc.constant(route.method),
      template: fc.constant(template),
      url: fc
        .tuple(fc.tuple(...inPath), fc.tuple(...inQuery), unknownParameter)
        .map(([values, query, unknown]) => urlOf(template, values, [...query, unknown])),
      headers,
      body: schema === undefined ? strayBody : this.body(schema),
    });
  }

  private pathValue(name: string): fc.Arbitrary<string> {
    const known = this.pools[name] ?? [];
    return fc.oneof(
      {
        weight: 8,
        arbitrary:
          known.length === 0 ? fc.constant('absent') : fc.constantFrom(...known.map(String)).map(encodeURIComponent),
      },
      { weight: 2, arbitrary: hostileText.map(percentEncoded) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('%', '%zz', '%ED%A0%80', '%00', '%2F', '%2e%2e', ';', '\u00e9', '%C3%A9'),
      },
    );
  }

  /** @returns `name=value`, or null when the parameter is left out. */
  private queryValue(name: string, schema: Schema): fc.Arbitrary<string | null> {
    const right = this.value(name, schema).map((value) => `${name}=${percentEncoded(String(value))}`);
    // Complete lists grow with the run, so most lists are pages.
    const weight = name === 'limit' ? 1 : 6;
    return fc.oneof(
      { weight, arbitrary: fc.constant(null) },
      { weight: 6, arbitrary: right },
      { weight: 2, arbitrary: hostileText.map((text) => `${name}=${percentEncoded(text)}`) },
    );
  }

  private body(schema: Schema): fc.Arbitrary<string | null> {
    const right = this.value('', schema);
    return fc.oneof(
      { weight: 10, arbitrary: right.map(toJsonText) },
      {
        weight: 6,
        arbitrary: fc
          .tuple(right, fc.nat(), hostileValue)
          .map(([value, index, other]) => toJsonText(mutated(value, index, other))),
      },
      { weight: 2, arbitrary: fc.tuple(right, hostileMember).map(([value, change]) => change(toJsonText(value))) },
      { weight: 2, arbitrary: hostileBody },
      { weight: 1, arbitrary: fc.constant(null) },
    );
  }

  private value(name: string, given: Schema): fc.Arbitrary<unknown> {
    const schema = this.resolved(given);
    const known = this.pools[name];
    const right = this.allowed(schema);
    if (known === undefined || schema.enum !== undefined) return right;
    return fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: right });
  }

  private allowed(schema: ValueSchema): fc.Arbitrary<unknown> {
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const types = [schema.type ?? 'object'].flat();
    const right = this.ofType(types[0] ?? 'object', schema);
    return types.includes('null') ? fc.option(right, { freq: 6 }) : right;
  }

  private ofType(type: string, schema: ValueSchema): fc.Arbitrary<unknown> {
    const { minimum = 0, maximum = 100, maxLength = 20, minItems = 0, items = {} } = schema;
    if (type === 'boolean') return fc.boolean();
    if (type === 'integer' || type === 'number') {
      const small = fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) });
      return fc.oneof(small, fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }));
    }
    if (type === 'array')
      return fc.array(this.value('', items), { minLength: minItems, maxLength: Math.max(minItems, MOST_ITEMS) });
    if (type === 'object') return this.object(schema);
    if (schema.pattern !== undefined)
      return fc.constantFrom('2020-01-01', '2026-03-01T12:00:00.000', '2099-12-31T23:59:59Z');
    return rightText.map((text) => text.slice(0, maxLength));
  }

  private object({ properties = {}, required = [] }: ValueSchema): fc.Arbitrary<unknown> {
    const fields = Object.entries(properties).map(([name, schema]) => [name, this.value(name, schema)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: required });
  }

  private resolved(schema: ValueSchema): ValueSchema {
    const reference = schema.$ref ?? schema.oneOf?.[0]?.$ref;
    return reference === undefined
      ? schema
      : (this.document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {});
  }
}

const callers = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<FuzzCaller>('alpha', 'beta') },
  { weight: 4, arbitrary: fc.constant<FuzzCaller>('master') },
  { weight: 3, arbitrary: fc.constantFrom<FuzzCaller>('policy', 'billing', 'read') },
  { weight: 1, arbitrary: fc.constantFrom<FuzzCaller>('nobody', 'stranger') },
);

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'X-Request-Id': fc.oneof(fc.constantFrom('a', 'x'.repeat(128), 'x'.repeat(129), '../../..'), headerText),
    'Idempotency-Key': fc.oneof(fc.constantFrom('one', 'two', 'three', '', 'x'.repeat(256)), headerText),
    'Content-Type': fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('application/json', 'application/json; charset=utf-8', 'Application/JSON'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('text/plain', 'application/json; charset=latin1', 'multipart/form-data', '', ';'),
      },
    ),
    Accept: fc.constantFrom('*/*', 'text/html', 'application/xml;q=0'),
  },
  { requiredKeys: ['Content-Type'] },
);

const unknownParameter = fc.oneof(
  { weight: 30, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('dry_run=true', '=', '__proto__=1', 'limit=1&limit=2', '%', '%00=1', 'limit[]=1'),
  },
);

const strayBody: fc.Arbitrary<string | null> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: hostileBody },
);

function urlOf(template: string, values: string[][], query: (string | null)[]): string {
  let path = template;
  for (const [name, value] of values) path = path.replace(`{${name}}`, () => value ?? '');
  const given = query.filter((each) => each !== null);
  return given.length === 0 ? path : `${path}?${given.join('&')}`;
}

/** Percent-encodes any text. Unpaired surrogates become the bytes that some clients send for them. */
function percentEncoded(text: string): string {
  return /\p{Cs}/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text);
}

/** Replaces one member of an object, or of an object in its list, with another value. */
function mutated(value: unknown, index: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const names = Object.keys(value);
  const name = names[index % (names.length + 1)];
  if (name === undefined) return Array.isArray(value) ? [...value, other] : { ...value, unknown_field: other };
  const inner: unknown = Reflect.get(value, name);
  const isList = Array.isArray(inner) && inner.length > 0 && index % 2 === 0;
  const next = isList ? inner.map((item, at) => (at === 0 ? mutated(item, index >> 1, other) : item)) : other;
  return Array.isArray(value)
    ? value.map((item, at) => (String(at) === name ? next : item))
    : { ...value, [name]: next };
}
