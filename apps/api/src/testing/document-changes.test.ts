import { breakingChanges } from './document-changes.js';

type Json = Record<string, unknown>;

const BODY = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 9 }, kind: { type: 'string', enum: ['a', 'b'] } },
  required: ['name'],
};
const ANSWER = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    state: { type: 'string', enum: ['new', 'old'] },
    parent: { oneOf: [{ $ref: '#/components/schemas/Answer' }, { type: 'null' }] },
    more: { type: ['string', 'null'] },
  },
  required: ['id', 'state'],
};

/** A document of one route. */
function documentOf({
  body = BODY,
  answer = ANSWER,
  operation = {},
  status = '200',
  method = 'post',
}: Json = {}): Json {
  const reference = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const route = {
    operationId: 'postThings',
    parameters: [{ name: 'q', in: 'query', required: false, schema: { type: 'string' } }],
    requestBody: { required: true, ...reference('Body') },
    responses: { [String(status)]: { ...reference('Answer'), headers: { Link: {} } }, 404: { description: 'No' } },
    ...(operation as Json),
  };
  return { paths: { '/things': { [String(method)]: route } }, components: { schemas: { Body: body, Answer: answer } } };
}

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
  ['another operationId', { operation: { operationId: 'makeThings' } }, 'another operationId'],
])('%s breaks programs', (_, changed, expected) => {
  const text = JSON.parse(JSON.stringify(documentOf(changed))) as Json;
  expect(breakingChanges(documentOf(), text).join('\n')).toContain(expected);
});
