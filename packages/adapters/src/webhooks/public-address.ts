import ipaddr from 'ipaddr.js';
import { isInside, parseAddress, parseNetwork } from '../network/ip-address.js';

/**
 * Whether an IP address is public: not loopback, private, link-local or multicast. For an IPv4-mapped IPv6 address the
 * IPv4 address decides. Other addresses that contain an IPv4 address (NAT64, 6to4, Teredo) are not public. False for a
 * text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}

/** Public addresses outside these networks. @param denied addresses and CIDRs; wrong ones are ignored */
export function isPublicOutside(denied: readonly string[]): (address: string) => boolean {
  const networks = denied.map(parseNetwork).filter((network) => network !== null);
  return (address) => {
    const parsed = isPublicAddress(address) ? parseAddress(address) : null;
    return parsed !== null && !isInside(parsed, networks);
  };
}
