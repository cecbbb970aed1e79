/** `mx` takes mail from strangers and has no relay; `submission` takes it from users who logged in. */
export type PostfixInstance = 'mx' | 'submission';

/** One lookup of Postfix in the database: the file `sql/<name>.cf`. */
export interface SqlMap {
  name: string;
  /** Who asks; without it, both instances. */
  instance?: PostfixInstance;
  /** Why the map exists, and what is easily got wrong in it; becomes its first line. */
  purpose: string;
  /** Postfix's own place-holders: %s is the whole key, %d the part behind the @, without which the map is not asked. */
  query: string;
}

/**
 * The questions that an instance of Postfix asks. `postmaster` must be an address that the settings took: it stands in
 * a query.
 */
export function sqlMaps(instance: PostfixInstance, postmaster: string): SqlMap[] {
  return [...MAPS, postmasterTransport(postmaster)].filter((map) => (map.instance ?? instance) === instance);
}

function postmasterTransport(postmaster: string): SqlMap {
  const domain = postmaster.slice(postmaster.lastIndexOf('@') + 1);
  return {
    name: 'postmaster-transport',
    instance: 'mx',
    purpose:
      "The operator's own address, when it is not on this platform: mail to this host's postmaster goes there directly.",
    query: `SELECT 'direct:' FROM DUAL WHERE '%s' = '${postmaster}' AND NOT EXISTS (SELECT 1 FROM mta_domains WHERE domain = '${domain}')`,
  };
}

/**
 * The questions that do not depend on the settings. The three maps that hold or refuse mail match on '%d': with '%s'
 * they would also be asked for parent domains, and suspending example.org would stop mail.example.org of another
 * partner.
 */
const MAPS: readonly SqlMap[] = [
  {
    name: 'domains',
    purpose: 'The domains whose mail we take. Suspended ones stay listed, else their mail would be refused for good.',
    query: "SELECT domain FROM mta_domains WHERE domain = '%s'",
  },
  {
    name: 'mailboxes',
    purpose: 'The addresses that are delivered to Dovecot.',
    query: "SELECT address FROM mta_mailboxes WHERE address = '%s'",
  },
  {
    name: 'aliases',
    purpose: 'Aliases, one row a destination, and catch-alls under @domain.',
    query: "SELECT destination FROM mta_aliases WHERE address = '%s'",
  },
  {
    name: 'mailbox-self',
    purpose: 'Each mailbox as its own alias, so that no catch-all takes its mail.',
    query: "SELECT address FROM mta_mailboxes WHERE address = '%s'",
  },
  {
    name: 'recipient-access',
    purpose: 'New mail to a suspended domain, or to one over its inbound transfer cap, is put off at RCPT.',
    query:
      "SELECT IF(suspended = 1, 'DEFER 4.2.1 Mail for this domain is suspended, try again later', 'DEFER 4.2.2 This domain has reached its transfer cap, try again later') FROM mta_domains WHERE domain = '%d' AND (suspended = 1 OR transfer_inbound_capped = 1)",
  },
  {
    name: 'suspended-transport',
    purpose: 'Mail in the queue to a suspended domain waits.',
    query:
      "SELECT 'retry:4.2.1 Mail for this domain is suspended' FROM mta_domains WHERE domain = '%d' AND suspended = 1",
  },
  {
    name: 'held-sender-transport',
    instance: 'submission',
    purpose:
      'Mail in the queue waits unless its sender may send: also of a domain that was deleted or closed, else deleting it would let its held mail go.',
    query:
      "SELECT 'retry:4.7.1 Sending for this domain is on hold' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM mta_domains WHERE domain = '%d' AND outbound_held = 0)",
  },
  {
    name: 'sasl-access',
    instance: 'submission',
    purpose: 'Who logged in but may not send: a mailbox of a suspended domain for now, a disabled one for good.',
    query:
      "SELECT IF(suspended = 1, 'DEFER 4.7.1 Sending for this domain is suspended, try again later', 'REJECT 5.7.1 This mailbox is disabled') FROM mta_mailboxes WHERE address = '%s' AND (suspended = 1 OR active = 0)",
  },
  {
    name: 'sender-logins',
    instance: 'submission',
    purpose: 'Which login may send as which address.',
    query: "SELECT login FROM mta_sender_logins WHERE address = '%s'",
  },
  {
    name: 'relay-transport',
    instance: 'submission',
    purpose: 'The relay of a domain that does not use the default one.',
    query: "SELECT CONCAT('smtp:', relayhost) FROM mta_relay WHERE domain = '%d'",
  },
];
