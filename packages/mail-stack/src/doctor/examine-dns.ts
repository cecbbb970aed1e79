import { Resolver } from 'node:dns/promises';
import { NAME_SERVERS_FORM } from '@mailstead/adapters/dns/server-settings';
import { dnsServers } from '../settings/environment-settings.js';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';
import { type Finding, toFinding, Warning } from './finding.js';

const RESOLVING = { timeout: 2_000, tries: 2 };

/**
 * Looks up what other mail servers look up about this host: its addresses, their names, its SPF record, and where the
 * postmaster's mail goes. What is missing is a warning: another network may see other records.
 *
 * @param servers addresses of name servers (`DNS_SERVERS`); none: those of this machine. Null: the setting is wrong.
 */
export async function examineDns(settings: MailStackSettings, servers = dnsServers()): Promise<Finding[]> {
  if (servers === null) return [{ verdict: 'wrong', sentence: `DNS_SERVERS is wrong: ${NAME_SERVERS_FORM}.` }];
  const resolver = new Resolver(RESOLVING);
  if (servers.length > 0) resolver.setServers(servers);
  const { hostname, postmaster, ipVersions } = settings;
  const addresses = [
    ...(ipVersions === 'ipv6' ? [] : await found(resolver.resolve4(hostname))),
    ...(ipVersions === 'ipv4' ? [] : await found(resolver.resolve6(hostname))),
  ];
  const domain = postmaster.slice(postmaster.lastIndexOf('@') + 1);
  const check = async (test: () => Promise<string>): Promise<Finding> => await toFinding('DNS cannot be asked', test);
  return await Promise.all([
    check(async () => {
      if (addresses.length === 0) throw new Warning(`${hostname} has no address in DNS, so no server finds this one.`);
      return `${hostname} has the address ${addresses.join(', ')}.`;
    }),
    ...addresses.map((address) =>
      check(async () => {
        const names = await found(resolver.reverse(address));
        if (names.includes(hostname)) return `The address ${address} has the name ${hostname}.`;
        throw new Warning(
          `The address ${address} has ${names.length === 0 ? 'no name' : `the name ${names.join(', ')}`} in DNS (PTR) and not ${hostname}; many servers refuse mail from it.`,
        );
      }),
    ),
    check(async () => {
      const texts = (await found(resolver.resolveTxt(hostname))).map((parts) => parts.join(''));
      if (texts.some((text) => /^v=spf1( |$)/i.test(text))) return `${hostname} has an SPF record.`;
      throw new Warning(`${hostname} has no SPF record; "v=spf1 a -all" covers the mail that this host sends itself.`);
    }),
    check(async () => {
      const hosts = await found(resolver.resolveMx(domain));
      if (hosts.length > 0) return `The postmaster's domain ${domain} has an MX record.`;
      throw new Warning(
        `The postmaster's domain ${domain} has no MX record, so replies to the postmaster may not arrive.`,
      );
    }),
  ]);
}

async function found<Answer>(answer: Promise<Answer[]>): Promise<Answer[]> {
  return await answer.catch(() => []);
}
