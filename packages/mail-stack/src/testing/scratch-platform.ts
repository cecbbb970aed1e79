import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RigDatabase } from './rig-database.js';

/** The password of every mailbox here; its hash is bcrypt of cost 4, to be quick. */
export const PASSWORD = 'correct horse battery';
const PASSWORD_HASH = '$2b$04$3.jgWxn6vUwkqNBHBCDv.eP.3iHeelzuQIzaebndlvgoRNtZ57l5y';

/** Makes the plain tables that stand for the views. */
export async function prepareScratchSchema(database: RigDatabase): Promise<void> {
  await database.query(await readFile(new URL('../../testing/scratch-schema.sql', import.meta.url), 'utf8'));
}

/** Domains, mailboxes and aliases in plain tables under the names of the views, as Mailstead would show them. */
export class ScratchPlatform {
  constructor(private readonly database: RigDatabase) {}

  async addDomain(domain: string): Promise<void> {
    await this.database.query('INSERT INTO mta_domains (domain) VALUES (?)', [domain]);
  }

  async addMailbox(address: string, quotaMb = 1024): Promise<void> {
    const [localPart, domain] = halves(address);
    await this.database.query(
      `INSERT INTO mta_mailboxes (address, domain, local_part, quota_mb) VALUES (?, ?, ?, ?);
       INSERT INTO mta_sender_logins (address, login) VALUES (?, ?);
       INSERT INTO mda_users (user, domain, local_part, password_hash, quota_mb, home) VALUES (?, ?, ?, ?, ?, ?)`,
      [
        address,
        domain,
        localPart,
        quotaMb,
        address,
        address,
        address,
        domain,
        localPart,
        PASSWORD_HASH,
        quotaMb,
        randomBytes(16).toString('hex'),
      ],
    );
  }

  /** An address of `@domain` is a catch-all. */
  async addAlias(address: string, ...destinations: string[]): Promise<void> {
    const [, domain] = halves(address);
    for (const destination of destinations) {
      await this.database.query('INSERT INTO mta_aliases (address, destination, domain) VALUES (?, ?, ?)', [
        address,
        destination,
        domain,
      ]);
      if (destination.endsWith(`@${domain}`)) {
        await this.database.query('INSERT INTO mta_sender_logins (address, login) VALUES (?, ?)', [
          address,
          destination,
        ]);
      }
    }
  }

  async setSuspended(domain: string, suspended: boolean): Promise<void> {
    const flag = suspended ? 1 : 0;
    await this.database.query(
      `UPDATE mta_domains SET suspended = ?, outbound_held = ? WHERE domain = ?;
       UPDATE mta_mailboxes SET suspended = ? WHERE domain = ?;
       UPDATE mda_users SET suspended = ? WHERE domain = ?`,
      [flag, flag, domain, flag, domain, flag, domain],
    );
  }

  async setOutboundHeld(domain: string, held: boolean): Promise<void> {
    await this.database.query('UPDATE mta_domains SET outbound_held = ? WHERE domain = ?', [held ? 1 : 0, domain]);
  }

  async setInboundCapped(domain: string, capped: boolean): Promise<void> {
    await this.database.query('UPDATE mta_domains SET transfer_inbound_capped = ? WHERE domain = ?', [
      capped ? 1 : 0,
      domain,
    ]);
  }

  async setRelay(domain: string, relayhost: string): Promise<void> {
    await this.database.query('INSERT INTO mta_relay (domain, relayhost) VALUES (?, ?)', [domain, relayhost]);
  }

  async setQuota(address: string, quotaMb: number): Promise<void> {
    await this.database.query(
      'UPDATE mta_mailboxes SET quota_mb = ? WHERE address = ?; UPDATE mda_users SET quota_mb = ? WHERE user = ?',
      [quotaMb, address, quotaMb, address],
    );
  }

  /** As the views show it: the address stays its own sender, so that no owner of a catch-all may send as it. */
  async disableMailbox(address: string): Promise<void> {
    await this.database.query(
      'UPDATE mta_mailboxes SET active = 0 WHERE address = ?; UPDATE mda_users SET active = 0 WHERE user = ?',
      [address, address],
    );
  }
}

function halves(address: string): [localPart: string, domain: string] {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
}
