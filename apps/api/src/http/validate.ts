import { AppError, type FieldError } from '@mailstead/core/errors';
import { validateSync } from 'class-validator';
import { type DtoClass, fieldsOf, objectProblems, own, toInstance } from './fields.js';

/**
 * Checks a body or a query against its DTO class and answers an instance of it.
 *
 * @throws AppError validation_failed with every problem of every field at once.
 */
export function validate<T extends object>(dto: DtoClass<T>, value: unknown): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('validation_failed', {
      detail: 'Send a JSON object',
      errors: [{ field: '', message: 'must be an object' }],
    });
  }
  const fields = fieldsOf(dto);
  const hasUnknown = Object.keys(value).some((name) => !fields.has(name));
  const candidate = new dto();
  for (const name of fields.keys()) Reflect.set(candidate, name, own(value, name));
  if (hasUnknown || validateSync(candidate, { forbidUnknownValues: false }).length > 0)
    throw failure(objectProblems(dto, value, ''));
  return toInstance(dto, value);
}

function failure(errors: FieldError[]): AppError {
  const detail = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new AppError('validation_failed', { detail, errors });
}
