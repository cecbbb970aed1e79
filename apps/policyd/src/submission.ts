import { NO_MAILBOX } from './policy/verdict-reply.js';

/** The mailbox that logged in. */
export interface Submitter {
  login: string;
  domain: string;
}

/**
 * Returns the submitter, or the SMTP reply to an invalid login. The API would refuse the whole batch because of such a
 * login.
 */
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
 * Returns a recipient that the API accepts. Replaces an address that no mailbox or alias can have by `?@domain`, which
 * counts as the domain's catch-all or as an outside recipient.
 */
export function toApiRecipient(recipient: string): string {
  if (/^[\x21-\x7e]{1,254}$/.test(recipient)) return recipient;
  const domain = domainOf(recipient);
  return /^[a-z0-9.-]{1,250}$/.test(domain) ? `?@${domain}` : '?@invalid';
}
