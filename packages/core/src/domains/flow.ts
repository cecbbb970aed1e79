/**
 * Whether mail of a domain passes in one direction, from the best to the worst. `at_risk`: it passes, and somebody
 * should look at the reason. `monitored`: it passes, although a limit is reached, because limits are only monitored.
 * `pending`: it does not pass yet, DNS records are awaited. `off`: a suspension stops it. `waits`: it is deferred, and
 * passes when the reason ends. `no`: it does not pass.
 */
export const FLOWS = ['yes', 'at_risk', 'monitored', 'pending', 'off', 'waits', 'no'] as const;
export type Flow = (typeof FLOWS)[number];
