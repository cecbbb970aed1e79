/** `mx` receives mail on port 25 and has no relay; `submission` receives mail from users who logged in. */
export type PostfixInstance = 'mx' | 'submission';

/** A look-up table of Postfix in the database: the file `sql/<name>.cf`. */
export interface SqlMap {
  name: string;
  /** The instance that uses the map; without it, both. */
  instance?: PostfixInstance;
  /** The purpose of the map, written into its first line. */
  purpose: string;
  /**
   * In Postfix's syntax: %s is the whole key, %d the part after the @. A query with %d is skipped for a key without @.
   * In the maps of `sqlMaps` each key is converted to ASCII.
   */
  query: string;
}

/** The settings that become part of queries. They must have passed the check of the settings. */
export interface SqlMapSettings {
  postmaster: string;
  /** The relays in Postfix's syntax, the default first; none without submission. */
  relays: readonly Relay[];
}

/** A relay, and the service of master.cf that sends to it. */
export interface Relay {
  /** `[host]:port`. */
  nextHop: string;
  service: 'smtp' | 'ses';
}

/** Returns the maps of an instance. */
export function sqlMaps(instance: PostfixInstance, { postmaster, relays }: SqlMapSettings): SqlMap[] {
  const [defaultRelay] = relays;
  return [
    ...MAPS,
    roleAddresses(postmaster),
    postmasterTransport(postmaster),
    ...(defaultRelay === undefined ? [] : [senderTransport(defaultRelay, relays)]),
  ]
    .filter((map) => (map.instance ?? instance) === instance)
    .map((map) => ({ ...map, query: withAsciiKeys(map.query) }));
}

/**
 * Converts each key to ASCII, the character set of the views. Other bytes become `?`, which is in no address. Without
 * the conversion MariaDB answers such a key with error 1267, and Postfix asks none of its servers for 60 s after an
 * error.
 */
function withAsciiKeys(query: string): string {
  return query.replaceAll(/'%s'|'%d'|'%u@%d'/g, 'CONVERT($& USING ascii)');
}

/**
 * The mail to postmaster@ and abuse@ of each domain that has neither such an address nor a catch-all (RFC 5321 section
 * 4.5.1). Only a mailbox or alias of the platform receives it, so that no partner's mail leaves for the operator.
 */
function roleAddresses(postmaster: string): SqlMap {
  const isHosted = `(EXISTS (SELECT 1 FROM mta_mailboxes WHERE address = '${postmaster}') OR EXISTS (SELECT 1 FROM mta_aliases WHERE address = '${postmaster}'))`;
  return {
    name: 'role-addresses',
    purpose:
      "This host's postmaster, for postmaster@ and abuse@ of domains without such an address and without a catch-all.",
    query: `SELECT '${postmaster}' FROM mta_domain_state WHERE domain = '%d' AND ${isHosted} AND NOT EXISTS (SELECT 1 FROM mta_mailboxes WHERE address = '%s') AND NOT EXISTS (SELECT 1 FROM mta_aliases WHERE address = '%s') AND NOT EXISTS (SELECT 1 FROM mta_aliases WHERE address = CONCAT('@', '%d'))`,
  };
}

function postmasterTransport(postmaster: string): SqlMap {
  const domain = postmaster.slice(postmaster.lastIndexOf('@') + 1);
  return {
    name: 'postmaster-transport',
    instance: 'mx',
    purpose:
      "Sends mail to this host's postmaster directly to the operator's address, when that address is not on this platform.",
    query: `SELECT 'direct:' FROM DUAL WHERE '%s' = '${postmaster}' AND NOT EXISTS (SELECT 1 FROM mta_domain_state WHERE domain = '${domain}')`,
  };
}

/**
 * The last moment of a domain that may send without a verification of its own has passed. Not UNIX_TIMESTAMP, which
 * reads the hour that a zone with summer time has twice as its second one.
 */
const EXPIRED = "d.sends_until <= TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000";

/** Always returns a row, by MAX; otherwise Postfix would ask again for the domain alone. */
function senderTransport(defaultRelay: Relay, relays: readonly Relay[]): SqlMap {
  const nextHop = `COALESCE(r.relayhost, '${defaultRelay.nextHop}')`;
  const ses = relays.filter(({ service }) => service === 'ses').map((relay) => `'${relay.nextHop}'`);
  const service = ses.length === 0 ? "'smtp:'" : `IF(${nextHop} IN (${ses.join(', ')}), 'ses:', 'smtp:')`;
  return {
    name: 'sender-transport',
    instance: 'submission',
    purpose:
      "Holds queued mail unless its sender may send; otherwise returns the relay of the sender's domain. Mail of a deleted or closed domain is held too; otherwise a deletion would release held mail.",
    query: `SELECT COALESCE(MAX(CONCAT(${service}, ${nextHop})), 'retry:4.7.1 Sending for this domain is on hold') FROM mta_domain d LEFT JOIN mta_relay_host r ON r.domain = d.domain WHERE d.domain = '%d' AND d.held = 0 AND NOT COALESCE(${EXPIRED}, 0)`,
  };
}

