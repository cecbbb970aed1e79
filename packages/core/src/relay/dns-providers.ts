/** DNS providers for which the portal says where records are entered. */
export const DNS_PROVIDERS = [
  'cloudflare',
  'route53',
  'godaddy',
  'ionos',
  'ovh',
  'hetzner',
  'namecheap',
  'united_domains',
] as const;
export type DnsProvider = (typeof DNS_PROVIDERS)[number];

/**
 * How the names of each provider's name servers end. Only those of the panel that the portal describes are listed:
 * Hetzner's `first-ns.de` and Namecheap's `namecheaphosting.com` belong to other panels, and `ovh.net` has the names of
 * customers' servers, too.
 */
const SUFFIXES: Record<DnsProvider, readonly RegExp[]> = {
  cloudflare: [/\.ns\.cloudflare\.com$/, /\.foundationdns\.(com|net|org)$/],
  route53: [/\.awsdns-\d{1,2}\.(com|net|org|co\.uk)$/],
  godaddy: [/\.domaincontrol\.com$/],
  ionos: [/\.ui-dns\.(com|de|org|biz)$/],
  ovh: [/^d?ns\d+\.ovh\.(net|ca)$/, /^d?ns\d+\.anycast\.me$/],
  hetzner: [/\.ns\.hetzner\.(com|de)$/],
  namecheap: [/\.registrar-servers\.com$/],
  united_domains: [/\.udag\.(de|net|org)$/],
};

/**
 * @param nameServers their names, lower case, without a trailing dot.
 * @returns the provider of all of them; null when there is none, when it is not known, or when they have several.
 */
export function providerOf(nameServers: readonly string[]): DnsProvider | null {
  const [first] = nameServers;
  if (first === undefined) return null;
  const isOf = (provider: DnsProvider) => (host: string) => SUFFIXES[provider].some((suffix) => suffix.test(host));
  return DNS_PROVIDERS.find((provider) => nameServers.every(isOf(provider))) ?? null;
}
