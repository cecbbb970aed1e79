import { breakingChanges } from './document-changes.js';

type Json = Record<string, unknown>;

const BODY = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 9 },
    kind: { type: 'string', enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    logo: { oneOf: [{ $ref: '#/components/schemas/Logo' }, { type: 'null' }] },
    place: { $ref: '#/components/schemas/Place' },
    words: { type: 'array', items: { type: 'string' }, minItems: 0, maxItems: 9 },
  },
  required: ['name'],
};
const ANSWER = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    state: { type: 'string', enum: ['new', 'old'] },
    parent: { oneOf: [{ $ref: '#/components/schemas/Answer' }, { type: 'null' }] },
    more: { type: ['string', 'null'] },
    place: { $ref: '#/components/schemas/Place' },
    words: { type: 'array', items: { type: 'string' } },
    texts: { type: 'object', additionalProperties: { type: 'string' } },
    at: { type: 'string', pattern: '^\\d{4}$' },
  },
  required: ['id', 'state'],
};
const PLACE = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] };
const LOGO = { type: 'object', properties: { data: { type: 'string' } }, required: ['data'] };
const OTHER = { type: 'object', properties: { y: { type: 'integer' } }, required: ['y'] };

/** A document of one route. */
function documentOf({
  body = BODY,
  answer = ANSWER,
  operation = {},
  status = '200',
  method = 'post',
  headers = { Link: {} },
  codes = ['not_found', 'gone'],
  problem = 404,
  place = PLACE,
  logo = LOGO,
  session = { type: 'apiKey', in: 'cookie', name: 'session' },
}: Json = {}): Json {
  const reference = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const route = {
    operationId: 'postThings',
    parameters: [{ name: 'q', in: 'query', required: false, schema: { type: 'string' } }],
    requestBody: { required: true, ...reference('Body') },
    description: 'A thing.\n\nCallers: API key, master, operators with the scope billing, read.',
    responses: {
      [String(status)]: { ...reference('Answer'), headers },
      [String(problem)]: problemOf(codes as string[]),
    },
    ...(operation as Json),
  };
  return {
    security: [{ bearer: [] }, { session: [] }],
    paths: { '/things': { [String(method)]: route }, '/open': { get: { security: [], responses: {} } } },
    components: {
      securitySchemes: { session },
      schemas: { Body: body, Answer: answer, Place: place, Logo: logo, Other: OTHER },
    },
  };
}

function problemOf(codes: readonly string[]): Json {
  const examples = Object.fromEntries(codes.map((code) => [code, {}]));
  return { content: { 'application/problem+json': { schema: {}, examples } } };
}

const callers = (words: string) => ({ operation: { description: `A thing.\n\nCallers: ${words}.` } });
const either = (...names: string[]) => ({
  anyOf: names.map((name) => (name === 'null' ? { type: 'null' } : { $ref: `#/components/schemas/${name}` })),
});

const withAnswer = (properties: Json, required = ANSWER.required) => ({
  answer: { ...ANSWER, properties: { ...ANSWER.properties, ...properties }, required },
});
const withBody = (properties: Json, required = BODY.required) => ({
  body: { ...BODY, properties: { ...BODY.properties, ...properties }, required },
});

it.each<[string, Json]>([
  ['nothing', {}],
  ['a field more in an answer', withAnswer({ extra: { type: 'string' } }, ['id', 'state', 'extra'])],
  ['a value more in an answer', withAnswer({ state: { type: 'string', enum: ['new', 'old', 'lost'] } })],
  ['an optional field more in a body', withBody({ extra: { type: 'string' } })],
  ['a value more in a body', withBody({ kind: { type: 'string', enum: ['a', 'b', 'c'] } })],
  ['a longer text in a body', withBody({ name: { type: 'string', maxLength: 99 } })],
  ['null taken in a body', withBody({ name: { type: ['string', 'null'], maxLength: 9 } })],
  ['a text of an answer that is never null any more', withAnswer({ more: { type: 'string' } })],
  [
    'an object of an answer that is never null any more',
    withAnswer({ parent: { $ref: '#/components/schemas/Answer' } }),
  ],
  ['null taken in place of an object of a body', withBody({ place: either('Place', 'null') })],
  ['an alternative more in a body, in whatever order', withBody({ logo: either('null', 'Other', 'Logo') })],
  ['wider bounds in a body', withBody({ count: { type: 'integer', minimum: 0, maximum: 99 } })],
  ['a header and a code more', { headers: { Link: {}, ETag: {} }, codes: ['not_found', 'gone', 'lost'] }],
  ['more callers', callers('API key, master, operators with the scope policy, billing, read')],
  ['every token as a caller', callers('any token')],
  ['a token that may be left out', { operation: { security: [{}, { bearer: [] }, { session: [] }] } }],
])('%s breaks no program', (_, changed) => {
  expect(breakingChanges(documentOf(), documentOf(changed))).toEqual([]);
});

