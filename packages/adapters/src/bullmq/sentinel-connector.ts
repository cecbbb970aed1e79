import { type Redis, type SentinelConnectionOptions, SentinelConnector } from 'ioredis';
import { textOf } from './text-of.js';

/** The method of `SentinelConnector` that opens a connection with a sentinel; private in its types. */
const OPEN = 'connectToSentinel';

/**
 * ioredis listens to no error of the connections by which the sentinels tell of a switch, and writes each on the
 * console, past the log.
 *
 * @param report gets these errors, none of which is a refusal by Redis itself
 */
export function sentinelConnector(report: (error: unknown) => void): new (options: unknown) => SentinelConnector {
  return class extends SentinelConnector {
    constructor(options: unknown) {
      super(options as SentinelConnectionOptions);
      const open = Reflect.get(this, OPEN) as (...given: unknown[]) => Redis;
      const opened = (...given: unknown[]) =>
        open.apply(this, given).on('error', (error) => report(new Error(`A sentinel: ${textOf(error)}`)));
      Reflect.set(this, OPEN, opened);
    }
  };
}
