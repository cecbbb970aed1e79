/** A domain that cannot exist (RFC 2606), so requests about it have no effect. */
export const PROBE_DOMAIN = 'mailstead-doctor.invalid';
export const PROBE_ADDRESS = `probe@${PROBE_DOMAIN}`;
