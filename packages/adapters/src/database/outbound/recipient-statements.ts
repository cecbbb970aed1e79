import type { Recipient, RecipientFacts } from '@mailstead/core/outbound/recipients';
import { placeholders, type Row, type Statement } from '../driver/database.js';
import type { Dialect } from '../driver/dialect.js';

/*
 * Plain SQL: it runs in the same round trip as the other reads of a batch of increments (`ledger-statements.ts`).
 */

/**
 * A recipient adds up to four parameters. The total is far below SQLite's limit, and each list is below the 1,000 items
 * from which MariaDB reads a list as a table.
 */
const RECIPIENTS_PER_STATEMENT = 400;

/**
 * Reads the domains, mailboxes and aliases of recipients that are on this platform.
 *
 * @returns one statement for each 400 recipients
 */
export function readRecipients(dialect: Dialect, recipients: readonly Recipient[]): Statement[] {
  const distinct = new Map(
    recipients.flatMap(({ domain, address }) =>
      domain === null ? [] : [[`${address} ${domain}`, { domain, address }] as const],
    ),
  );
  const statements: Statement[] = [];
  const all = [...distinct.values()];
  for (let start = 0; start < all.length; start += RECIPIENTS_PER_STATEMENT) {
    statements.push(readSome(dialect, all.slice(start, start + RECIPIENTS_PER_STATEMENT)));
  }
  return statements;
}

export function toRecipientFacts(rows: readonly Row[]): RecipientFacts {
  const facts: RecipientFacts = { open: new Set(), mailboxes: new Set(), aliases: new Map() };
  for (const row of rows) {
    const address = String(row.address).toLowerCase();
    if (row.kind === 'domain') facts.open.add(address);
    else if (row.kind === 'mailbox') facts.mailboxes.add(address);
    else facts.aliases.set(address, Number(row.outside));
  }
  return facts;
}

/** Applies the rule of the view `mta_aliases`, which the embedded database does not have. */
function readSome(dialect: Dialect, recipients: readonly { domain: string; address: string | null }[]): Statement {
  const domains = [...new Set(recipients.map(({ domain }) => domain))];
  const addresses = [...new Set(recipients.flatMap(({ address }) => address ?? []))];
  const aliases = [...addresses, ...domains.map((domain) => `@${domain}`)];
  // No mail server reads the embedded database, so it has no row for forwarding, and forwarding counts as on.
  const forwarding = dialect.isReadByMailServers
    ? "EXISTS (SELECT 1 FROM installation i WHERE i.name = 'forwarding' AND i.value = 'on')"
    : '1 = 1';
  const isOutside = "a.destination_mailbox_id IS NULL AND COALESCE(o.inbound, '') <> 'open'";
  const parts = [
    {
      sql: `SELECT 'domain' AS kind, d.name AS address, 0 AS outside
              FROM domain d WHERE d.inbound = 'open' AND d.name IN (${placeholders(domains)})`,
      parameters: domains,
    },
    {
      sql: `SELECT 'alias', a.address, SUM(CASE WHEN ${isOutside} THEN 1 ELSE 0 END)
              FROM alias a
              LEFT JOIN domain o ON o.name = SUBSTR(a.destination, INSTR(a.destination, '@') + 1)
              LEFT JOIN mailbox m ON m.email = a.destination
             WHERE a.address IN (${placeholders(aliases)})
               AND ((m.id IS NOT NULL AND o.inbound = 'open') OR (${isOutside} AND ${forwarding}))
             GROUP BY a.address`,
      parameters: aliases,
    },
  ];
  if (addresses.length > 0) {
    const sql = `SELECT 'mailbox', m.email, 0 FROM mailbox m WHERE m.email IN (${placeholders(addresses)})`;
    parts.push({ sql, parameters: addresses });
  }
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION ALL '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}
