import type { FieldError } from '@mailstead/core/errors';
import { type ValidationError, type ValidatorOptions, validateSync } from 'class-validator';
import { fitsRules } from './fields/compiled-rules.js';
import type { DtoClass } from './fields/field-notes.js';
import { toInstance, UNKNOWN_MARK } from './fields/to-instance.js';

/** An instance of the DTO class, or all errors of the value. */
export type Validated<T> = { instance: T; errors: null } | { instance: null; errors: FieldError[] };

const OPTIONS: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: false, value: false },
};

/** Checks a JSON value with the rules of its DTO class. */
export function validate<T extends object>(dto: DtoClass<T>, value: unknown): Validated<T> {
  const instance = toInstance(dto, value);
  if (instance === null) return { instance: null, errors: [{ field: '', message: 'must be an object' }] };
  if (fitsRules(instance)) return { instance, errors: null };
  return { instance: null, errors: errorsOf(instance) };
}

/** Returns the errors that class-validator finds, each with the path of its field, such as `items[3].count`. */
export function errorsOf(instance: object): FieldError[] {
  return validateSync(instance, OPTIONS).flatMap((error) => fieldErrors(error, ''));
}

function fieldErrors({ property, constraints = {}, children = [] }: ValidationError, parent: string): FieldError[] {
  if (property.startsWith(UNKNOWN_MARK)) {
    const name = property.slice(UNKNOWN_MARK.length);
    return [{ field: parent === '' ? name : `${parent}.${name}`, message: 'is not a known field' }];
  }
  const field = pathOf(parent, property);
  const own = Object.values(constraints).map((message) => ({ field, message }));
  return [...own, ...children.flatMap((child) => fieldErrors(child, field))];
}

/** The `property` of an item of a list is its index. */
function pathOf(parent: string, property: string): string {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
}
