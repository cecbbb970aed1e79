import { type DtoClass, ref, type Schema } from '../fields/field-notes.js';
import { describedEnd } from '../fields.js';
import type { Route } from '../route.js';
import { exampleBodyOf, exampleOf } from './examples.js';
import { headersOf } from './headers.js';
import { parametersOf } from './parameters.js';
import { problemsOf } from './problems.js';
import { tagOf } from './tags.js';

/** How a caller says who it is. */
export const SECURITY = [{ bearer: [] }, { session: [] }];

/** What several operations refer to. */
export interface Components {
  classes: Set<DtoClass>;
  /** The responses with problem details, by the name of the component. */
  problems: Record<string, Schema>;
}

export function operationOf(route: Route, components: Components): Schema {
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    tags: [tagOf(route)],
    ...(route.deprecated === undefined ? {} : { deprecated: true }),
    ...securityOf(route),
    description: [
      ...[describedEnd(route.description, route.deprecated) ?? []].flat(),
      `Callers: ${callersOf(route)}.`,
    ].join('\n\n'),
    parameters: parametersOf(route),
    ...requestBodyOf(route, components),
    responses: { ...successOf(route, components), ...problemRefsOf(route, components) },
  };
}

/** Whether a caller must, may or need not send a token. Some public routes check it themselves. */
function securityOf({ access, errors = [] }: Route): Schema {
  if (access !== 'public' || errors.includes('missing_token')) return {};
  return { security: errors.includes('invalid_token') ? [{}, ...SECURITY] : [] };
}

/** The name of the operation, in the document and in `may` of `GET /me`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method, ...words]
    .map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1)))
    .join('');
}

function callersOf({ access, scopes = [], method, readKeys }: Route): string {
  const operators = [...scopes, ...(method === 'get' && access !== 'public' ? ['read'] : [])];
  const base = {
    public: 'everyone, without a token',
    any: 'any token',
    client: 'API key, master',
    master: 'master',
    key: `API key${readKeys === true ? '' : ' with the scope `manage`'} that is not limited to some domains`,
  }[access];
  return operators.length === 0 || access === 'any' || access === 'key'
    ? base
    : `${base}, operators with the scope ${operators.join(', ')}`;
}

function requestBodyOf(route: Route, { classes }: Components): Schema {
  if (route.raw) return { requestBody: rawBodyOf(route) };
  if (route.body === undefined) return {};
  classes.add(route.body);
  const content = { schema: ref(route.body), example: exampleBodyOf(route) };
  return { requestBody: { required: route.bodyOptional !== true, content: { 'application/json': content } } };
}

/** The webhook takes JSON with the content type of each sender. */
function rawBodyOf({ exampleBody }: Route): Schema {
  const media = { schema: { type: 'object', description: 'An event of the relay provider' }, example: exampleBody };
  return {
    required: true,
    content: {
      'application/json': media,
      'text/plain': { schema: { type: 'string', description: 'The same JSON, as SNS sends it' } },
    },
  };
}

function successOf(route: Route, components: Components): Schema {
  const response = { description: route.status === 204 ? 'Done' : 'Success', headers: headersOf(route, route.status) };
  const content = contentOf(route, components);
  const full = content === null ? response : { ...response, content };
  // A creation may answer with what exists.
  const others = (route.alsoStatuses ?? []).filter((status) => status < 300).map((status) => [status, full]);
  return { [route.status]: full, ...Object.fromEntries(others) };
}

function contentOf(route: Route, components: Components): Schema | null {
  const { alsoMediaTypes = [] } = route;
  const own = ownContentOf(route, components);
  return own === null ? null : { ...own, ...plainContent(alsoMediaTypes) };
}

function plainContent(mediaTypes: readonly string[]): Schema {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: plainSchema(type) }]));
}

function ownContentOf({ response, mediaTypes = [] }: Route, { classes }: Components): Schema | null {
  if (mediaTypes.length > 0) return plainContent(mediaTypes);
  if (response === null) return null;
  if (!Array.isArray(response)) {
    classes.add(response);
    return { 'application/json': { schema: ref(response), example: exampleOf(response) } };
  }
  for (const dto of response) classes.add(dto);
  const [first, ...others] = response;
  const items = others.length === 0 ? ref(first) : { anyOf: response.map(ref) };
  return { 'application/json': { schema: { type: 'array', items }, example: [exampleOf(first)] } };
}

function plainSchema(mediaType: string): Schema {
  return { type: mediaType === 'application/json' ? 'object' : 'string' };
}

function problemRefsOf(route: Route, components: Components): Schema {
  const refs: Schema = {};
  for (const { status, name, response } of problemsOf(route)) {
    if (route.alsoStatuses?.includes(status) === true) {
      refs[status] = withContent(response, contentOf(route, components));
      continue;
    }
    components.problems[name] = response;
    refs[status] = { $ref: `#/components/responses/${name}` };
  }
  return refs;
}

/** A response that is either problem details or a body of the route's own class. */
function withContent(response: Schema, own: Schema | null): Schema {
  return { ...response, content: { ...own, ...(response.content as Schema) } };
}
