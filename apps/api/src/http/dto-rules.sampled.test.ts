import { sampleSize } from '@mailstead/core/testing/sampled';
import { timeOfId } from '@mailstead/core/trail/trail-row';
import { type ValidationError, validateSync } from 'class-validator';
import fc from '../../../../scripts/fast-check.mjs';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type DtoClass, type FieldNote, fieldsOf, type Schema } from './fields/field-notes.js';
import { toInstance } from './fields/to-instance.js';
import { validate } from './validate.js';

interface FieldSchema {
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  items?: Schema;
}

const MOST_ITEMS = 5;
const MOST_CHARACTERS = 40;
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Tests the DTO class of every body and query, taken from the routes of the application. */
describe('the rules of every body and query', () => {
  let api: TestApi;
  let classes: DtoClass[];

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    classes = [...new Set(api.routes.flatMap(({ body, query }) => [body, query]))].filter((dto) => dto !== undefined);
    expect(classes.length).toBeGreaterThan(20);
  });
  afterAll(() => api.close());

  it('accept every value that the OpenAPI document allows', () => {
    for (const dto of classes) {
      fc.assert(
        fc.property(allowed(dto, isQuery(dto)), (value) => {
          const { errors } = validate(dto, value);
          // An expectation takes longer than the check.
          if (errors !== null) expect([dto.name, errors]).toEqual([dto.name, null]);
        }),
        { numRuns: sampleSize(50, 8) },
      );
    }
  });

  it('give the same errors in the compiled check as in class-validator, and one for each unknown name', () => {
    let refused = 0;
    let taken = 0;
    for (const dto of classes) {
      fc.assert(
        fc.property(fc.oneof(allowed(dto, isQuery(dto)), broken(dto)), (value) => {
          const instance = toInstance(dto, value);
          if (instance === null) return;
          const expected = [...errorsOf(instance), ...unknownNames(dto, value, '')];
          if (expected.length === 0) taken += 1;
          else refused += 1;
          const errors = (validate(dto, value).errors ?? []).map(({ field, message }) => `${field} ${message}`);
          if (errors.sort().join('\n') !== expected.sort().join('\n')) {
            expect([dto.name, errors]).toEqual([dto.name, expected]);
          }
        }),
        { numRuns: sampleSize(200, 25) },
      );
    }
    expect(Math.min(refused, taken)).toBeGreaterThan(sampleSize(1_000, 120));
  });

  const isQuery = (dto: DtoClass) => api.routes.some(({ query }) => query === dto);
});

/** Returns the errors that class-validator finds, each with the path of its field, such as `items[3].count`. */
function errorsOf(instance: object): string[] {
  const options = { forbidUnknownValues: true, stopAtFirstError: true };
  return validateSync(instance, options).flatMap((error) => sentencesOf(error, ''));
}

function sentencesOf({ property, constraints = {}, children = [] }: ValidationError, parent: string): string[] {
  const isIndex = /^\d+$/.test(property);
  const field = parent === '' ? property : isIndex ? `${parent}[${property}]` : `${parent}.${property}`;
  const own = Object.values(constraints).map((message) => `${field} ${message}`);
  return [...own, ...children.flatMap((child) => sentencesOf(child, field))];
}

/** Returns an error for each name that its class does not know, also in the objects below. */
function unknownNames(dto: DtoClass, value: object, parent: string): string[] {
  const fields = fieldsOf(dto);
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const field = fields.get(name);
    if (field === undefined) return [`${path} is not a known field`];
    const [nested] = field.refers;
    // A list whose items the route checks by itself has no reader.
    if (nested === undefined || field.read === null) return [];
    const isList = field.schema.type === 'array';
    const below = isList ? (Array.isArray(each) ? [...each.entries()] : []) : [[null, each] as const];
    return below.flatMap(([index, item]: readonly [number | null, unknown]) =>
      typeof item === 'object' && item !== null && !Array.isArray(item)
        ? unknownNames(nested, item, index === null ? path : `${path}[${index}]`)
        : [],
    );
  });
}

/** Generates objects that the schema of the class allows. */
function allowed(dto: DtoClass, isQuery: boolean): fc.Arbitrary<Record<string, unknown>> {
  const fields = [...fieldsOf(dto)];
  const requiredKeys = fields.filter(([, { optional }]) => !optional).map(([name]) => name);
  const values = fields.map(([name, field]) => [name, allowedOf(field, isQuery)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys });
}

