import { fieldsOf, type Schema } from '../fields/field-notes.js';
import type { Route } from '../route.js';

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

/** The parameters in paths, by name. The examples of all routes are about the same domain, mailbox and key. */
const IN_PATH: Record<string, Schema> = {
  domain_name: text('The name of the domain, in any case, as A-labels or Unicode', 'example.com'),
  email: text('The address of the mailbox, in any case', 'info@example.com'),
  alias: text('The id of the alias; for DELETE also its address', '1'),
  token: text('The token of the key, or its id', '1'),
  link_id: text('The id of the link', '1'),
  session: text('The id of the session, or `current`', 'current'),
  key_id: text('The id of a key below the key of the request', '2'),
  partner_ref: text('The reference of the partner, byte by byte', 'acme'),
  tier: text('The tier: `basic`, `standard`, `high` or `unlimited`', 'basic'),
  name: text('The name of a schedule, or `relay-events.process`', 'retention.purge'),
  deleted_id: text('The id of the deletion, of `GET /deleted`', '1'),
  file: text('The name of the file', 'start.js'),
};

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

export function parametersOf(route: Route): Schema[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(IN_PATH[name] ?? { schema: { type: 'string' } }),
  }));
  const inQuery = route.query === undefined ? [] : [...fieldsOf(route.query)].map(queryParameter);
  return [...inPath, ...inQuery, ...(hasIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []), REQUEST_ID];
}

function hasIdempotencyKey({ idempotent, idempotentItems = false }: Route): boolean {
  return idempotent !== undefined || idempotentItems;
}

type Field = ReturnType<typeof fieldsOf> extends ReadonlyMap<string, infer Note> ? Note : never;

function queryParameter([name, { schema, optional, example }]: [string, Field]): Schema {
  const { description, ...rest } = schema;
  return {
    name,
    in: 'query',
    required: !optional,
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(example === undefined ? {} : { example }),
  };
}
