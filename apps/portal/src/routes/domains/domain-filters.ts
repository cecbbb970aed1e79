import type { DomainFilters } from '../../api/shapes.js';

interface Filter {
  /** In the address: `?show=stopped`. */
  value: string;
  label: string;
  filter: DomainFilters;
}

/** What the list can be narrowed to, with the API's parameters: the states, each domain in one of them. */
const BY_STATE: Filter[] = [
  { value: 'stopped', label: 'Stopped or waiting', filter: { state: 'no,waits' } },
  { value: 'pending', label: 'Waiting for DNS', filter: { state: 'pending' } },
  { value: 'at_risk', label: 'At risk or over a limit', filter: { state: 'at_risk,monitored' } },
  { value: 'off', label: 'Suspended', filter: { state: 'off' } },
  { value: 'well', label: 'Sends and receives', filter: { state: 'yes' } },
];

/** The reasons for which Home counts domains, under their names in the API. */
const BY_REASON: Filter[] = [
  { value: 'attention', label: 'Need attention', filter: { attention: 'true' } },
  { value: 'suspended', label: 'Suspended, each domain', filter: { attention_reason: 'suspended' } },
  { value: 'partner_suspended', label: 'Partner suspended', filter: { attention_reason: 'partner_suspended' } },
  { value: 'mail_waiting', label: 'Mail waits for days', filter: { attention_reason: 'mail_waiting' } },
  { value: 'blocked', label: 'Sending blocked', filter: { attention_reason: 'blocked' } },
  { value: 'dns_at_risk', label: 'DNS at risk', filter: { attention_reason: 'dns_at_risk' } },
  { value: 'dns_missing', label: 'MX or SPF missing', filter: { attention_reason: 'dns_missing' } },
  { value: 'unverified', label: 'Waiting for DNS for a day', filter: { attention_reason: 'unverified' } },
  { value: 'daily_limit', label: '80% of the day or more', filter: { attention_reason: 'daily_limit' } },
  { value: 'monthly_limit', label: '80% of the month or more', filter: { attention_reason: 'monthly_limit' } },
  { value: 'transfer_limit', label: '80% of the transfer or more', filter: { attention_reason: 'transfer_limit' } },
  { value: 'suppressions_high', label: 'Many dead addresses', filter: { attention_reason: 'suppressions_high' } },
];

/** The states, for a choice beside the search. */
export const STATES = BY_STATE.map(({ value, label }) => ({ value, label }));

/** @returns null for a text that is no filter, which somebody may have typed into the address */
export function labelOf(show: string | undefined): string | null {
  return found(show)?.label ?? null;
}

export function filterOf(show: string | undefined): DomainFilters {
  return found(show)?.filter ?? {};
}

function found(show: string | undefined): Filter | undefined {
  return [...BY_STATE, ...BY_REASON].find(({ value }) => value === show);
}
