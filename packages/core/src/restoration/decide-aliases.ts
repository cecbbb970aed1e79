import { type Alias, MAX_DESTINATIONS } from '../aliases/alias.js';

/** What exists now, for a number of deleted aliases. Addresses are in lower case. */
export interface AliasFacts {
  /** The domains of the partner, by id. */
  ownDomains: ReadonlySet<number>;
  /** The ids of the partner's mailboxes, by address. */
  ownMailboxes: ReadonlyMap<string, number>;
  /** The addresses that are mailboxes of any partner. */
  mailboxes: ReadonlySet<string>;
  /** The destinations of the existing aliases, by address. */
  destinations: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names that are not outside: the partner's domains, and the open domains of others. */
  inside: ReadonlySet<string>;
}

export interface DecidedAliases {
  /** With the mailbox that has the destination's address now. */
  restored: Alias[];
  leftOut: Alias[];
  /** The address has the same destination already. */
  existing: Alias[];
}

/**
 * Decides which deleted aliases come back. The rules are those of a creation, without the quota: an alias needs its own
 * domain, and its mailbox or an outside address to which it may forward. An address that is a mailbox now stays a
 * mailbox.
 */
export function decideAliases(aliases: readonly Alias[], facts: AliasFacts, mayForward: boolean): DecidedAliases {
  const decided: DecidedAliases = { restored: [], leftOut: [], existing: [] };
  const added = new Map<string, number>();
  for (const alias of aliases) {
    const address = alias.address.toLowerCase();
    const present = facts.destinations.get(address);
    if (present?.has(alias.destination.toLowerCase()) === true) {
      decided.existing.push(alias);
      continue;
    }
    const mailboxId = destinationOf(alias, facts, mayForward);
    const count = (present?.size ?? 0) + (added.get(address) ?? 0);
    const isLeftOut =
      mailboxId === undefined ||
      !facts.ownDomains.has(alias.domainId) ||
      facts.mailboxes.has(address) ||
      count >= MAX_DESTINATIONS;
    if (isLeftOut) {
      decided.leftOut.push(alias);
      continue;
    }
    added.set(address, (added.get(address) ?? 0) + 1);
    decided.restored.push(Object.assign(alias, { destinationMailboxId: mailboxId }));
  }
  return decided;
}

/** @returns the id of the mailbox; null for an outside address; undefined when the other end is gone. */
function destinationOf(alias: Alias, facts: AliasFacts, mayForward: boolean): number | null | undefined {
  const destination = alias.destination.toLowerCase();
  const mailboxId = facts.ownMailboxes.get(destination);
  if (mailboxId !== undefined) return mailboxId;
  const isOutside = alias.destinationMailboxId === null && !facts.inside.has(domainOf(destination));
  return isOutside && mayForward ? null : undefined;
}

/** The domain name of an address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
