import ipaddr from 'ipaddr.js';

/**
 * Whether an IP address is one of the public internet: not loopback, private, link-local, multicast, nor one that carries
 * another address inside (an IPv4-mapped one is judged by the IPv4 address; NAT64, 6to4 and Teredo are refused). False for
 * a text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
