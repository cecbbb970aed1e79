import { isIP } from 'node:net';

/** RFC 1035, section 2.3.4. */
const LONGEST_NAME = 253;
const LABEL = /^[^.]{1,63}$/;

/**
 * Why a URL may not be an endpoint, whatever its name resolves to; null when it may. `URL` writes every notation of an
 * IPv4 address (decimal, hexadecimal, octal, short) with four decimal numbers, so that the rule sees the address.
 *
 * @param allow whether an IP address may be connected to
 */
export function webhookUrlProblem(text: string, allow: (address: string) => boolean): string | null {
  if (!URL.canParse(text)) return 'must be a URL like https://example.com/hook';
  const { protocol, port, username, password, hostname, hash } = new URL(text);
  if (protocol !== 'https:') return 'must begin with https://';
  if (port !== '') return 'must have the port 443';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain #';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return allow(host) ? null : 'must have a public address';
  const labels = host.replace(/\.$/, '').split('.');
  if (labels.length < 2) return 'must have a host with a domain';
  const isName = host.length <= LONGEST_NAME && labels.every((label) => LABEL.test(label));
  return isName ? null : 'must have a host whose name is at most 253 characters long, and its parts 63';
}
