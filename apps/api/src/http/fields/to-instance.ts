import { UnknownNames } from './field-errors.js';
import { type DtoClass, fieldsOf } from './field-notes.js';

/** The names in a JSON value that its class does not know, by the instance. Most instances have none. */
const UNKNOWN = new WeakMap<object, UnknownNames>();

/**
 * Creates an instance of the class with the properties of a JSON value. They are not checked yet.
 *
 * @returns null when the value is not an object. An array is not one.
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
  let unknown: UnknownNames | null = null;
  for (const name of Object.keys(value)) {
    if (fields.has(name)) continue;
    unknown ??= new UnknownNames();
    unknown.add(name);
  }
  if (unknown !== null) UNKNOWN.set(instance, unknown);
  return instance;
}

/** @returns null when the class knows all names of the value from which the instance was made */
export function unknownNamesOf(instance: object): UnknownNames | null {
  return UNKNOWN.get(instance) ?? null;
}
