import { classesWithNeeds, type Made, type Token } from '@mailstead/core/needs';
import { type AbstractNewable, Container } from 'inversify';

/**
 * The bindings of one process: what stands for a port, and values. Every other class is created by what it says that it
 * needs (`@needs`). There is one instance of each.
 */
export class Bindings {
  private readonly container = new Container();
  /** Each token that is needed, with the names of what needs it. */
  private readonly users = new Map<Token<unknown>, string[]>();

  /** @throws Error when the port is bound already */
  port<T>(port: Token<T>, adapter: Token<NoInfer<T>>): void {
    this.bind(port, [adapter]).toService(idOf(adapter));
  }

  /** @throws Error when the token is bound already */
  value<T>(token: Token<T>, value: NoInfer<T>): void {
    this.bind(token, []).toConstantValue(value);
  }

  /** Binds the result of a function of what `tokens` stand for. @throws Error when the token is bound already */
  made<T, const D extends readonly Token<unknown>[]>(
    token: Token<T>,
    tokens: D,
    make: (...made: Made<D>) => NoInfer<T>,
  ): void {
    const makeOfResolved = (...resolved: unknown[]) => make(...(resolved as Made<D>));
    this.bind(token, tokens).toResolvedValue(makeOfResolved, tokens.map(idOf)).inSingletonScope();
  }

  /**
   * Binds every loaded class that says what it needs and is not bound yet. Creates no instance.
   *
   * @throws Error with every token that is needed, but not bound
   */
  complete(): Container {
    for (const [made, tokens] of classesWithNeeds()) {
      this.made(made, tokens, (...resolved: unknown[]) => new made(...(resolved as never)));
    }
    const missing = [...this.users].filter(([token]) => !this.container.isBound(idOf(token)));
    if (missing.length > 0) {
      const lines = missing.map(([{ name }, users]) => `${name} (for ${users.join(', ')})`);
      throw new Error(`Nothing is bound for ${lines.join('; ')}`);
    }
    return this.container;
  }

  private bind<T>(token: Token<T>, needed: readonly Token<unknown>[]) {
    const id = idOf(token);
    if (this.container.isBound(id)) throw new Error(`${token.name} is bound twice`);
    for (const each of needed) this.users.set(each, [...(this.users.get(each) ?? []), token.name]);
    return this.container.bind<T>(id);
  }
}

/** Creates every class that says what it needs. @throws Error when a class needs itself, or cannot be created */
export function createAll(container: Container): void {
  for (const made of classesWithNeeds().keys()) container.get(idOf(made));
}

/** The token as inversify writes its type. */
export function idOf<T>(token: Token<T>): AbstractNewable<T> {
  return token as unknown as AbstractNewable<T>;
}
