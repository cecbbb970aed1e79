import {
  MAX_ALIAS_DEPTH,
  noRecipientFacts,
  parseRecipient,
  type Recipient,
  type RecipientFacts,
  reopenedDestinations,
} from '@mailstead/core/outbound/recipients';
import { type Database, placeholders, type Row, type Statement } from './database.js';

/** Each is asked for by up to four parameters: far below what SQLite takes, and below the 1,000 from which MariaDB reads a list as a table. */
const RECIPIENTS_PER_STATEMENT = 400;

/**
 * Reads what the platform holds of recipients: their domains, mailboxes and aliases. One statement for up to 400 of them;
 * none without recipients.
 */
export function readRecipients(database: Database, recipients: readonly Recipient[]): Statement[] {
  const asked = new Map(
    recipients.flatMap(({ domain, address }) =>
      domain === null ? [] : [[`${address} ${domain}`, { domain, address }] as const],
    ),
  );
  const statements: Statement[] = [];
  const all = [...asked.values()];
  for (let start = 0; start < all.length; start += RECIPIENTS_PER_STATEMENT) {
    statements.push(readSome(database, all.slice(start, start + RECIPIENTS_PER_STATEMENT)));
  }
  return statements;
}

/**
 * Makes facts of the rows. Destinations that came onto the platform after their alias was made may be aliases themselves:
 * they are read too, as deep as Postfix follows them.
 */
export async function followRecipients(database: Database, rows: readonly Row[]): Promise<RecipientFacts> {
  const facts = noRecipientFacts();
  const followed = new Set<string>();
  let found = rows;
  for (let depth = 0; depth <= MAX_ALIAS_DEPTH; depth += 1) {
    for (const row of found) note(facts, row);
    const further = new Set(reopenedDestinations(facts).filter((destination) => !followed.has(destination)));
    if (further.size === 0) break;
    for (const destination of further) followed.add(destination);
    found = (await database.together(readRecipients(database, [...further].map(parseRecipient)))).flat();
  }
  return facts;
}

function readSome({ dialect }: Database, recipients: readonly { domain: string; address: string | null }[]): Statement {
  const domains = [...new Set(recipients.map(({ domain }) => domain))];
  const addresses = [...new Set(recipients.flatMap(({ address }) => address ?? []))];
  const aliases = [...addresses, ...domains.map((domain) => `@${domain}`)];
  // No mail server reads the embedded database: what would count there counts.
  const forwarding =
    dialect === 'mysql'
      ? "COALESCE((SELECT i.value FROM installation i WHERE i.name = 'forwarding'), 'off') = 'on'"
      : '1 = 1';
  const parts = [
    {
      sql: `SELECT 'domain' AS kind, d.name AS address, NULL AS destination, NULL AS is_mailbox, 1 AS is_open, ${forwarding} AS forwarding
              FROM domain d WHERE d.inbound = 'open' AND d.name IN (${placeholders(domains)})`,
      parameters: domains,
    },
    ...(addresses.length === 0
      ? []
      : [
          {
            sql: `SELECT 'mailbox', m.email, NULL, NULL, 1, 0 FROM mailbox m WHERE m.email IN (${placeholders(addresses)})`,
            parameters: addresses,
          },
        ]),
    {
      sql: `SELECT 'alias', a.address, a.destination, a.destination_mailbox_id IS NOT NULL, COALESCE(o.inbound = 'open', 0), 0
              FROM alias a LEFT JOIN domain o ON o.name = SUBSTR(a.destination, INSTR(a.destination, '@') + 1)
             WHERE a.address IN (${placeholders(aliases)})`,
      parameters: aliases,
    },
  ];
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION ALL '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function note(facts: RecipientFacts, row: Row): void {
  const address = String(row.address).toLowerCase();
  if (row.kind === 'domain') {
    facts.open.add(address);
    facts.forwarding = Number(row.forwarding) === 1;
  } else if (row.kind === 'mailbox') {
    facts.mailboxes.add(address);
  } else {
    const destination = {
      destination: String(row.destination),
      isMailbox: Number(row.is_mailbox) === 1,
      isOpen: Number(row.is_open) === 1,
    };
    const known = facts.aliases.get(address) ?? [];
    if (!known.some((each) => each.destination === destination.destination)) known.push(destination);
    facts.aliases.set(address, known);
  }
}
