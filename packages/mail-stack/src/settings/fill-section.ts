/** Replaces a value that cannot be read. Every rule rejects it, and class-validator does not validate inside it. */
export const UNREADABLE = false;
/** Prefix for the name of an unknown setting, because class-validator treats `constructor` as known. */
export const UNKNOWN_MARK = '?';

type Reader = (value: unknown) => unknown;

const READERS = new WeakMap<object, Map<string, Reader>>();

/** Converts a setting's JSON value before validation. Null is not converted. */
export function noteReader(read: Reader): PropertyDecorator {
  return (prototype, name) => {
    const readers = READERS.get(prototype) ?? new Map<string, Reader>();
    readers.set(String(name), read);
    READERS.set(prototype, readers);
  };
}

/**
 * Replaces the defaults of a settings object by the values of a JSON object.
 *
 * @returns UNREADABLE when the source is not an object.
 */
export function fillSection<T extends object>(section: T, source: unknown): T | typeof UNREADABLE {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return UNREADABLE;
  const readers = READERS.get(Object.getPrototypeOf(section));
  for (const [name, value] of Object.entries(source)) {
    if (!Object.hasOwn(section, name)) Reflect.set(section, UNKNOWN_MARK + name, value);
    else Reflect.set(section, name, value === null ? null : (readers?.get(name)?.(value) ?? value));
  }
  return section;
}
