import { nameServersOf } from '@mailstead/adapters/dns/server-settings';

/**
 * The name servers of the API and the worker (`DNS_SERVERS`), when the doctor has the setting in its environment.
 *
 * @returns null when the API and the worker would refuse it
 */
export function dnsServers(): string[] | null {
  return nameServersOf(process.env.DNS_SERVERS ?? '');
}
