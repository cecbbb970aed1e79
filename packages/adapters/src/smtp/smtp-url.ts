import { parseQuery, parseServerUrl, WrongPart } from '../server-url.js';

const EXAMPLE = 'smtp://user:password@host:587';

/** Whether TLS begins at once (RFC 8314). With the other scheme both sides wait, or nodemailer gets no TLS. */
const SCHEME_OF_PORT: Readonly<Record<number, string>> = { 25: 'smtp', 465: 'smtps', 587: 'smtp' };

/** The options of nodemailer that a URL may have. It passes over unknown ones, also over `requireTls`. */
const SWITCHES = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'pool', 'tls.rejectUnauthorized'] as const;
const TEXTS = ['name', 'authMethod', 'tls.servername', 'tls.minVersion', 'tls.ciphers'] as const;

/**
 * Checks a NOTIFY_SMTP_URL, so that nodemailer, which takes it as it is, reads the same. What follows the host may be
 * options of nodemailer, such as `?requireTLS=true`.
 *
 * @throws WrongPart
 */
export function checkSmtpUrl(url: string): void {
  const { account, rest, scheme, port } = parseServerUrl(url, ['smtp', 'smtps'], EXAMPLE);
  if (account !== null && (account.user === '') !== (account.password === '')) {
    throw new WrongPart(`must be like ${EXAMPLE}: a user needs a password, and a password a user`);
  }
  const right = port === null ? undefined : SCHEME_OF_PORT[port];
  if (right !== undefined && scheme !== right) throw new WrongPart(`must begin with ${right}:// for the port ${port}`);
  const [after, query = null] = /^\/?(?:\?([^#]*))?$/.exec(rest) ?? [];
  if (after === undefined) throw new WrongPart(`must be like ${EXAMPLE}: nothing may follow the port`);
  const options = parseQuery(query, [...SWITCHES, ...TEXTS]);
  const wrongSwitch = SWITCHES.find((name) => !['true', 'false'].includes(options.get(name) ?? 'true'));
  if (wrongSwitch !== undefined) throw new WrongPart(`${wrongSwitch} must be true or false`);
  const empty = TEXTS.find((name) => options.get(name) === '');
  if (empty !== undefined) throw new WrongPart(`${empty} must not be empty`);
}

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;']+$/;

/** Whether a text is one address with or without a name, as in the header From. */
export function isMailAddress(text: string): boolean {
  const named = /^(?:"[^"]*"\s*|[^"<>]*)<([^<>]*)>$/.exec(text.trim());
  return ADDRESS.test(named?.[1] ?? text.trim());
}

/** Whether a text is addresses, separated by commas. A comma in the quotes of a name separates nothing. */
export function areMailAddresses(text: string): boolean {
  return text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).every(isMailAddress);
}
