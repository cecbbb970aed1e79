import { ERRORS, type ErrorCode } from '@mailstead/core/errors';
import { type DtoClass, type FieldNote, fieldsOf, ref, type Schema } from './fields/field-notes.js';
import { API_VERSION } from './http.js';
import { statusOf } from './problem.js';
import type { Route } from './route.js';

/** Creates the OpenAPI 3.1 document of the routes from their DTO classes. */
export function openApiOf(routes: Route[]): Schema {
  const classes = new Set<DtoClass>();
  const paths: Record<string, Schema> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: operation(route, classes) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Mailstead', version: API_VERSION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema(), ...schemasOf(classes) },
      responses: {
        Problem: {
          description: 'Problem details (RFC 9457)',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

function operation(route: Route, classes: Set<DtoClass>): Schema {
  const body =
    route.body === undefined ? {} : { requestBody: requestBody(route.body, route.bodyOptional === true, classes) };
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.path.split('/')[1] ?? ''],
    ...(route.access === 'public' ? { security: [] } : {}),
    description: whoMay(route),
    parameters: parameters(route),
    ...body,
    responses: { [route.status]: responseOf(route, classes), ...problems(route) },
  };
}

function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...words]
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join('');
}

function whoMay({ access, scopes = [], method }: Route): string {
  const operators = [...scopes, ...(method === 'get' && access !== 'public' ? ['read'] : [])];
  const base = { public: 'No token', any: 'Any token', client: 'API key or master token', master: 'Master token' }[
    access
  ];
  return operators.length === 0 || access === 'any' ? base : `${base}; operator scopes: ${operators.join(', ')}`;
}

function parameters(route: Route): Schema[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery =
    route.query === undefined
      ? []
      : [...fieldsOf(route.query)].map(([name, { schema, optional }]) => ({
          name,
          in: 'query',
          required: !optional,
          schema,
        }));
  const key = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } };
  return [...inPath, ...inQuery, ...(route.idempotent === undefined ? [] : [key])];
}

function requestBody(dto: DtoClass, optional: boolean, classes: Set<DtoClass>): Schema {
  classes.add(dto);
  return { required: !optional, content: { 'application/json': { schema: ref(dto) } } };
}

function responseOf({ response, status }: Route, classes: Set<DtoClass>): Schema {
  if (response === null) return { description: status === 204 ? 'Done' : 'The response' };
  const dto = Array.isArray(response) ? response[0] : response;
  classes.add(dto);
  const schema = Array.isArray(response) ? { type: 'array', items: ref(dto) } : ref(dto);
  return { description: 'The response', content: { 'application/json': { schema } } };
}

function problems(route: Route): Schema {
  const statuses = new Set<number>([500, 503]);
  if (route.access !== 'public') statuses.add(401).add(403).add(422);
  if (route.body !== undefined) statuses.add(400).add(413).add(415);
  if (route.path.includes(':')) statuses.add(404);
  if (route.idempotent !== undefined) statuses.add(404).add(409);
  if (route.hashes) statuses.add(429);
  return Object.fromEntries([...statuses].map((status) => [status, { $ref: '#/components/responses/Problem' }]));
}

function schemasOf(classes: Set<DtoClass>): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const waiting = [...classes];
  for (let dto = waiting.pop(); dto !== undefined; dto = waiting.pop()) {
    if (schemas[dto.name] !== undefined) continue;
    const fields: [string, FieldNote][] = [...fieldsOf(dto)];
    schemas[dto.name] = {
      type: 'object',
      properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
      required: fields.filter(([, { optional }]) => !optional).map(([name]) => name),
      additionalProperties: false,
    };
    waiting.push(...fields.flatMap(([, { refers }]) => refers));
  }
  return schemas;
}

function problemSchema(): Schema {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const statuses = [...new Set(codes.map((code) => statusOf(ERRORS[code].kind)))].sort((left, right) => left - right);
  return {
    type: 'object',
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer', enum: statuses },
      detail: { type: 'string' },
      code: { type: 'string', enum: codes },
      request_id: { type: 'string' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: { type: 'string' }, message: { type: 'string' } },
          required: ['field', 'message'],
        },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  };
}
