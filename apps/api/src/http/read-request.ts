import { AppError, type FieldError } from '@mailstead/core/errors';
import { fieldsOf } from './fields/field-notes.js';
import type { Route } from './route.js';
import { type Validated, validate } from './validate.js';

const NOTHING: Validated<object> = { instance: {}, errors: null };

/**
 * Validates the query and the body of a request. Unknown parameters and fields are refused, also on routes without any:
 * a misspelt limit or a `?dry_run=true` would have no effect and no error. Routes with `anyInput` accept any query,
 * because browsers and probes add parameters to avoid caches; a raw route gets the bytes of the body.
 *
 * @param raw the parsed body; undefined when the request has no body, which counts as a body without fields.
 * @throws AppError validation_failed with all errors of query and body.
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
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(start === -1 ? '' : url.slice(start + 1))) {
    if (fields?.has(name) !== true) errors.push({ field: name, message: 'is not a known parameter' });
    else if (Object.hasOwn(given, name)) errors.push({ field: name, message: 'must be given once' });
    else given[name] = value;
  }
  const checked = dto === undefined ? NOTHING : validate(dto, given);
  return errors.length === 0 ? checked : { instance: null, errors: [...errors, ...(checked.errors ?? [])] };
}

function readBody({ body: dto }: Route, raw: unknown): Validated<object> {
  if (dto !== undefined) return validate(dto, raw === undefined ? {} : raw);
  if (raw === undefined) return NOTHING;
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return { instance: null, errors: [{ field: '', message: 'must be an object' }] };
  }
  const errors = Object.keys(raw).map((field) => ({ field, message: 'is not a known field' }));
  return errors.length === 0 ? NOTHING : { instance: null, errors };
}

function sentence({ field, message }: FieldError): string {
  // A parameter may be without a name, too: `?=x`.
  return field === '' && message === 'must be an object' ? 'Send a JSON object' : `${field} ${message}`;
}
