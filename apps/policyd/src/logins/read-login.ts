import { isIPv6 } from 'node:net';
import type { Login } from './login-turns.js';
import type { TrustedHosts } from './trusted-hosts.js';

/** What the rendered `auth_policy_request_attributes` sends. */
interface LoginAttributes {
  login: string;
  /** The client's address; of a trusted host, the one that it names. */
  client: string;
  /** The address that the connection comes from. Configurations of the former release do not send it. @until 5.3 */
  peer?: string;
  session: string;
  process: string;
}

/**
 * Reads a request of Dovecot's auth policy client. IMAP's session has a name; Postfix has none, but each of its
 * processes checks one password at a time.
 *
 * @returns null when it is not such a request.
 */
export function readLogin(body: string, trusted: TrustedHosts): Login | null {
  const attributes = parse(body);
  if (attributes === null) return null;
  const { login, client, peer = '', session, process } = attributes;
  const mailbox = login.toLowerCase();
  const at = mailbox.lastIndexOf('@');
  return {
    id: session === '' ? `process ${process}` : `session ${session}`,
    mailbox,
    domain: at === -1 ? '' : mailbox.slice(at + 1),
    client: trusted.has(peer) ? null : networkOf(client),
  };
}

function parse(body: string): LoginAttributes | null {
  try {
    const read: unknown = JSON.parse(body);
    return isLogin(read) ? read : null;
  } catch {
    return null;
  }
}

function isLogin(read: unknown): read is LoginAttributes {
  if (typeof read !== 'object' || read === null) return false;
  const names: (keyof LoginAttributes)[] = ['login', 'client', 'session', 'process'];
  return (
    names.every((name) => typeof Reflect.get(read, name) === 'string') &&
    ['string', 'undefined'].includes(typeof Reflect.get(read, 'peer'))
  );
}

/**
 * Returns the /64 network of an IPv6 address, which one client usually has as a whole, and other addresses as they are.
 */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [head, tail] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  const network = [...head, ...zeros, ...tail].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
