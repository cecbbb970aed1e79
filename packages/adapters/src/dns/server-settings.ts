import { isIPv4, isIPv6 } from 'node:net';
import { listOf } from '../config-lists.js';
import { isName, isPort } from '../server-url.js';

/** What `nameServersOf` reads, as the end of a sentence about DNS_SERVERS. */
export const NAME_SERVERS_FORM = 'each must be an IP address like 192.0.2.53, 192.0.2.53:53 or [2001:db8::53]:53';

/** Reads DNS_SERVERS: resolvers, separated by commas. @returns null when one of them cannot be asked */
export function nameServersOf(text: string): string[] | null {
  const servers = listOf(text);
  return servers.every(isNameServer) ? servers : null;
}

/** Whether a text is a name server, `ip` or `ip:port` with `[ip]:port` for IPv6. A name would have to be looked up. */
function isNameServer(text: string): boolean {
  if (isIPv6(text)) return true;
  const [, inBrackets, host = inBrackets ?? '', port = '53'] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(.*))?$/.exec(text) ?? [];
  return (inBrackets === undefined ? isIPv4(host) : isIPv6(host)) && isPort(port);
}

/** Whether a text is the name of a host with at least one dot, with or without one at its end; no address. */
export function isHostName(text: string): boolean {
  return isName(text) && /\../.test(text);
}
