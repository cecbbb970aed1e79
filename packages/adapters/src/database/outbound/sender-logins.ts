import { needs } from '@mailstead/core/needs';
import { type LoginsByAddress, SenderLogins } from '@mailstead/core/outbound/sender-logins';
import { Database, type Row } from '../driver/database.js';
import { readSenderLogins, toSenderLogins } from './sender-login-statements.js';

/** Applies the rule of the view `mta_sender_logins` to the tables, which exist on every database. */
@needs(Database)
export class SqlSenderLogins extends SenderLogins {
  constructor(private readonly database: Database) {
    super();
  }

  override async ofAddresses(addresses: readonly string[]): Promise<LoginsByAddress> {
    const rows: Row[] = [];
    for (const { sql, parameters } of readSenderLogins(addresses)) {
      rows.push(...(await this.database.read(sql, parameters)));
    }
    return toSenderLogins(rows);
  }
}
