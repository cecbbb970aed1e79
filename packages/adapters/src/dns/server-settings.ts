import { isIPv4, isIPv6 } from 'node:net';
import { isPort } from '../server-url.js';

/** Whether a text is a name server, `ip` or `ip:port` with `[ip]:port` for IPv6. A name would have to be looked up. */
export function isNameServer(text: string): boolean {
  if (isIPv6(text)) return true;
  const [, inBrackets, host = inBrackets ?? '', port = '53'] =
    /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(.*))?$/.exec(text) ?? [];
  return (inBrackets === undefined ? isIPv4(host) : isIPv6(host)) && isPort(port);
}

/** Whether a text is the name of a host with at least one dot, with or without one at its end; no address. */
export function isHostName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const labels = name.split('.');
  return (
    name.length <= 253 &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
