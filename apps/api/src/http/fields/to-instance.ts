import { type DtoClass, fieldsOf } from './field-notes.js';

/**
 * Before the name of an unknown field. class-validator looks names up in a plain object, where `constructor` and
 * `__proto__` are found, so it would take these for known fields; with the mark they are names like any other.
 */
export const UNKNOWN_MARK = '?';

/**
 * An instance of the class with the own properties of a JSON value, for class-validator to check.
 *
 * @returns null for what is no object. In the place of an array, too: class-validator would check an array's items.
 */
export function toInstance<T extends object>(dto: DtoClass<T>, value: unknown): T | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = fieldsOf(dto);
  const instance = new dto();
  // In the order of the class, whatever the order of the caller: an idempotency key belongs to the text of its body.
  for (const [name, { read }] of fields) {
    if (!Object.hasOwn(value, name)) continue;
    const given: unknown = Reflect.get(value, name);
    Reflect.set(instance, name, read === null || given === null ? given : read(given));
  }
  for (const name of Object.keys(value)) {
    if (!fields.has(name)) Reflect.set(instance, UNKNOWN_MARK + name, true);
  }
  return instance;
}
