import type { AbstractNewable, Container, Newable } from 'inversify';

/** The class by which a dependency is bound: an abstract class for a port, a concrete class for a use case. */
export type Token<T> = AbstractNewable<T>;

type Tokens<Dependencies extends unknown[]> = {
  [Index in keyof Dependencies]: Token<Dependencies[Index]> | Constant<Dependencies[Index]>;
};

/** A dependency that is a plain value, such as an options object. */
export class Constant<T> {
  constructor(readonly value: T) {}
}

export function constant<T>(value: T): Constant<T> {
  return new Constant(value);
}

/**
 * Binds a class under its token, as a singleton. The compiler checks that all dependencies are given, in the order of
 * the constructor.
 *
 * @throws Error when the token is bound already
 */
export function provide<T, Dependencies extends unknown[]>(
  container: Container,
  token: Token<T>,
  made: Newable<T, Dependencies>,
  ...dependencies: Tokens<Dependencies>
): void {
  provideMade<T, Dependencies>(container, token, (...values) => new made(...values), ...dependencies);
}

/** Binds the result of a function, as a singleton. @throws Error when the token is bound already */
export function provideMade<T, Dependencies extends unknown[]>(
  container: Container,
  token: Token<T>,
  make: (...dependencies: Dependencies) => T,
  ...dependencies: Tokens<Dependencies>
): void {
  const given: readonly (Token<unknown> | Constant<unknown>)[] = dependencies;
  const tokens = given.flatMap((each) => (each instanceof Constant ? [] : [each]));
  const makeOfResolved = (...resolved: unknown[]) => {
    const next = resolved.values();
    const values = given.map((each) => (each instanceof Constant ? each.value : next.next().value));
    return make(...(values as Dependencies));
  };
  bindOnce(container, token).toResolvedValue(makeOfResolved, tokens).inSingletonScope();
}

/** Binds a class that is its own token. @returns the token */
export function provideSelf<T, Dependencies extends unknown[]>(
  container: Container,
  made: Newable<T, Dependencies>,
  ...dependencies: Tokens<Dependencies>
): Token<T> {
  provide<T, Dependencies>(container, made, made, ...dependencies);
  return made;
}

/** Binds an existing instance. @throws Error when the token is bound already */
export function provideValue<T>(container: Container, token: Token<T>, value: T): void {
  bindOnce(container, token).toConstantValue(value);
}

/** Binds a second token for an instance that is bound already. @throws Error when the token is bound already */
export function provideAlias<T>(container: Container, token: Token<T>, bound: Token<T>): void {
  bindOnce(container, token).toService(bound);
}

function bindOnce<T>(container: Container, token: Token<T>) {
  if (container.isBound(token)) throw new Error(`${token.name} is bound twice`);
  return container.bind<T>(token);
}
