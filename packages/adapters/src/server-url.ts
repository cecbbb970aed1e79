import { isIPv4, isIPv6 } from 'node:net';

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
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

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
  const address = hostOf(host);
  if (address === null) {
    throw new WrongPart(`must be like ${example}: the host must be a name, an IPv4 address or an IPv6 address in []`);
  }
  if (port !== undefined && !isPort(port)) {
    throw new WrongPart(`must be like ${example}: the port must be a number from 1 to 65535`);
  }
  return {
    scheme,
    account: account === undefined ? null : accountOf(account, example),
    host: address,
    port: port === undefined ? null : Number(port),
    rest,
  };
}

/**
 * @param text a name, an IPv4 address, or an IPv6 address in brackets without a zone
 * @returns the host without brackets; null for another text
 */
export function hostOf(text: string): string | null {
  const bare = /^\[([^%\]]*)\]$/.exec(text)?.[1];
  if (bare !== undefined) return isIPv6(bare) ? bare : null;
  return isIPv4(text) || isName(text) ? text : null;
}

/** Whether a text is the name of a host, with or without a dot at its end; no address. */
export function isName(text: string): boolean {
  const name = text.replace(/\.$/, '');
  const labels = name.split('.');
  // Names of digits at their end are read as addresses, such as 127.1.
  return name.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/**
 * Reads `name=value&…` after a `?`, where each name may stand once.
 *
 * @param query null when the URL has none
 * @throws WrongPart
 */
export function parseQuery<Name extends string>(
  query: string | null,
  names: readonly Name[],
): ReadonlyMap<Name, string> {
  const values = new Map<Name, string>();
  for (const part of query ? query.split('&') : []) {
    const [, given = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const name = names.find((each) => each === given);
    if (name === undefined) throw new WrongPart(`the query may have only ${names.join(', ')}`);
    if (values.has(name)) throw new WrongPart(`${name} is given twice`);
    values.set(name, decoded(value, name));
  }
  return values;
}

/** @throws WrongPart that names the part `what` */
export function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new WrongPart(`the ${what} is not percent-encoded correctly`);
  }
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
    const account = { user: decodeURIComponent(user), password: decodeURIComponent(password) };
    if (/\p{Cc}/u.test(account.user + account.password)) throw wrong;
    return account;
  } catch {
    throw wrong;
  }
}
