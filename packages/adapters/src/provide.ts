import type { Container } from 'inversify';

/** A class that names what is wanted; abstract for a port, concrete for a use case. */
export type Token<T> = abstract new (...args: never[]) => T;

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
 * Binds a class under its token, one for the whole process; what is bound already, by a test, stays. The compiler checks that every dependency is there, in the
 * order of the constructor.
 */
export function provide<T, Dependencies extends unknown[]>(
  container: Container,
  token: Token<T>,
  made: new (...dependencies: Dependencies) => T,
  ...dependencies: Tokens<Dependencies>
): void {
  if (container.isBound(token)) return;
  container
    .bind<T>(token as never)
    .toDynamicValue((context) => {
      const values = (dependencies as (Token<unknown> | Constant<unknown>)[]).map((dependency) =>
        dependency instanceof Constant ? dependency.value : context.get<unknown>(dependency as never),
      );
      return new made(...(values as Dependencies));
    })
    .inSingletonScope();
}

/** Binds a class without a token of its own. */
export function provideSelf<T, Dependencies extends unknown[]>(
  container: Container,
  made: new (...dependencies: Dependencies) => T,
  ...dependencies: Tokens<Dependencies>
): void {
  provide(container, made as unknown as Token<T>, made, ...dependencies);
}
