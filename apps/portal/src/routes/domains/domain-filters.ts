import type { DomainFilters } from '../../api/shapes.js';

/** What the list can be narrowed to, with the API's parameters. The first word is in the address: `?show=blocked`. */
export const FILTERS: { value: string; label: string; filter: DomainFilters }[] = [
  { value: 'attention', label: 'Need attention', filter: { attention: 'true' } },
  { value: 'verified', label: 'Verified', filter: { verification_status: 'verified' } },
  { value: 'pending', label: 'Waiting for DNS', filter: { verification_status: 'pending' } },
  { value: 'failed', label: 'Verification failed', filter: { verification_status: 'failed' } },
  // The reasons for which Home counts domains, under their names in the API.
  { value: 'suspended', label: 'Suspended', filter: { attention_reason: 'suspended' } },
  { value: 'partner_suspended', label: 'Partner suspended', filter: { attention_reason: 'partner_suspended' } },
  { value: 'mail_waiting', label: 'Mail waits for days', filter: { attention_reason: 'mail_waiting' } },
  { value: 'blocked', label: 'Sending blocked', filter: { attention_reason: 'blocked' } },
  { value: 'dns_at_risk', label: 'DNS at risk', filter: { attention_reason: 'dns_at_risk' } },
  { value: 'unverified', label: 'Waiting for DNS for a day', filter: { attention_reason: 'unverified' } },
  { value: 'daily_limit', label: 'Near the limit of the day', filter: { attention_reason: 'daily_limit' } },
  { value: 'monthly_limit', label: 'Near the limit of the month', filter: { attention_reason: 'monthly_limit' } },
  { value: 'transfer_limit', label: 'Near the transfer cap', filter: { attention_reason: 'transfer_limit' } },
  {
    value: 'suppressions_high',
    label: 'Many dead addresses',
    filter: { attention_reason: 'suppressions_high' },
  },
];

export function filterOf(show: string | undefined): DomainFilters {
  return FILTERS.find(({ value }) => value === show)?.filter ?? {};
}
