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
 * Reads which domains of recipients are open, and the mailboxes and aliases of those that are. Most recipients are
 * outside, and the aliases take most of the time, so they are read only for the domains that are assumed to be open.
 * When another one is open, it is added, and the statements must run again.
 */
export class RecipientReads {
  private readonly recipients: { domain: string; address: string | null }[];
  private readonly assumed = new Set<string>();

  constructor(
    private readonly dialect: Dialect,
    recipients: readonly Recipient[],
    isAssumed: (domain: string) => boolean,
  ) {
    const distinct = new Map(
      recipients.flatMap(({ domain, address }) =>
        domain === null ? [] : [[`${address} ${domain}`, { domain, address }] as const],
      ),
    );
    this.recipients = [...distinct.values()];
    for (const { domain } of this.recipients) if (isAssumed(domain)) this.assumed.add(domain);
  }

  /** @returns up to two statements for each 400 recipients */
  statements(): Statement[] {
    const inside = this.recipients.filter(({ domain }) => this.assumed.has(domain));
    // The addresses first: what a domain had before it was closed does not count.
    return [
      ...parts(inside).map((part) => readAddresses(this.dialect, part)),
      ...parts(this.recipients).map(readOpenDomains),
    ];
  }

  /**
   * @param rows of `statements`
   * @returns null when a domain is open whose addresses were not read
   */
  factsOf(rows: readonly Row[]): RecipientFacts | null {
    const facts = toRecipientFacts(rows);
    const before = this.assumed.size;
    for (const domain of facts.open) this.assumed.add(domain);
    return this.assumed.size === before ? facts : null;
  }
}

function toRecipientFacts(rows: readonly Row[]): RecipientFacts {
  const facts: RecipientFacts = { open: new Set(), mailboxes: new Set(), aliases: new Map() };
  for (const row of rows) {
    if (row.kind === 'domain') facts.open.add(String(row.name));
    else if (row.kind === 'mailbox') facts.mailboxes.add(String(row.address).toLowerCase());
    else facts.aliases.set(String(row.address).toLowerCase(), Number(row.outside));
  }
  return facts;
}

function parts<Item>(items: readonly Item[]): Item[][] {
  const found: Item[][] = [];
  for (let start = 0; start < items.length; start += RECIPIENTS_PER_STATEMENT) {
    found.push(items.slice(start, start + RECIPIENTS_PER_STATEMENT));
  }
  return found;
}

/** With the columns of a location (`locationsOf`). */
function readOpenDomains(recipients: readonly { domain: string }[]): Statement {
  const domains = [...new Set(recipients.map(({ domain }) => domain))];
  return {
    sql: `SELECT 'domain' AS kind, d.id, d.name, d.parent_id
            FROM domain d WHERE d.inbound = 'open' AND d.name IN (${placeholders(domains)})`,
    parameters: domains,
  };
}

/** Applies the rule of the view `mta_aliases`, which the embedded database does not have. */
function readAddresses(dialect: Dialect, recipients: readonly { domain: string; address: string | null }[]): Statement {
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
      sql: `SELECT 'alias' AS kind, a.address, SUM(CASE WHEN ${isOutside} THEN 1 ELSE 0 END) AS outside
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
