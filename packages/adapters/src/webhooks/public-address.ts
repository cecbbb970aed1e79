import ipaddr from 'ipaddr.js';
import { isInside, parseAddress, parseNetwork } from '../network/ip-address.js';

/** The only addresses of IPv6 that are given to networks as public ones (IANA, IPv6 Global Unicast Address Space). */
const ASSIGNED_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether an IP address is public: not loopback, private, link-local or multicast. For an IPv4-mapped IPv6 address the
 * IPv4 address decides. Other addresses that contain an IPv4 address (NAT64, 6to4, Teredo, IPv4-compatible) are not
 * public. False for a text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // The library takes what nobody was given for public, such as IPv4-compatible addresses (`::10.0.0.1`).
  return parsed.kind() === 'ipv4' || parsed.match(ASSIGNED_IPV6);
}

/** Public addresses outside these networks. @param denied addresses and CIDRs; wrong ones are ignored */
export function isPublicOutside(denied: readonly string[]): (address: string) => boolean {
  const networks = denied.map(parseNetwork).filter((network) => network !== null);
  return (address) => {
    const parsed = isPublicAddress(address) ? parseAddress(address) : null;
    return parsed !== null && !isInside(parsed, networks);
  };
}
