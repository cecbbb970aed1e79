import { NO_MAILBOX } from './policy/verdict-reply.js';

/** Who logged in. */
export interface Submitter {
  login: string;
  domain: string;
}

/** The submitter, or the reply to a login that the API would refuse, and others with it. */
export function submitterOf(loginName: string): Submitter | string {
  const login = loginName.toLowerCase();
  const domain = domainOf(login);
  if (!/^[\x21-\x7e]{1,254}$/.test(login) || domain === '') return NO_MAILBOX;
  return { login, domain };
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/**
 * A recipient in a form that the API takes. What no mailbox or alias can be called becomes an address that none is: it counts
 * for its domain's catch-all, or as an outside one.
 */
export function askable(recipient: string): string {
  if (/^[\x21-\x7e]{1,254}$/.test(recipient)) return recipient;
  const domain = domainOf(recipient);
  return /^[a-z0-9.-]{1,250}$/.test(domain) ? `?@${domain}` : '?@invalid';
}
