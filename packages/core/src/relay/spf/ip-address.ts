/** An IP address. Addresses of one family are compared by their numbers. */
export interface IpAddress {
  family: 4 | 6;
  /** 32 or 128 bits, the first byte of the address in the highest bits. */
  bits: bigint;
  /** As it was written. */
  text: string;
}

export interface IpNetwork {
  address: IpAddress;
  /** How many of the first bits are the same in all addresses of the network. */
  prefix: number;
}

const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

/** Reads four decimal octets without leading zeros (RFC 7208 section 12, `ip4-network`). */
export function parseIp4(text: string): IpAddress | null {
  const octets = text.split('.');
  if (octets.length !== 4 || !octets.every((octet) => OCTET.test(octet) && Number(octet) < 256)) return null;
  return { family: 4, bits: joined(octets.map(Number), 8n), text };
}

/** Reads an IPv6 address in one of the forms of RFC 4291 section 2.2. */
export function parseIp6(text: string): IpAddress | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail = []] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (head === undefined || head === null || tail === null) return null;
  const absent = GROUPS - head.length - tail.length;
  if (halves.length === 1 ? absent !== 0 : absent < 1) return null;
  return { family: 6, bits: joined([...head, ...Array<number>(absent).fill(0), ...tail], 16n), text };
}

export function parseIp(text: string): IpAddress | null {
  return text.includes(':') ? parseIp6(text) : parseIp4(text);
}

export function widthOf(family: 4 | 6): number {
  return family === 4 ? 32 : 128;
}

export function isWithin({ family, bits }: IpAddress, { address, prefix }: IpNetwork): boolean {
  const free = BigInt(widthOf(family) - prefix);
  return family === address.family && bits >> free === address.bits >> free;
}

/** The address as the macro `i` has it (RFC 7208 section 7.3): octets of IPv4, nibbles of IPv6, with dots between. */
export function dotted({ family, bits }: IpAddress): string {
  const size = family === 4 ? 8n : 4n;
  const parts: string[] = [];
  for (let shift = BigInt(widthOf(family)) - size; shift >= 0n; shift -= size) {
    parts.push(((bits >> shift) & ((1n << size) - 1n)).toString(family === 4 ? 10 : 16));
  }
  return parts.join('.');
}

/** The name of the PTR records of an address (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName(address: IpAddress): string {
  const zone = address.family === 4 ? 'in-addr.arpa' : 'ip6.arpa';
  return `${dotted(address).split('.').toReversed().join('.')}.${zone}`;
}

/** @param isLast whether the address ends with this half, so that it may end with an IPv4 address */
function groupsOf(half: string, isLast: boolean): number[] | null {
  if (half === '') return [];
  const groups = half.split(':');
  const ip4 = isLast && half.includes('.') ? parseIp4(groups.pop() ?? '') : undefined;
  if (ip4 === null || !groups.every((group) => GROUP.test(group))) return null;
  const numbers = groups.map((group) => Number.parseInt(group, 16));
  return ip4 === undefined ? numbers : [...numbers, Number(ip4.bits >> 16n), Number(ip4.bits & 0xffffn)];
}

function joined(parts: number[], size: bigint): bigint {
  return parts.reduce((bits, part) => (bits << size) | BigInt(part), 0n);
}
