/**
 * The answer to one look-up. `missing` is an authoritative negative answer (NXDOMAIN, NODATA); `error` is any failure
 * to get an answer.
 */
export type DnsAnswer<T> =
  | { outcome: 'found'; values: T[] }
  | { outcome: 'missing' }
  | { outcome: 'error'; reason: string };

/**
 * The owner of a record decides how long it is, up to 64 kB. No record that is checked comes near this length: a DKIM
 * key of 4,096 bits has 750 characters, and an SPF record should fit into 512 bytes (RFC 7208 section 3.4).
 */
export const MAX_TXT_CHARACTERS = 4_096;

export interface MxRecord {
  /** Lower case, without a trailing dot; empty for a null MX (RFC 7505). */
  exchange: string;
  priority: number;
}

/**
 * DNS look-ups with a time limit (`DNS_SERVERS`, 3 s each). Never throws: a failure is the outcome `error` with a
 * sentence.
 */
export abstract class DnsResolver {
  /** The preferred one, of the lowest priority, first. */
  abstract mx(name: string): Promise<DnsAnswer<MxRecord>>;
  /** The strings of one record, joined without a separator (RFC 7208 section 3.3), cut at `MAX_TXT_CHARACTERS`. */
  abstract txt(name: string): Promise<DnsAnswer<string>>;
  /**
   * The A and AAAA addresses of a name, at most 64; CNAMEs are followed. Each is in the one form that c-ares prints
   * (IPv6 in lower case and compressed), so that addresses can be compared as texts. `found` when either look-up has
   * some, also when the other one failed; `missing` only when both have an authoritative negative answer.
   */
  abstract addresses(name: string): Promise<DnsAnswer<string>>;
  /** The A (4) or AAAA (6) addresses of a name, at most 32, in the same form; CNAMEs are followed. */
  abstract addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>>;
  /** The names at a name of `in-addr.arpa` or `ip6.arpa`, lower case, without a trailing dot. */
  abstract ptr(name: string): Promise<DnsAnswer<string>>;
  abstract cname(name: string): Promise<DnsAnswer<string>>;
  /** The hosts of the name servers, lower case, without a trailing dot. They may have any characters. */
  abstract ns(name: string): Promise<DnsAnswer<string>>;
  /** The primary name server of the zone whose top the name is. */
  abstract soa(name: string): Promise<DnsAnswer<string>>;
}
