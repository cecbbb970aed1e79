import type { DnsCheck } from '../../api/shapes.js';

/** Where to click at a DNS provider, and what is special about its forms. Our own words: nothing is from the DNS. */
export const provider = {
  cloudflare: 'Log in there, choose the domain, then DNS, Records and “Add record”. Set CNAME records to “DNS only”.',
  route53:
    'In the AWS console open Route 53, “Hosted zones”, the zone, then “Create record”. For @ leave the name empty. Write the priority before the value of an MX, and TXT values in quotation marks.',
  godaddy: 'Log in there, open “Domain Portfolio”, choose the domain, then DNS and “Add New Record”.',
  ionos: 'Log in there, open “Domains & SSL”, choose the domain, then the tab DNS and “Add record”.',
  ovh: 'Log in there, open “Web Cloud”, “Domain names”, the domain, then “DNS zone” and “Add an entry”. For @ leave the sub-domain empty. End hosts in MX and CNAME values with a dot.',
  hetzner:
    'Log in to the Hetzner Console, choose the project, then DNS, the zone and “Add record”. End hosts in MX and CNAME values with a dot.',
  namecheap:
    'Log in there, open “Domain List”, “Manage” beside the domain, then “Advanced DNS” and “Add New Record”. MX records are on the same page under “Mail Settings”, “Custom MX”.',
  united_domains:
    'Log in there, open the domain portfolio, choose the domain, then its DNS settings, and add the records.',
} as const satisfies Record<NonNullable<DnsCheck['zone']['provider']>, string>;
