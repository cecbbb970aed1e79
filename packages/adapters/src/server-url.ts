import { isIPv6 } from 'node:net';

/** A wrong part of a URL in a setting. The message names the part without its text, which may be a secret. */
export class WrongPart extends Error {}

/** @returns what is wrong, in a sentence that names the part; null when `parse` throws no WrongPart */
export function wrongPartIn(parse: () => unknown): string | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof WrongPart) return error.message;
    throw error;
  }
}

export interface ServerUrl {
  scheme: string;
  /** Null when the URL has no `@`. The password is empty when it has no colon before it. */
  account: { user: string; password: string } | null;
  /** A name, an IPv4 address, or an IPv6 address without brackets. */
  host: string;
  /** Null when the URL has none. */
  port: number | null;
  /** What follows the host and the port: nothing, or a text that begins with `/`, `?` or `#`. */
  rest: string;
}

const FORM =
  /^(?<scheme>[a-z]+):\/\/(?:(?<account>.*)@)?(?<host>\[[^\]]*\]|[^:/?#[\]]*)(?::(?<port>[^/?#]*))?(?<rest>[/?#].*)?$/s;
const HOST = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/**
 * Parses `scheme://user:password@host:port` and what follows. Everything before the last `@` is the account, so a
 * password with a raw `/` is refused as such, and not taken for a host.
 *
 * @throws WrongPart
 */
export function parseServerUrl(text: string, schemes: readonly string[], example: string): ServerUrl {
  const groups = FORM.exec(text)?.groups;
  if (groups === undefined) throw new WrongPart(`must be like ${example}`);
  const { scheme = '', account, host = '', port, rest = '' } = groups;
  if (!schemes.includes(scheme)) throw new WrongPart(`must be like ${example}`);
  const bare = /^\[(.*)\]$/.exec(host)?.[1];
  if (bare === undefined ? !HOST.test(host) : !isIPv6(bare)) {
    throw new WrongPart(`must be like ${example}: the host must be a name, an IPv4 address or an IPv6 address in []`);
  }
  if (port !== undefined && !isPort(port)) {
    throw new WrongPart(`must be like ${example}: the port must be a number from 1 to 65535`);
  }
  return {
    scheme,
    account: account === undefined ? null : accountOf(account, example),
    host: bare ?? host,
    port: port === undefined ? null : Number(port),
    rest,
  };
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function accountOf(text: string, example: string): { user: string; password: string } {
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  const wrong = new WrongPart(
    `must be like ${example}: in the user and the password, / is written as %2F, ? as %3F, # as %23, a blank as %20 and % as %25`,
  );
  if (/[/?#\s]/.test(text)) throw wrong;
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
  } catch {
    throw wrong;
  }
}
