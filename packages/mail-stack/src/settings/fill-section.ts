/** In the place of a value that cannot be read: no rule takes it, and class-validator looks into no part of it. */
export const UNREADABLE = false;
/** Before the name of a setting that does not exist: class-validator would take `constructor` for a known one. */
export const UNKNOWN_MARK = '?';

type Reader = (value: unknown) => unknown;

const READERS = new WeakMap<object, Map<string, Reader>>();

/** Notes what a setting's JSON value becomes before it is checked. Null stays null. */
export function noteReader(read: Reader): PropertyDecorator {
  return (prototype, name) => {
    const readers = READERS.get(prototype) ?? new Map<string, Reader>();
    readers.set(String(name), read);
    READERS.set(prototype, readers);
  };
}

/**
 * Puts the values of a JSON object into an object of settings, in the place of their defaults.
 *
 * @returns UNREADABLE when the source is no object.
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
