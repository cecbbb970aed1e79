import { Alias } from '@mailstead/core/aliases/alias';
import type { Page } from '@mailstead/core/page';
import { type AliasFacts, domainOf } from '@mailstead/core/restoration/decide-aliases';
import { type Database, placeholders } from '../driver/database.js';
import { Table } from '../driver/table.js';

/** Reads the aliases that a deletion keeps, ordered by id. */
export async function deletedAliases(database: Database, itemId: number, { after, limit }: Page): Promise<Alias[]> {
  const table = new Table(database, Alias);
  const rows = await database.read(
    `SELECT ${table.columns('a')} FROM deleted_alias a WHERE a.tombstone_id = ? AND a.id > ? ORDER BY a.id LIMIT ?`,
    [itemId, after, limit],
  );
  return rows.map((row) => table.hydrate(row, 'a'));
}

/** Reads with four statements what decides about at most 500 aliases. */
export async function readAliasFacts(
  database: Database,
  partnerId: number,
  aliases: readonly Alias[],
): Promise<AliasFacts> {
  const addresses = distinct(aliases.map(({ address }) => address.toLowerCase()));
  const targets = distinct(aliases.map(({ destination }) => destination.toLowerCase()));
  const domainIds = distinct(aliases.map(({ domainId }) => domainId));
  const names = distinct(targets.map(domainOf));
  const domains = await database.read(
    `SELECT id FROM domain WHERE id IN (${placeholders(domainIds)}) AND partner_id = ?`,
    [...domainIds, partnerId],
  );
  const inside = await database.read(
    `SELECT name FROM domain WHERE name IN (${placeholders(names)}) AND (partner_id = ? OR inbound = 'open')`,
    [...names, partnerId],
  );
  const present = await mailboxesOf(database, distinct([...addresses, ...targets]));
  const existing = await database.read(
    `SELECT address, destination FROM alias WHERE address IN (${placeholders(addresses)})`,
    addresses,
  );
  const destinations = new Map<string, Set<string>>();
  for (const { address, destination } of existing) {
    const key = String(address).toLowerCase();
    destinations.set(key, (destinations.get(key) ?? new Set()).add(String(destination).toLowerCase()));
  }
  const own = present.filter((mailbox) => mailbox.partnerId === partnerId);
  return {
    ownDomains: new Set(domains.map(({ id }) => Number(id))),
    ownMailboxes: new Map(own.map(({ email, id }) => [email, id])),
    mailboxes: new Set(present.map(({ email }) => email)),
    destinations,
    inside: new Set(inside.map(({ name }) => String(name))),
  };
}

async function mailboxesOf(
  database: Database,
  emails: readonly string[],
): Promise<{ id: number; email: string; partnerId: number }[]> {
  const rows = await database.read(
    `SELECT m.id, m.email, d.partner_id FROM mailbox m JOIN domain d ON d.id = m.domain_id WHERE m.email IN (${placeholders(emails)})`,
    [...emails],
  );
  return rows.map(({ id, email, partner_id: partner }) => ({
    id: Number(id),
    email: String(email),
    partnerId: Number(partner),
  }));
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
