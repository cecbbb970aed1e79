/** A recipient as Postfix looks it up: in lower case, without the extension behind a `+`. */
export interface Recipient {
  /** Null when it can be no domain of this platform. */
  domain: string | null;
  /** Null when it can be no mailbox's or alias's, or only the domain was asked about: then the catch-all has it. */
  address: string | null;
}

/** One destination of an alias. */
export interface AliasDestination {
  destination: string;
  /** A mailbox of the alias's partner. */
  isMailbox: boolean;
  /** The destination's domain takes mail in here. */
  isOpen: boolean;
}

/** What the platform holds of recipients: enough to follow each to where its mail goes. */
export interface RecipientFacts {
  /** Whether mail servers follow aliases to outside addresses. */
  forwarding: boolean;
  /** The domains that take mail in. */
  open: Set<string>;
  mailboxes: Set<string>;
  /** By address, or `@domain` for the catch-all. */
  aliases: Map<string, AliasDestination[]>;
}

/** Postfix follows aliases so deep (`virtual_alias_recursion_limit`), and puts off a message that needs more. */
export const MAX_ALIAS_DEPTH = 10;
/** More than any alias that Postfix expands (`virtual_alias_expansion_limit`); it keeps sums within what a counter holds. */
const MOST_DESTINATIONS = 10_000;

export function noRecipientFacts(): RecipientFacts {
  return { forwarding: false, open: new Set(), mailboxes: new Set(), aliases: new Map() };
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

/** The addresses outside that a batch may have to follow further, since they came onto the platform after their alias was made. */
export function reopenedDestinations({ aliases }: RecipientFacts): string[] {
  return [...aliases.values()]
    .flat()
    .filter(({ isMailbox, isOpen }) => !isMailbox && isOpen)
    .map(({ destination }) => destination);
}

/**
 * How many outside recipients a recipient stands for: 1 outside, 0 for a mailbox or an unknown address of the platform, for
 * an alias or catch-all the number of its outside destinations. As in Postfix, what is explicit beats the catch-all, and an
 * alias without a destination that mail servers see is none.
 */
export function countsAs(recipient: Recipient, facts: RecipientFacts): number {
  const known = new Map<string, number>();
  const follow = ({ domain, address }: Recipient, depth: number): number => {
    if (domain === null || !facts.open.has(domain)) return 1;
    if (address !== null && facts.mailboxes.has(address)) return 0;
    const explicit = address === null ? [] : visible(address, facts);
    const destinations = explicit.length > 0 ? explicit : visible(`@${domain}`, facts);
    if (depth >= MAX_ALIAS_DEPTH) return 0;
    const key = `${depth} ${address ?? ''}@${domain}`;
    let sum = known.get(key);
    if (sum === undefined) {
      sum = 0;
      for (const { destination, isMailbox, isOpen } of destinations) {
        if (isMailbox) continue;
        sum += isOpen ? follow(parseRecipient(destination), depth + 1) : 1;
      }
      sum = Math.min(sum, MOST_DESTINATIONS);
      known.set(key, sum);
    }
    return sum;
  };
  return follow(recipient, 0);
}

/** The same where only the recipient's domain is known. */
export function domainCountsAs(domain: string | null, { open }: Pick<RecipientFacts, 'open'>): number {
  return domain !== null && open.has(domain) ? 0 : 1;
}

/** The destinations that Postfix finds: a mailbox's domain must be open, and outside ones need forwarding. */
function visible(address: string, { aliases, forwarding }: RecipientFacts): AliasDestination[] {
  return (aliases.get(address) ?? []).filter(({ isMailbox, isOpen }) => isOpen || (!isMailbox && forwarding));
}
