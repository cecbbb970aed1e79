/** Replaces a value that cannot be read. Every rule rejects it, and class-validator does not validate inside it. */
export const UNREADABLE = false;
/** Prefix for the name of an unknown setting, because class-validator treats `constructor` as known. */
export const UNKNOWN_MARK = '?';

type Reader = (value: unknown) => unknown;

const READERS = new WeakMap<object, Map<string, Reader>>();
/** The settings of a class for which null means the default. */
const NULL_AS_DEFAULT = new WeakMap<object, Set<string>>();

/** Converts a setting's JSON value before validation. Null is not converted. */
export function noteReader(read: Reader): PropertyDecorator {
  return (prototype, name) => {
    const readers = READERS.get(prototype) ?? new Map<string, Reader>();
    readers.set(String(name), read);
    READERS.set(prototype, readers);
  };
}

/** Notes that null leaves a setting at its default. */
export function nullAsDefault(): PropertyDecorator {
  return (prototype, name) => {
    const names = NULL_AS_DEFAULT.get(prototype) ?? new Set<string>();
    names.add(String(name));
    NULL_AS_DEFAULT.set(prototype, names);
  };
}

/**
 * Replaces the defaults of a settings object by the values of a JSON object.
 *
 * @returns UNREADABLE when the source is not an object.
 */
export function fillSection<T extends object>(section: T, source: unknown): T | typeof UNREADABLE {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return UNREADABLE;
  const prototype = Object.getPrototypeOf(section) as object;
  const readers = READERS.get(prototype);
  for (const [name, value] of Object.entries(source)) {
    const read = readers?.get(name);
    if (!Object.hasOwn(section, name)) Reflect.set(section, UNKNOWN_MARK + name, value);
    else if (value !== null) Reflect.set(section, name, read === undefined ? value : read(value));
    else if (NULL_AS_DEFAULT.get(prototype)?.has(name) !== true) Reflect.set(section, name, null);
  }
  return section;
}
