import { reasonOf } from '@mailstead/core/errors';
import type { Logger } from './logger.js';

/** The time limit of `drain`. After it the process exits. */
const DRAIN_MS = 8_000;

/** At the first SIGTERM or SIGINT, runs `drain` and exits with code 0. Further signals are ignored. */
export function stopOnSignal(logger: Logger, drain: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    logger.info('stopping');
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
    drain()
      .catch((error: unknown) => logger.warn('stopping was not clean', { reason: String(error) }))
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Writes the message of the error to stderr and exits with code 1. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}
