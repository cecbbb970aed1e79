import { Clock } from '@mailstead/core/clock';
import { KnownTokens } from '@mailstead/core/limits/known-tokens';
import { RateLimits } from '@mailstead/core/limits/rate-limits';
import { WrongTokens } from '@mailstead/core/limits/wrong-tokens';
import type { Container } from 'inversify';
import type { Config } from '../config.js';
import { constant, provideMade, provideSelf } from '../provide.js';

/** Binds the limits of requests: the rates of partners, and the wrong tokens of addresses. */
export function bindLimits(container: Container, config: Readonly<Config>): void {
  provideSelf(container, RateLimits, constant(config.rateLimit), Clock);
  provideMade(container, KnownTokens, (clock: Clock) => new KnownTokens(clock), Clock);
  provideMade(
    container,
    WrongTokens,
    (known: KnownTokens, clock: Clock) => new WrongTokens(config.authFailuresPerMinute, known, clock),
    KnownTokens,
    Clock,
  );
}
