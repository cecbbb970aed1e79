import { parseServerUrl, WrongPart } from '../server-url.js';

const EXAMPLE = 'smtp://user:password@host:587';

/**
 * Checks a NOTIFY_SMTP_URL, so that nodemailer, which takes it as it is, reads the same. What follows the host may be
 * options of nodemailer, such as `?requireTLS=true`.
 *
 * @throws WrongPart
 */
export function checkSmtpUrl(url: string): void {
  const { rest } = parseServerUrl(url, ['smtp', 'smtps'], EXAMPLE);
  if (!/^\/?(\?[^#]*)?$/.test(rest)) throw new WrongPart(`must be like ${EXAMPLE}: nothing may follow the port`);
}

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;

/** Whether a text is one address with or without a name, as in the header From. */
export function isMailAddress(text: string): boolean {
  const named = /^(?:"[^"]*"\s*|[^"<>]*)<([^<>]*)>$/.exec(text.trim());
  return ADDRESS.test(named?.[1] ?? text.trim());
}

/** Whether a text is addresses, separated by commas. A comma in the quotes of a name separates nothing. */
export function areMailAddresses(text: string): boolean {
  return text.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).every(isMailAddress);
}
