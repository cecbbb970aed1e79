import type { Container } from 'inversify';
import type { Token } from '../provide.js';

/**
 * Puts what a test brings in the place of what the product bound. To be called before anything is taken from the container.
 *
 * @throws Error when the product binds no such token
 */
export function replace<T>(container: Container, token: Token<T>, value: T): void {
  if (!container.isBound(token)) throw new Error(`${token.name} is not bound, so nothing is replaced`);
  container.rebind<T>(token).toConstantValue(value);
}
