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
  /** Resolves when it has ended; what it has not reported by then it reads again at its next start. */
  stop(): Promise<void>;
}

/** Starts to meter inbound transfer. `onTrouble` hears why it cannot go on for now, or, once, why it gave up. */
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
