import { type DomainName, registrableDomain, suffixesOf } from '../domains/domain-name.js';
import { valuesOf } from './dns-check.js';
import { type DnsProvider, providerOf } from './dns-providers.js';
import type { DnsAnswer, DnsResolver } from './dns-resolver.js';

/** The DNS zone in which the records of a domain are kept. */
export interface DnsZone {
  /** The domain or a name above it. Never above the registrable domain: such a zone is not the holder's. */
  name: string;
  /** The hosts of its NS records, sorted; empty when these could not be looked up. */
  nameServers: string[];
  /** The provider of the name servers, when it is one that the portal describes. */
  provider: DnsProvider | null;
}

/** Names of a domain that are looked up. A zone cut further from it is not found, except the registrable domain. */
const MAX_CANDIDATES = 6;
/** Zones have at most 13 name servers in practice. */
const MAX_NAME_SERVERS = 16;
/** NS records may have any bytes. Only host names (RFC 1123), which also IDNA names are, are shown. */
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/**
 * Finds the nearest zone cut at or above the domain by its NS and SOA records, all looked up concurrently. When no
 * look-up finds one, the zone is the registrable domain by the public suffix list.
 *
 * @param alias the CNAME of the domain
 */
export async function findZone(
  dns: DnsResolver,
  domain: DomainName,
  alias: Promise<DnsAnswer<string>>,
): Promise<DnsZone> {
  const registrable = registrableDomain(domain) ?? domain;
  const names = suffixesOf(domain).filter((name) => name.length >= registrable.length);
  const candidates = [...new Set([...names.slice(0, MAX_CANDIDATES), registrable])];
  const cuts = await Promise.all(
    candidates.map((name) => readCut(dns, name, name === domain ? alias : dns.cname(name))),
  );
  return cuts.find((cut) => cut !== null) ?? { name: registrable, nameServers: [], provider: null };
}

/** @returns null when the name is not the top of a zone, or when that is not known. */
async function readCut(dns: DnsResolver, name: string, asked: Promise<DnsAnswer<string>>): Promise<DnsZone | null> {
  const [ns, soa, alias] = await Promise.all([dns.ns(name), dns.soa(name), asked]);
  // Resolvers follow an alias: the records are those of another name. The top of a zone cannot be an alias.
  if (alias.outcome === 'found') return null;
  if (ns.outcome !== 'found' && soa.outcome !== 'found') return null;
  const hosts = [...new Set(valuesOf(ns))].sort();
  const nameServers = hosts.filter((host) => HOST.test(host)).slice(0, MAX_NAME_SERVERS);
  // A name server that is left out may be of another provider.
  return { name, nameServers, provider: providerOf(hosts) };
}
