import type { Token } from '@mailstead/core/needs';
import type { Container } from 'inversify';
import { idOf } from '../bindings.js';

/**
 * Replaces a binding with an instance of a test. Call it before anything is resolved from the container.
 *
 * @throws Error when the token is not bound
 */
export function replace<T>(container: Container, token: Token<T>, value: T): void {
  if (!container.isBound(idOf(token))) throw new Error(`${token.name} is not bound, so nothing is replaced`);
  container.rebind<T>(idOf(token)).toConstantValue(value);
}
