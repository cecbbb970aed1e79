/** A domain that no registry gives away: no answer about it can be found, and none can do harm. */
export const PROBE_DOMAIN = 'mailstead-doctor.invalid';
export const PROBE_ADDRESS = `probe@${PROBE_DOMAIN}`;
