import { chunksOf } from '../driver/chunks.js';
import { placeholders, type Row, type Statement } from '../driver/database.js';

/*
 * Plain SQL: a UNION of mailboxes and aliases with the same text as the view `mta_sender_logins`, which the embedded
 * database does not have. A batch of increments reads it in the same round trip as the rest.
 */

/** @returns one statement for each part of the list that fits into one. */
export function readSenderLogins(addresses: readonly string[]): Statement[] {
  return chunksOf(addresses, (address) => [address, address]).map((chunk) => ({
    sql: `SELECT m.email AS address, m.email AS login
         FROM mailbox m JOIN domain d ON d.id = m.domain_id
        WHERE d.inbound = 'open' AND m.email IN (${placeholders(chunk)})
        UNION ALL
       SELECT a.address, COALESCE(m.email, a.address) AS login
         FROM alias a JOIN domain d ON d.id = a.domain_id
         LEFT JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
        WHERE d.inbound = 'open' AND a.address IN (${placeholders(chunk)}) AND (m.id IS NOT NULL OR a.address NOT LIKE '@%')`,
    parameters: [...chunk, ...chunk],
  }));
}

export function toSenderLogins(rows: readonly Row[]): Map<string, Set<string>> {
  const logins = new Map<string, Set<string>>();
  for (const row of rows) {
    const [address, login] = [String(row.address), String(row.login)];
    const known = logins.get(address);
    if (known === undefined) logins.set(address, new Set([login]));
    else known.add(login);
  }
  return logins;
}