/** Texts of which one fits each rule that the document has in words only. */
const FITTING = [
  'example.com',
  'info@example.com',
  'acme',
  '2026-03',
  '2026-03-01',
  'domain.create',
  'up',
  'no',
  'domain.created',
  'active',
  '#1f5f8b',
  'https://example.com/help',
  'acme.4f9KpX27uLw8ZtQe',
  'correct horse battery',
  `$2b$12$${'a'.repeat(53)}`,
  'aGVsbG8=',
  `${timeOfId(new Date('2026-03-01T12:00:00Z'))}${'k'.repeat(22)}`,
];

/** A drawn text that breaks the rule of its field is replaced by one that fits. */
function allowedOf({ schema, refers, rule }: FieldNote, isQuery: boolean): fc.Arbitrary<unknown> {
  const values = allowedValue(schema, refers[0], isQuery);
  if (rule === null) return values;
  const fitting = fc.constantFrom(...FITTING.filter((text) => rule(text) === null));
  const fits = (value: unknown) => [value].flat().every((text) => typeof text !== 'string' || rule(text) === null);
  return values.chain((value) => {
    if (fits(value)) return fc.constant(value);
    return Array.isArray(value) ? fc.array(fitting, { minLength: 1, maxLength: MOST_ITEMS }) : fitting;
  });
}

function allowedValue(schema: FieldSchema, dto: DtoClass | undefined, isQuery: boolean): fc.Arbitrary<unknown> {
  const types = [schema.type ?? 'object'].flat();
  const withNull = (values: fc.Arbitrary<unknown>) => (types.includes('null') ? fc.option(values) : values);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.pattern !== undefined) {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    return withNull(times.map((time) => time.toISOString().slice(0, -1)));
  }
  if (types.includes('integer')) {
    const integers = fc.integer({
      min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
      max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
    });
    return withNull(isQuery ? integers.map(String) : integers);
  }
  if (types.includes('boolean')) return withNull(fc.boolean());
  if (types.includes('string')) {
    return withNull(
      fc
        .string({
          unit: 'grapheme',
          minLength: schema.minLength ?? 0,
          maxLength: Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? MOST_CHARACTERS, MOST_CHARACTERS)),
        })
        // Free texts refuse invisible characters, which the schema of a string does not say. Neither these nor
        // characters of several code points are filtered: a text of exactly 43 would be drawn hundreds of times.
        .map((text) => Array.from(text.replaceAll(INVISIBLE, 'x')))
        .map((points) => points.slice(0, schema.maxLength ?? points.length).join('')),
    );
  }
  const items = dto === undefined ? allowedValue(schema.items ?? {}, undefined, false) : allowed(dto, false);
  if (!types.includes('array')) return items;
  return withNull(
    fc.array(items, {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
    }),
  );
}

/** Generates objects in which fields may have any value, be unknown, or be just out of bounds. */
function broken(dto: DtoClass): fc.Arbitrary<Record<string, unknown>> {
  const entries = [...fieldsOf(dto)].map(([name, field]) => {
    const right = allowedOf(field, false);
    const nested = field.refers.map((each) => fc.array(fc.oneof(broken(each), fc.jsonValue()), { maxLength: 3 }));
    return [name, fc.oneof({ weight: 4, arbitrary: right }, anything(field.schema), ...nested)] as const;
  });
  const unknown = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom(...OBJECT_NAMES)), fc.jsonValue(), {
    maxKeys: 1,
  });
  return fc
    .tuple(fc.record(Object.fromEntries(entries), { requiredKeys: [] }), unknown)
    .map(([fields, extra]) => Object.fromEntries([...Object.entries(extra), ...Object.entries(fields)]));
}

const OBJECT_NAMES = Object.getOwnPropertyNames(Object.prototype);

function anything({ minimum = 0, maximum = 0, minLength = 0, maxLength = 0 }: FieldSchema): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', '\u0000', '\ud800', minimum - 1, maximum + 1, minimum + 0.5, '5', true, [], {}),
    fc.constantFrom('x'.repeat(Math.max(minLength - 1, 0)), 'x'.repeat(Math.min(maxLength + 1, 20_000)), [null], [[]]),
  );
}
