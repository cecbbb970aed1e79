import { setTimeout as delay } from 'node:timers/promises';
import { deadline } from '@mailstead/core/deadlines';
import { reasonOf } from '@mailstead/core/errors';
import type { ServiceProcess } from './service-process.js';

/**
 * At the first SIGTERM or SIGINT the process becomes unready at once, serves for `drainSeconds` more, runs `stop` and
 * exits with code 0. Further signals are ignored.
 */
export function stopOnSignal(
  { logger, shutdown }: Pick<ServiceProcess, 'logger' | 'shutdown'>,
  stop: () => Promise<void>,
  drainSeconds = 0,
): void {
  const begin = () => {
    if (shutdown.isStopping) return;
    shutdown.begin();
    logger.info('stopping', { drain_seconds: drainSeconds });
    setTimeout(() => process.exit(0), drainSeconds * 1_000 + deadline('stop')).unref();
    delay(drainSeconds * 1_000)
      .then(stop)
      .catch((error: unknown) => logger.warn('stopping was not clean', { reason: String(error) }))
      .finally(() => process.exit(0));
  };
  process.on('SIGTERM', begin);
  process.on('SIGINT', begin);
}

/** Writes the message of the error to stderr and exits with code 1. */
export function failToStart(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}
