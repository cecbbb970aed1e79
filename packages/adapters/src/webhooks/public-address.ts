import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is public: not loopback, private, link-local or multicast. For an IPv4-mapped IPv6 address the
 * IPv4 address decides. Other addresses that contain an IPv4 address (NAT64, 6to4, Teredo) are not public. False for a
 * text that is not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
