import { BlockList, isIP } from 'node:net';
import { type Field, Refusal, Setting } from '@mailstead/core/settings/setting';

/** Hosts that may name the address of the client behind them (Dovecot's `login_trusted_networks`). */
export class TrustedHosts {
  private readonly hosts = new BlockList();

  /** @param addresses IP addresses. */
  constructor(addresses: readonly string[]) {
    for (const address of addresses) this.hosts.addAddress(address, familyOf(address));
  }

  /** @param address in any spelling; false for a text that is no address. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.hosts.check(address, familyOf(address));
  }
}

/** The IP addresses of several hosts, separated by commas. */
export function Hosts(): Field<string[]> {
  return Setting((given) => {
    const hosts = String(given)
      .split(',')
      .map((host) => host.trim());
    // An address with a zone, such as fe80::1%eth0, means another host on each machine.
    return hosts.every((host) => isIP(host) !== 0 && !host.includes('%'))
      ? hosts
      : new Refusal(
          'must be addresses such as 192.0.2.7 or 2001:db8::7, separated by commas, without a network length',
        );
  });
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
