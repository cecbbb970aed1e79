import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PostJson } from '@mailstead/client/post-json';
import { ApiTransferReporter } from './api-transfer-reporter.js';
import { DeliveryMeter } from './delivery-meter.js';
import { StoredPosition } from './log-position.js';

/** The delivery meter's files. */
export interface DeliveryMeterSettings {
  /** Dovecot's log. */
  log: string;
  /** The file that stores the log position up to which everything is reported. */
  state: string;
  countsDownloads: boolean;
}

/** A running delivery meter. */
export interface RunningMeter {
  /** Resolves when the meter has ended. Unreported deliveries are read again at the next start. */
  stop(): Promise<void>;
}

/**
 * Starts to meter transfer. Calls `onTrouble` for each error that is retried, and for the error that ends the
 * meter.
 */
export function startDeliveryMeter(
  { log, state, countsDownloads }: DeliveryMeterSettings,
  post: PostJson,
  onTrouble: (error: unknown) => void,
): RunningMeter {
  const abort = new AbortController();
  const meter = new DeliveryMeter(new StoredPosition(state), new ApiTransferReporter(post), {
    log,
    countsDownloads,
    onTrouble,
  });
  const running = mkdir(dirname(state), { recursive: true, mode: 0o700 })
    .then(() => meter.run(abort.signal))
    .catch(onTrouble);
  return {
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
