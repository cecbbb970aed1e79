import type { DomainFilters } from '../../api/shapes.js';

/** What the list can be narrowed to, with the API's parameters. The first word is in the address: `?show=blocked`. */
export const FILTERS: { value: string; label: string; filter: DomainFilters }[] = [
  { value: 'attention', label: 'Need attention', filter: { attention: 'true' } },
  { value: 'verified', label: 'Verified', filter: { verification_status: 'verified' } },
  { value: 'pending', label: 'Waiting for DNS', filter: { verification_status: 'pending' } },
  { value: 'failed', label: 'Verification failed', filter: { verification_status: 'failed' } },
  { value: 'suspended', label: 'Suspended', filter: { status: 'suspended' } },
  { value: 'blocked', label: 'Sending blocked', filter: { outbound_status: 'blocked' } },
];

export function filterOf(show: string | undefined): DomainFilters {
  return FILTERS.find(({ value }) => value === show)?.filter ?? {};
}
