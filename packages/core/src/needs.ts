/** What stands for a thing that is made elsewhere: the abstract class of a port, a concrete class, or a `token`. */
export type Token<T> = abstract new (...made: never) => T;

/** A class whose needs are known. */
export type Needing = new (...made: never) => object;

export type Made<D extends readonly Token<unknown>[]> = {
  [Index in keyof D]: D[Index] extends Token<infer T> ? T : never;
};

/** More needs than parameters. */
interface TooManyNeeds {
  tooManyNeeds: never;
}

const NEEDS = new Map<Needing, readonly Token<unknown>[]>();

/**
 * Says on a class what its constructor needs, in the order of the parameters. A need that is missing, wrong or swapped
 * does not compile.
 */
export const needs =
  <const D extends readonly Token<unknown>[]>(...tokens: D) =>
  <C extends new (...made: Made<D>) => object>(
    target: C & (Made<D> extends Readonly<ConstructorParameters<C>> ? unknown : TooManyNeeds),
  ): void =>
    void NEEDS.set(target, tokens);

/** @returns every loaded class that says what it needs, with its needs */
export function classesWithNeeds(): ReadonlyMap<Needing, readonly Token<unknown>[]> {
  return NEEDS;
}

/** Creates the token of something that is no class: options, a list, a table. It has the name of the type. */
export function token<T>(name: string): Token<T> {
  return Object.defineProperty(() => {}, 'name', { value: name }) as unknown as Token<T>;
}
