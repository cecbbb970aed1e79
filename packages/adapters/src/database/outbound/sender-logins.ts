import { SenderLogins } from '@mailstead/core/outbound/sender-logins';
import { chunksOf } from '../driver/chunks.js';
import { type Database, placeholders } from '../driver/database.js';

/**
 * Applies the rule of the view `mta_sender_logins` to the tables, which exist on every database. Plain SQL: a UNION of
 * mailboxes and aliases with the same text as the view. The policy daemon uses it.
 */
export class TypeormSenderLogins extends SenderLogins {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofAddresses(addresses: readonly string[]): Promise<Map<string, Set<string>>> {
    const logins = new Map<string, Set<string>>();
    for (const chunk of chunksOf(addresses, (address) => [address, address])) {
      for (const { address, login } of await this.read(chunk)) {
        const known = logins.get(address);
        if (known === undefined) logins.set(address, new Set([login]));
        else known.add(login);
      }
    }
    return logins;
  }

  private read(addresses: readonly string[]): Promise<{ address: string; login: string }[]> {
    return this.database.read(
      `SELECT m.email AS address, m.email AS login
         FROM mailbox m JOIN domain d ON d.id = m.domain_id
        WHERE d.inbound = 'open' AND m.email IN (${placeholders(addresses)})
        UNION ALL
       SELECT a.address, COALESCE(m.email, a.address) AS login
         FROM alias a JOIN domain d ON d.id = a.domain_id
         LEFT JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
        WHERE d.inbound = 'open' AND a.address IN (${placeholders(addresses)}) AND (m.id IS NOT NULL OR a.address NOT LIKE '@%')`,
      [...addresses, ...addresses],
    );
  }
}
