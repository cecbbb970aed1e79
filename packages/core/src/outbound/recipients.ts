/** A recipient as Postfix looks it up: in lower case, without the extension after a `+`. */
export interface Recipient {
  /** Null when it cannot be a domain of this platform. */
  domain: string | null;
  /** Null when no mailbox or alias can have it, or only the domain is known: then the catch-all applies. */
  address: string | null;
}

/** What the mail servers know of the recipients. */
export interface RecipientFacts {
  /** The domains that accept mail. */
  open: Set<string>;
  mailboxes: Set<string>;
  /** The number of outside destinations of each alias, by address, or `@domain` for the catch-all. Aliases that mail servers do not see are absent. */
  aliases: Map<string, number>;
}

/** Reads a mailbox of RFC 5321 section 4.1.2, quoted or not. The parts that cannot belong to this platform are null. */
export function parseRecipient(text: string): Recipient {
  const at = text.lastIndexOf('@');
  const name = text.slice(at + 1).replace(/\.$/, '');
  if (at === -1 || !/^[A-Za-z0-9.-]{1,253}$/.test(name)) return { domain: null, address: null };
  const domain = name.toLowerCase();
  const written = text.slice(0, at);
  const local = /^".*"$/.test(written) ? written.slice(1, -1).replaceAll(/\\(.)/g, '$1') : written;
  const extension = local.indexOf('+', 1);
  const user = extension === -1 ? local : local.slice(0, extension);
  return { domain, address: /^[\x21-\x7e]{1,64}$/.test(user) ? `${user.toLowerCase()}@${domain}` : null };
}

/**
 * How many outside recipients a recipient stands for: 1 outside, 0 for a mailbox or an unknown address of the platform, for
 * an alias or catch-all the number of its outside destinations. As in Postfix, an explicit address takes precedence over the catch-all.
 */
export function countsAs({ domain, address }: Recipient, { open, mailboxes, aliases }: RecipientFacts): number {
  if (domain === null || !open.has(domain)) return 1;
  if (address !== null && mailboxes.has(address)) return 0;
  const explicit = address === null ? undefined : aliases.get(address);
  return explicit ?? aliases.get(`@${domain}`) ?? 0;
}

/** The same where only the recipient's domain is known. */
export function domainCountsAs(domain: string | null, { open }: Pick<RecipientFacts, 'open'>): number {
  return domain !== null && open.has(domain) ? 0 : 1;
}
