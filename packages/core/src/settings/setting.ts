/** A value that a setting cannot have. The reason follows the setting's name in the message: "must be …". */
export class Refusal {
  /** @param value has the type of the setting, so that settings which depend on it are checked too */
  constructor(
    readonly reason: string,
    readonly value?: unknown,
  ) {}
}

/** Reads what is given for a setting, a text or a value of a JSON file. Returns a Refusal instead of throwing. */
export type Reader<T> = (given: unknown) => T | Refusal;

/** Decorates a field that may hold a T; on a field of another type it does not compile. */
export type Field<T> = <Name extends string, Settings extends Record<Name, unknown>>(
  prototype: Settings & ([T] extends [Settings[Name]] ? unknown : never),
  name: Name,
) => void;

const READERS = new WeakMap<object, Map<string, Reader<unknown>>>();

/** Says how a field of a settings class is read. */
export function Setting<T>(read: Reader<T>): Field<T> {
  return (prototype: object, name: string) => {
    const readers = READERS.get(prototype) ?? new Map<string, Reader<unknown>>();
    READERS.set(prototype, readers.set(name, read));
  };
}

/** @throws Error for a field without a decorator */
export function readerOf(settings: object, name: string): Reader<unknown> {
  const read = READERS.get(Object.getPrototypeOf(settings) as object)?.get(name);
  if (read === undefined)
    throw new Error(`${settings.constructor.name}.${name} has no decorator that says how it is read`);
  return read;
}
