/** A recipient as Postfix looks it up: in lower case, without the extension behind a `+`. */
export interface Recipient {
  /** Null when it can be no domain of this platform. */
  domain: string | null;
  /** Null when it can be no mailbox's or alias's, or only the domain was asked about: then the catch-all has it. */
  address: string | null;
}

/** What the platform holds of recipients, as mail servers see it. */
export interface RecipientFacts {
  /** The domains that take mail in. */
  open: Set<string>;
  mailboxes: Set<string>;
  /** How many outside destinations an alias has, by address, or `@domain` for the catch-all. One that mail servers do not see is absent. */
  aliases: Map<string, number>;
}

/** Reads what SMTP calls a mailbox (RFC 5321), quoted or not. What is none of ours in any spelling has no address or no domain. */
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
 * an alias or catch-all the number of its outside destinations. As in Postfix, what is explicit beats the catch-all.
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