/** Without it, the server's `sql_select_limit` would leave out rows, and mail would miss destinations. */
const ALL_ROWS = 'LIMIT 18446744073709551615';

/** A mailbox of a domain that is not listed is in no map, because its domain has no row in `mta_domain`. */
const LISTED_MAILBOX = 'mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id';

/**
 * The maps that do not depend on the settings. Those that are asked for each message read tables and not the views of
 * `sql-contract.md`, which take MariaDB up to twice as long (decision 0040). The maps that hold or defer
 * mail match on '%d'. With '%s' Postfix would also look up parent domains, and suspending example.org would stop
 * mail.example.org of another partner.
 */
const MAPS: readonly SqlMap[] = [
  {
    name: 'domains',
    purpose:
      'The domains that receive mail. Suspended domains stay listed; otherwise their mail would be refused permanently.',
    query: "SELECT domain FROM mta_domain WHERE domain = '%s'",
  },
  {
    name: 'mailboxes',
    purpose: 'The mailboxes, whose mail is delivered to Dovecot.',
    query: `SELECT m.email FROM ${LISTED_MAILBOX} WHERE m.email = '%s'`,
  },
  {
    // Postfix does not ask a query with %u for a key without a local part, such as a catch-all.
    name: 'mailbox-self',
    purpose: 'Each mailbox as an alias of itself, so that no catch-all receives its mail, and as its own login.',
    query: `SELECT m.email FROM ${LISTED_MAILBOX} WHERE m.email = '%u@%d'`,
  },
  {
    name: 'alias-names',
    purpose: 'The addresses that may be aliases; a catch-all has the address @domain.',
    query: "SELECT address FROM alias WHERE address = '%s' LIMIT 1",
  },
  {
    name: 'aliases',
    purpose: 'The destinations of an alias, one row for each.',
    query: `SELECT destination FROM mta_aliases WHERE address = '%s' ${ALL_ROWS}`,
  },
  {
    name: 'notice-logins',
    purpose:
      'The one login that receives a notice of Postfix itself to an address: a mailbox itself; for an alias or a catch-all the first login that may use it as a sender.',
    query: "SELECT login FROM mta_sender_logins WHERE address = '%s' ORDER BY login = address, login LIMIT 1",
  },
  {
    name: 'recipient-access',
    purpose: 'The checks of a recipient in a domain of this platform.',
    query:
      "SELECT CASE WHEN suspended = 1 THEN 'suspended_recipient' WHEN transfer_cap_mb > 0 THEN 'capped_recipient' ELSE 'hosted_recipient' END FROM mta_domain WHERE domain = '%d'",
  },
  {
    name: 'refused-senders',
    instance: 'mx',
    purpose: 'Refuses senders of domains that send only by submission. A subdomain is a domain of its own.',
    query:
      "SELECT '550 5.7.1 Mail with a sender of this domain is accepted only from its users, after a login' FROM mta_refused_senders WHERE domain = '%d'",
  },
  {
    name: 'capped-recipient',
    purpose: 'Defers new mail at RCPT to a domain over its inbound transfer cap.',
    query:
      "SELECT 'DEFER 4.2.2 This domain has reached its transfer cap, try again later' FROM mta_domains WHERE domain = '%d' AND transfer_inbound_capped = 1",
  },
  {
    name: 'suspended-transport',
    purpose: 'Holds queued mail to a suspended domain.',
    query:
      "SELECT 'retry:4.2.1 Mail for this domain is suspended' FROM mta_domain WHERE domain = '%d' AND suspended = 1",
  },
  {
    name: 'sasl-access',
    instance: 'submission',
    purpose:
      'Logins that may not send: defers those of a suspended domain, refuses a disabled mailbox, and names the check of those of a held domain.',
    query: `SELECT CASE WHEN d.suspended = 1 THEN 'DEFER 4.7.1 Sending for this domain is suspended, try again later' WHEN m.active = 0 THEN 'REJECT 5.7.1 This mailbox is disabled' ELSE 'held_login' END FROM ${LISTED_MAILBOX} WHERE m.email = '%s' AND (d.held = 1 OR m.active = 0 OR ${EXPIRED})`,
  },
  {
    // The answer ends Postfix's look-ups for a client. No table, so it costs least, and works with any rights.
    name: 'up',
    purpose:
      'Whether the database answers: asked for each connection to submission, and by the program that renews the mail servers after an outage.',
    query: "SELECT 'DUNNO' FROM DUAL WHERE '%s' = 'up'",
  },
  {
    name: 'sender-logins',
    instance: 'submission',
    purpose: 'The login that may use a sender address.',
    query: `SELECT login FROM mta_sender_logins WHERE address = '%s' ${ALL_ROWS}`,
  },
];