it.each<[string, Json, string]>([
  ['a method that is gone', { method: 'put' }, 'POST /things is gone'],
  ['a status that is gone', { status: '201' }, 'POST /things has no 200 any more'],
  ['a parameter that is gone', { operation: { parameters: [] } }, 'POST /things query q is gone'],
  [
    'a parameter that is required',
    { operation: { parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }] } },
    'query q is required now',
  ],
  ['a field of an answer that is gone', withAnswer({ id: undefined }), '200.id is gone'],
  ['a field of an answer that may be missing', withAnswer({}, ['id']), '200.state may be missing now'],
  ['another type in an answer', withAnswer({ id: { type: 'string' } }), '200.id was integer and is string'],
  ['null in an answer', withAnswer({ id: { type: ['integer', 'null'] } }), '200.id was integer and is integer or null'],
  ['a field of a body that is gone', withBody({ kind: undefined }), 'body.kind is gone'],
  [
    'a new required field of a body',
    withBody({ extra: { type: 'string' } }, ['name', 'extra']),
    'body.extra is required now',
  ],
  [
    'a value that is not taken',
    withBody({ kind: { type: 'string', enum: ['a'] } }),
    'body.kind does not take b any more',
  ],
  ['a shorter text', withBody({ name: { type: 'string', maxLength: 8 } }), 'body.name has a lower maxLength'],
  [
    'another type in a body',
    withBody({ name: { type: 'integer', maxLength: 9 } }),
    'body.name was string and is integer',
  ],
  ['a lower number', withBody({ count: { type: 'integer', minimum: 1, maximum: 8 } }), 'has a lower maximum'],
  ['a higher number', withBody({ count: { type: 'integer', minimum: 2, maximum: 9 } }), 'has a higher minimum'],
  [
    'a shorter list',
    withBody({ words: { type: 'array', items: { type: 'string' }, maxItems: 8 } }),
    'body.words has a lower maxItems',
  ],
  [
    'shorter texts in a list',
    withBody({ words: { type: 'array', items: { type: 'string', maxLength: 3 }, maxItems: 9 } }),
    'body.words[] has a lower maxLength',
  ],
  ['a pattern', withBody({ name: { type: 'string', maxLength: 9, pattern: '^a' } }), 'body.name has another pattern'],
  ['only some values', withBody({ name: { type: 'string', enum: ['a'] } }), 'body.name takes only some values now'],
  [
    'a lower bound of a parameter',
    { operation: { parameters: [{ name: 'q', in: 'query', schema: { type: 'string', maxLength: 9 } }] } },
    'query q has a lower maxLength',
  ],
  [
    'a new parameter that is required',
    {
      operation: {
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'string' } },
          { name: 'If-Match', in: 'header', required: true, schema: { type: 'string' } },
        ],
      },
    },
    'header If-Match is new and required',
  ],
  ['a body of another media type', { operation: { requestBody: { content: {} } } }, 'body has no application/json'],
  ['a header of an answer that is gone', { headers: {} }, 'has no header Link any more'],
  ['null in place of an object', withBody({ logo: { $ref: '#/components/schemas/Logo' } }), 'does not take null'],
  ['another object in a body', withBody({ place: either('Other', 'null') }), 'body.place.y is required now'],
  ['an alternative of a body that is gone', withBody({ logo: either('Other', 'null') }), 'body.logo.data is gone'],
  [
    'an object of an answer that may be null',
    withAnswer({ place: either('Place', 'null') }),
    '200.place may be null now',
  ],
  ['another object in an answer', withAnswer({ place: either('Place', 'Other') }), '200.place.x is gone'],
  [
    'a field that is gone from one of two alternatives',
    { place: { type: 'object', properties: {} } },
    '200.place.x is gone',
  ],
  [
    'a new required field in what may be null',
    { logo: { ...LOGO, required: ['data', 'type'], properties: { ...LOGO.properties, type: { type: 'string' } } } },
    'body.logo.type is required now',
  ],
  ['a list of an answer with any items', withAnswer({ words: { type: 'array' } }), '200.words[] has any value now'],
  ['a map of an answer with any values', withAnswer({ texts: { type: 'object' } }), '200.texts.* has any value now'],
  ['any value of a list of words', withAnswer({ state: { type: 'string' } }), '200.state has any value now'],
  [
    'another form of a text of an answer',
    withAnswer({ at: { type: 'string', pattern: '^\\d+$' } }),
    '200.at has another pattern',
  ],
  ['a code of an error that is gone', { codes: ['not_found'] }, 'POST /things 404 gone is gone'],
  ['a code of an error with another status', { problem: 410 }, 'POST /things 404 gone is 410 now'],
  ['a token that is needed', { operation: { security: [{ bearer: [] }] } }, 'POST /things is closed to session'],
  [
    'another cookie',
    { session: { type: 'apiKey', in: 'cookie', name: 'other' } },
    'The credentials session are others',
  ],
  ['a caller less', callers('master, operators with the scope billing, read'), 'POST /things is closed to API key'],
  ['a scope less', callers('API key, master, operators with the scope billing'), 'POST /things is closed to read'],
  [
    'fewer keys',
    callers('API key with the scope `manage`, master, operators with the scope billing, read'),
    'POST /things is closed to API key',
  ],
  ['another operationId', { operation: { operationId: 'makeThings' } }, 'another operationId'],
])('%s breaks programs', (_, changed, expected) => {
  const text = JSON.parse(JSON.stringify(documentOf(changed))) as Json;
  expect(breakingChanges(documentOf(), text).join('\n')).toContain(expected);
});

it('a route that took requests without a token, and needs one now, breaks programs', () => {
  const closed = documentOf() as { paths: Record<string, { get: Json }> };
  closed.paths['/open'] = { get: { responses: {} } };
  expect(breakingChanges(documentOf(), closed)).toEqual(['GET /open is closed to everyone without a token']);
});
