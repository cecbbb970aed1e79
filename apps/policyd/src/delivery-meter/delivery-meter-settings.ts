/** The settings of the delivery meter. */
export interface DeliveryMeterSettings {
  /** Dovecot's log, `METER_LOG`. */
  log: string;
  /** The file that keeps how far it was counted, `METER_STATE`. */
  state: string;
}

/** Reads `METER_LOG` and `METER_STATE`; null when neither is set, and inbound transfer is not metered. Throws when they do not fit. */
export function readDeliveryMeterSettings(
  environment: Record<string, string | undefined> = process.env,
): DeliveryMeterSettings | null {
  const log = environment.METER_LOG?.trim() ?? '';
  const state = environment.METER_STATE?.trim() ?? '';
  if (log === '' && state === '') {
    return null;
  }
  if (!log.startsWith('/') || !state.startsWith('/')) {
    throw new Error('METER_LOG and METER_STATE: must both be absolute paths, or both be left out');
  }
  return { log, state };
}
