import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A network: its address, and the length of its prefix. */
export type Network = [Address, number];

const IPV6_NETWORK_BITS = 64;
/** `192.0.2.1:443` and `[2001:db8::1]:443`, as some proxies write addresses. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\])(?::\d+)?$/;

/** @returns the address, IPv4 for an IPv4-mapped IPv6 address; null when the text is no IP address */
export function parseAddress(text: string): Address | null {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  const bare = ipv4 ?? ipv6 ?? text;
  // Shorter forms such as `127.1` are valid in ipaddr.js, but no proxy writes them.
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return null;
  return ipaddr.process(bare);
}

/** @returns the network `192.0.2.0/24`, or a single address as its own network; null when the text is neither */
export function parseNetwork(text: string): Network | null {
  const [, address = text, bits] = /^([^/]*)\/(\d{1,3})$/.exec(text) ?? [];
  const parsed = parseAddress(address);
  if (parsed === null || address.includes('[')) return null;
  const longest = parsed.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  return length <= longest ? [parsed, length] : null;
}

export function isInside(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** @returns the IPv4 address, or the /64 network of the IPv6 address, which one sender usually has as a whole */
export function senderOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK_BITS}`);
  return `${network.toString()}/${IPV6_NETWORK_BITS}`;
}
