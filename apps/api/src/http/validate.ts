import type { FieldError } from '@mailstead/core/errors';
import { addErrors, fitsRules } from './fields/compiled-rules.js';
import { allNames, FieldErrors, type NamesLeft } from './fields/field-errors.js';
import type { DtoClass } from './fields/field-notes.js';
import { toInstance } from './fields/to-instance.js';

/** The message of a value that is no JSON object. Its field is empty. */
export const MUST_BE_OBJECT = 'must be an object';

/** An instance of the DTO class, or the errors of the value. */
export type Validated<T> = { instance: T; errors: null } | { instance: null; errors: FieldError[] };

/**
 * Checks a JSON value with the rules of its DTO class. Each error has the path of its field, such as `items[3].count`:
 * all wrong fields; of unknown names and of the items of a list the first 20, and how many more.
 *
 * @param namesLeft of the request, when the value is one of several.
 */
export function validate<T extends object>(
  dto: DtoClass<T>,
  value: unknown,
  namesLeft: NamesLeft = allNames(),
): Validated<T> {
  const instance = toInstance(dto, value);
  if (instance === null) return { instance: null, errors: [{ field: '', message: MUST_BE_OBJECT }] };
  if (fitsRules(instance)) return { instance, errors: null };
  const errors = new FieldErrors(namesLeft);
  addErrors(instance, errors);
  return { instance: null, errors: errors.all() };
}
