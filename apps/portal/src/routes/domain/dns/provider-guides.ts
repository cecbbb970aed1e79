import type { DnsCheck } from '../../../api/shapes.js';

type Provider = NonNullable<DnsCheck['zone']['provider']>;

interface ProviderGuide {
  name: string;
  /** Where to click there, and what is special about its forms. Our own words: nothing of it comes from the DNS. */
  where: string;
}

export const PROVIDER_GUIDES: Readonly<Record<Provider, ProviderGuide>> = {
  cloudflare: {
    name: 'Cloudflare',
    where: 'Log in there, choose the domain, then DNS, Records and “Add record”. Set CNAME records to “DNS only”.',
  },
  route53: {
    name: 'Amazon Route 53',
    where:
      'In the AWS console open Route 53, “Hosted zones”, the zone, then “Create record”. For @ leave the name empty. Write the priority before the value of an MX, and TXT values in quotation marks.',
  },
  godaddy: {
    name: 'GoDaddy',
    where: 'Log in there, open “Domain Portfolio”, choose the domain, then DNS and “Add New Record”.',
  },
  ionos: {
    name: 'IONOS',
    where: 'Log in there, open “Domains & SSL”, choose the domain, then the tab DNS and “Add record”.',
  },
  ovh: {
    name: 'OVHcloud',
    where:
      'Log in there, open “Web Cloud”, “Domain names”, the domain, then “DNS zone” and “Add an entry”. For @ leave the sub-domain empty. End hosts in MX and CNAME values with a dot.',
  },
  hetzner: {
    name: 'Hetzner',
    where:
      'Log in to the Hetzner Console, choose the project, then DNS, the zone and “Add record”. End hosts in MX and CNAME values with a dot.',
  },
  namecheap: {
    name: 'Namecheap',
    where:
      'Log in there, open “Domain List”, “Manage” beside the domain, then “Advanced DNS” and “Add New Record”. MX records are on the same page under “Mail Settings”, “Custom MX”.',
  },
  united_domains: {
    name: 'united-domains',
    where: 'Log in there, open the domain portfolio, choose the domain, then its DNS settings, and add the records.',
  },
};
