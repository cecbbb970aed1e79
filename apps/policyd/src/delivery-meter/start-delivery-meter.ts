import type { MailsteadClient } from '@mailstead/client/mailstead-client';
import { ApiTransferReporter } from './api-transfer-reporter.js';
import { DeliveryMeter } from './delivery-meter.js';
import { StoredPosition } from './log-position.js';

/** What the delivery meter reads and keeps. */
export interface DeliveryMeterSettings {
  /** Dovecot's log. */
  log: string;
  /** The file that keeps the position in that log up to which deliveries are reported. */
  state: string;
}

/** A running delivery meter. */
export interface RunningMeter {
  /** Resolves when it has ended; unreported deliveries are read again at the next start. */
  stop(): Promise<void>;
}

/**
 * Starts to meter inbound transfer. `onTrouble` is called with each error that is tried again, or with the one that
 * ended it.
 */
export function startDeliveryMeter(
  { log, state }: DeliveryMeterSettings,
  client: MailsteadClient,
  onTrouble: (error: unknown) => void,
): RunningMeter {
  const abort = new AbortController();
  const meter = new DeliveryMeter(new StoredPosition(state), new ApiTransferReporter(client), { log, onTrouble });
  const running = meter.run(abort.signal).catch(onTrouble);
  return {
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
