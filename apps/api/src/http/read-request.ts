import { AppError, type FieldError } from '@mailstead/core/errors';
import { FieldErrors, UnknownNames } from './fields/field-errors.js';
import { fieldsOf } from './fields/field-notes.js';
import type { Route } from './route.js';
import { MUST_BE_OBJECT, type Validated, validate } from './validate.js';

const NOTHING: Validated<object> = { instance: {}, errors: null };

/**
 * Validates the query and the body of a request. Unknown parameters and fields are refused, also on routes without any:
 * a misspelt limit or a `?dry_run=true` would have no effect and no error. Routes with `anyInput` accept any query,
 * because browsers and probes add parameters to avoid caches; a raw route gets the bytes of the body.
 *
 * @param raw the parsed body; undefined when the request has no body, which counts as a body without fields.
 * @throws AppError validation_failed with the errors of query and body.
 */
export function readRequest(route: Route, url: string, raw: unknown): { query: object; body: object } {
  if (route.anyInput === true) return { query: {}, body: raw ?? Buffer.alloc(0) };
  const query = readQuery(route, url);
  const body = readBody(route, raw);
  if (query.errors === null && body.errors === null) return { query: query.instance, body: body.instance };
  const errors = [...(query.errors ?? []), ...(body.errors ?? [])];
  throw new AppError('validation_failed', { detail: errors.map(sentence).join('; '), errors });
}

function readQuery({ query: dto }: Route, url: string): Validated<object> {
  const start = url.indexOf('?');
  if (dto === undefined && start === -1) return NOTHING;
  const fields = dto === undefined ? null : fieldsOf(dto);
  const given: Record<string, string> = {};
  const repeated = new Set<string>();
  const unknown = new UnknownNames();
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start + 1))) {
    if (fields?.has(name) !== true) unknown.add(name);
    else if (Object.hasOwn(given, name)) repeated.add(name);
    else given[name] = value;
  }
  const checked = dto === undefined ? NOTHING : validate(dto, given);
  if (repeated.size + unknown.count === 0) return checked;
  const errors = new FieldErrors(undefined, 'parameter');
  for (const name of repeated) errors.add(name, 'must be given once');
  for (const { field, message } of checked.errors ?? []) if (!repeated.has(field)) errors.add(field, message);
  errors.addUnknown('', unknown);
  return { instance: null, errors: errors.all() };
}

function readBody({ body: dto }: Route, raw: unknown): Validated<object> {
  if (dto !== undefined) return validate(dto, raw === undefined ? {} : raw);
  if (raw === undefined) return NOTHING;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { instance: null, errors: [{ field: '', message: MUST_BE_OBJECT }] };
  }
  const unknown = new UnknownNames();
  for (const name of Object.keys(raw)) unknown.add(name);
  if (unknown.count === 0) return NOTHING;
  const errors = new FieldErrors();
  errors.addUnknown('', unknown);
  return { instance: null, errors: errors.all() };
}

function sentence({ field, message }: FieldError): string {
  if (field !== '') return `${field} ${message}`;
  if (message === MUST_BE_OBJECT) return 'Send a JSON object';
  // A parameter may be without a name, too: `?=x`.
  return message.startsWith('has ') ? `The request ${message}` : `"" ${message}`;
}
