import { readReportedName } from '../domains/domain-name.js';

/** A recipient as Postfix looks it up: in lower case, without the extension after a `+`. */
export interface Recipient {
  /** Null when the text cannot be a domain of this platform. */
  domain: string | null;
  /**
   * Null when no mailbox or alias can have the address, or when only the domain is known. The catch-all then applies.
   */
  address: string | null;
}

/** Facts about the recipients from the maps of the mail servers. */
export interface RecipientFacts {
  /** The domains that accept mail. */
  open: Set<string>;
  mailboxes: Set<string>;
  /**
   * The number of outside destinations of each alias, by address; `@domain` is the catch-all. Aliases that are not in
   * the maps of the mail servers are absent.
   */
  aliases: Map<string, number>;
}

/**
 * Parses a mailbox of RFC 5321 section 4.1.2, quoted or not, also with its domain in Unicode. A part that cannot belong
 * to this platform is null.
 */
export function parseRecipient(input: string): Recipient {
  const text = input.trim();
  const at = text.lastIndexOf('@');
  const domain = at === -1 ? null : readReportedName(text.slice(at + 1));
  if (domain === null) return { domain: null, address: null };
  const written = text.slice(0, at);
  const local = /^".*"$/.test(written) ? written.slice(1, -1).replaceAll(/\\(.)/g, '$1') : written;
  const extension = local.indexOf('+', 1);
  const user = extension === -1 ? local : local.slice(0, extension);
  return { domain, address: /^[\x21-\x7e]{1,64}$/.test(user) ? `${user.toLowerCase()}@${domain}` : null };
}

/**
 * @returns the number of outside recipients that a recipient counts as: 1 for an outside address; 0 for a mailbox or an
 * unknown address of the platform; for an alias or the catch-all, the number of its outside destinations. As in
 * Postfix, an explicit address takes precedence over the catch-all.
 */
export function countsAs({ domain, address }: Recipient, { open, mailboxes, aliases }: RecipientFacts): number {
  if (domain === null || !open.has(domain)) return 1;
  if (address !== null && mailboxes.has(address)) return 0;
  const explicit = address === null ? undefined : aliases.get(address);
  return explicit ?? aliases.get(`@${domain}`) ?? 0;
}

/** Like `countsAs`, when only the domain of the recipient is known. */
export function domainCountsAs(domain: string | null, { open }: Pick<RecipientFacts, 'open'>): number {
  return domain !== null && open.has(domain) ? 0 : 1;
}
