import type { DnsCheck } from '../../../api/shapes.js';

type Provider = NonNullable<DnsCheck['zone']['provider']>;

/** The names are our own: nothing of them comes from the DNS. */
export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  cloudflare: 'Cloudflare',
  route53: 'Amazon Route 53',
  godaddy: 'GoDaddy',
  ionos: 'IONOS',
  ovh: 'OVHcloud',
  hetzner: 'Hetzner',
  namecheap: 'Namecheap',
  united_domains: 'united-domains',
};
