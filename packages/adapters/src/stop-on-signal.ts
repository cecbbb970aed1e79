import { reasonOf } from '@mailstead/core/errors';
import type { Logger } from './logger.js';

/** What runs at a signal may take this long; then the process ends anyway. */
const DRAIN_MS = 8_000;

/** Ends the process at SIGTERM or SIGINT: once, after `drain`, with exit code 0. Further signals change nothing. */
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

/** Ends a process that could not start: one clear message, exit code 1. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}
