import { type DtoClass, fieldsOf } from './field-notes.js';

/**
 * Prefix of the names of unknown fields. class-validator looks up names in a plain object, which has `constructor` and
 * `__proto__`, so without the prefix it would accept these as known fields.
 */
export const UNKNOWN_MARK = '?';

/**
 * Creates an instance of the class with the properties of a JSON value. class-validator checks it afterwards.
 *
 * @returns null when the value is not an object. An array is not one: class-validator would check its items instead.
 */
export function toInstance<T extends object>(dto: DtoClass<T>, value: unknown): T | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const fields = fieldsOf(dto);
  const instance = new dto();
  // Fields are set in the order of the class, so that equal bodies have equal fingerprints for `Idempotency-Key`.
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
