import { fieldsOf, type Schema } from '../fields/field-notes.js';
import { parametersIn } from '../params.js';
import { takesIfMatch } from '../revision.js';
import type { Route } from '../route.js';

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  required: false,
  description: 'An id for the request: 1 to 128 characters of `A-Z a-z 0-9 . _ -`. Other ids are replaced',
  schema: { type: 'string' },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeated request safe: 1 to 255 printable ASCII characters. The same key and body within 24 hours get the first response again',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the response that the change is based on, or several with commas. When none of them is the present one, and the request changes something, it is 412 `changed_meanwhile` and nothing is changed. `*` and no header: any',
  schema: { type: 'string', minLength: 1 },
  example: '"3"',
};

export function parametersOf(route: Route): Schema[] {
  const inPath = parametersIn(route.path).map(({ name, description, example }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  }));
  const inQuery = route.query === undefined ? [] : [...fieldsOf(route.query)].map(queryParameter);
  return [...inPath, ...inQuery, ...ownHeaders(route), REQUEST_ID];
}

function ownHeaders(route: Route): Schema[] {
  return [...(hasIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []), ...(takesIfMatch(route) ? [IF_MATCH] : [])];
}

function hasIdempotencyKey({ idempotent, idempotentItems = false }: Route): boolean {
  return idempotent !== undefined || idempotentItems;
}

type Field = ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer Note> ? Note : never;

function queryParameter([name, { schema, optional, example }]: [string, Field]): Schema {
  const { description, deprecated, ...rest } = schema;
  return {
    name,
    in: 'query',
    required: !optional,
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}
