import { setImmediate } from 'node:timers/promises';
import { Alias } from '@mailstead/core/aliases/alias';
import { utcDay } from '@mailstead/core/clock';
import { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import {
  type Deletion,
  type NameHistory,
  TOMBSTONE_MS,
  type Tombstone,
  TombstoneRepository,
} from '@mailstead/core/domains/tombstone';
import { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { type Actor, actorName } from '@mailstead/core/operators/actor';
import { Verification } from '@mailstead/core/relay/verification';
import { type Database, type Parameter, placeholders, type Row, textOrNull } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { type TombstoneKind, TombstoneRow } from './tombstone-schemas.js';

/** Where a domain's outbound mail is counted. The counter is first: who counts has it locked, so a hand-over waits there. */
export const OUTBOUND_TABLES = [
  'outbound_counter',
  'outbound_day',
  'outbound_sender',
  'outbound_history',
  'outbound_increment',
];
/** What of it says how much may still be sent, of senders that of the day: a move leaves a copy of it to the former partner. */
const COPIED_TABLES = [
  { table: 'outbound_counter', since: '' },
  { table: 'outbound_day', since: '' },
  { table: 'outbound_sender', since: ' AND day >= ?' },
];
/** MariaDB turns an IN list of 1,000 and more into a table of its own, which it joins without the primary key. */
const ROWS_PER_STATEMENT = 500;

interface Kept {
  kind: TombstoneKind;
  name: string;
  partnerId: number;
  domainId: number;
  mailboxes: number;
  aliases: number;
}

export class TypeormTombstoneRepository extends TombstoneRepository {
  private readonly tombstones: Table<TombstoneRow>;
  private readonly domains: Table<Domain>;
  private readonly verifications: Table<Verification>;
  private readonly mailboxes: Table<Mailbox>;
  private readonly aliases: Table<Alias>;

  constructor(private readonly database: Database) {
    super();
    this.tombstones = new Table(database, TombstoneRow);
    this.domains = new Table(database, Domain);
    this.verifications = new Table(database, Verification);
    this.mailboxes = new Table(database, Mailbox);
    this.aliases = new Table(database, Alias);
  }

  override async ofName(name: DomainName, partnerId: number, now: Date): Promise<NameHistory> {
    const since = now.getTime() - TOMBSTONE_MS;
    const [last] = await this.database.read(
      `SELECT partner_id, deleted_at FROM tombstone WHERE name = ? AND kind <> 'mailbox'
        ORDER BY deleted_at DESC, id DESC LIMIT 1`,
      [name],
    );
    if (last === undefined) return { own: null, last: null };
    const [own = null] = await this.select(
      't.name = ? AND t.partner_id = ? AND t.deleted_at > ? ORDER BY t.deleted_at DESC, t.id DESC LIMIT 1',
      [name, partnerId, since],
    );
    return {
      own,
      last: { partnerId: Number(last.partner_id), leftAt: new Date(Number(last.deleted_at)) },
    };
  }

  override ofChildren({ id, partnerId }: Domain): Promise<Tombstone[]> {
    return this.select('t.partner_id = ? AND d.parent_id = ?', [partnerId, id]);
  }

  override async saveHolds({ id, domain }: Tombstone): Promise<void> {
    const set = this.domains.assignments(domain, ['suspensionCauses', 'outboundStatus', 'blockedReason', 'blockedAt']);
    await this.database.write(`UPDATE deleted_domain SET ${set.sql} WHERE tombstone_id = ?`, [...set.parameters, id]);
  }

  /** Of domains that no later one of the same partner took over. */
  private async select(where: string, parameters: Parameter[]): Promise<Tombstone[]> {
    const rows = await this.database.read(
      `SELECT t.id AS tombstone_id, t.counters_id, ${this.domains.columns('d')},
              v.ownership_token, v.ownership_required, v.ownership_seen_at
         FROM tombstone t
         JOIN deleted_domain d ON d.tombstone_id = t.id
         LEFT JOIN deleted_verification v ON v.tombstone_id = t.id
        WHERE t.kind <> 'mailbox' AND t.heir_id IS NULL AND ${where}`,
      parameters,
    );
    return rows.map((row) => this.toTombstone(row));
  }

  override async moveDomainAside(domain: Domain, deletion: Deletion): Promise<void> {
    const crossing = await this.database.read(
      `SELECT a.domain_id, COUNT(*) AS aliases FROM mailbox m JOIN alias a ON a.destination_mailbox_id = m.id
        WHERE m.domain_id = ? AND a.domain_id <> ? GROUP BY a.domain_id ORDER BY a.domain_id`,
      [domain.id, domain.id],
    );
    const foreign = await this.lowerAliasCounts(crossing);
    const id = await this.archive(
      {
        kind: 'domain',
        name: domain.name,
        partnerId: domain.partnerId,
        domainId: domain.id,
        mailboxes: domain.mailboxCount,
        aliases: domain.aliasCount + foreign,
      },
      deletion,
    );
    await this.copyDomain(id, domain.id);
    await this.moveRows(this.aliases, id, 'SELECT id FROM alias WHERE domain_id = ?', domain.id);
    await this.moveRows(
      this.aliases,
      id,
      'SELECT a.id FROM mailbox m JOIN alias a ON a.destination_mailbox_id = m.id WHERE m.domain_id = ?',
      domain.id,
    );
    await this.moveRows(this.mailboxes, id, 'SELECT id FROM mailbox WHERE domain_id = ?', domain.id);
    await this.database.write('DELETE FROM verification WHERE domain_id = ?', [domain.id]);
    await this.database.write('DELETE FROM domain WHERE id = ?', [domain.id]);
  }

  override async moveMailboxAside(mailbox: Mailbox, partnerId: number, deletion: Deletion): Promise<number> {
    const rows = await this.database.read(
      'SELECT domain_id, COUNT(*) AS aliases FROM alias WHERE destination_mailbox_id = ? GROUP BY domain_id ORDER BY domain_id',
      [mailbox.id],
    );
    const aliases = await this.lowerAliasCounts(rows);
    const id = await this.archive(
      { kind: 'mailbox', name: mailbox.email, partnerId, domainId: mailbox.domainId, mailboxes: 1, aliases },
      deletion,
    );
    await this.moveRows(this.aliases, id, 'SELECT id FROM alias WHERE destination_mailbox_id = ?', mailbox.id);
    await this.moveRows(this.mailboxes, id, 'SELECT id FROM mailbox WHERE id = ?', mailbox.id);
    return aliases;
  }

  override async lastDailyLimit(email: string, partnerId: number): Promise<number | null> {
    const [row] = await this.database.read(
      `SELECT m.outbound_daily_limit FROM deleted_mailbox m JOIN tombstone t ON t.id = m.tombstone_id
        WHERE m.email = ? AND t.partner_id = ? ORDER BY t.deleted_at DESC, t.id DESC LIMIT 1`,
      [email, partnerId],
    );
    return row === undefined ? null : Number(row.outbound_daily_limit);
  }

  override async keepMoved(domain: Domain, actor: Actor, at: Date): Promise<void> {
    const { id: domainId, name, partnerId } = domain;
    const kept = { kind: 'move', name, partnerId, domainId, mailboxes: 0, aliases: 0 } as const;
    const id = await this.archive(kept, { actor, at, expiresAt: at });
    await this.database.write(
      'UPDATE tombstone SET counters_id = ?, erased_at = deleted_at, mail_removed_at = deleted_at WHERE id = ?',
      [-id, id],
    );
    await this.copyDomain(id, domainId);
    for (const { table, since } of COPIED_TABLES) {
      const columns = this.columnsOf(table).filter((column) => column !== 'domain_id');
      await this.database.write(
        `INSERT INTO ${table} (domain_id, ${columns.join(', ')}) SELECT ?, ${columns.join(', ')} FROM ${table} WHERE domain_id = ?${since}${this.database.forUpdate}`,
        [-id, domainId, ...(since === '' ? [] : [utcDay(at)])],
      );
    }
  }

  override async handOver(tombstone: Tombstone, heir: Domain): Promise<void> {
    for (const table of OUTBOUND_TABLES) {
      await this.database.write(`UPDATE ${table} SET domain_id = ? WHERE domain_id = ?`, [
        heir.id,
        tombstone.countersId,
      ]);
    }
    const used = await this.database.read(
      "SELECT id, counters_id, mailboxes + aliases AS kept FROM tombstone WHERE name = ? AND partner_id = ? AND kind <> 'mailbox' AND heir_id IS NULL",
      [heir.name, heir.partnerId],
    );
    for (const { id, counters_id: countersId, kept } of used) {
      await this.useUp(Number(id), Number(countersId), Number(kept) > 0, heir);
    }
  }

  /** One that kept nothing else is removed at once, so that deleting and creating without end leaves one row and not many. */
  private async useUp(id: number, countersId: number, isRestorable: boolean, heir: Domain): Promise<void> {
    if (isRestorable) {
      await this.database.write('UPDATE tombstone SET heir_id = ? WHERE id = ?', [heir.id, id]);
      return;
    }
    for (const table of OUTBOUND_TABLES) {
      await this.database.write(`DELETE FROM ${table} WHERE domain_id = ?`, [countersId]);
    }
    await this.database.write('DELETE FROM deleted_verification WHERE tombstone_id = ?', [id]);
    await this.database.write('DELETE FROM deleted_domain WHERE tombstone_id = ?', [id]);
    await this.database.write('DELETE FROM tombstone WHERE id = ?', [id]);
  }

  override async noteHolder({ id, name, partnerId }: Domain, at: Date): Promise<void> {
    await this.database.write(
      'UPDATE tombstone SET other_holder_at = ? WHERE name = ? AND partner_id <> ? AND other_holder_at IS NULL',
      [at.getTime(), name, partnerId],
    );
    await this.database.write(
      "UPDATE tombstone SET other_holder_at = ? WHERE domain_id = ? AND partner_id <> ? AND kind = 'mailbox' AND other_holder_at IS NULL",
      [at.getTime(), id, partnerId],
    );
  }

  private async archive(kept: Kept, { actor, at, expiresAt }: Deletion): Promise<number> {
    const { id } = await this.tombstones.insert(
      Object.assign(new TombstoneRow(), {
        ...kept,
        actorKind: actor.kind,
        actor: actorName(actor),
        deletedAt: at,
        expiresAt,
        countersId: kept.kind === 'domain' ? kept.domainId : null,
        heirId: null,
        otherHolderAt: null,
        erasedAt: null,
        mailRemovedAt: null,
      }),
    );
    return id;
  }

  private async copyDomain(tombstoneId: number, domainId: number): Promise<void> {
    await this.copyRows(this.domains, tombstoneId, 'id = ?', [domainId]);
    await this.copyRows(this.verifications, tombstoneId, 'domain_id = ?', [domainId]);
  }

  /**
   * Moves rows aside, a bounded number with each statement. Their ids are read and locked first, so that what is copied
   * is what is deleted. @param ids selects them, with one parameter.
   */
  private async moveRows<Live extends object>(
    table: Table<Live>,
    tombstoneId: number,
    ids: string,
    parameter: number,
  ): Promise<void> {
    for (;;) {
      const rows = await this.database.read(`${ids} LIMIT ?${this.database.forUpdate}`, [
        parameter,
        ROWS_PER_STATEMENT,
      ]);
      if (rows.length === 0) return;
      const found = rows.map((row) => Number(row.id));
      await this.copyRows(table, tombstoneId, `id IN (${placeholders(found)})`, found);
      await this.database.write(`DELETE FROM ${table.name} WHERE id IN (${placeholders(found)})`, found);
      // The embedded database answers without I/O: others that read have their turn.
      await setImmediate();
      if (rows.length < ROWS_PER_STATEMENT) return;
    }
  }

  private async copyRows<Live extends object>(
    table: Table<Live>,
    tombstoneId: number,
    where: string,
    parameters: Parameter[],
  ): Promise<void> {
    const columns = table.columnNames.join(', ');
    await this.database.write(
      `INSERT INTO deleted_${table.name} (tombstone_id, ${columns}) SELECT ?, ${columns} FROM ${table.name} WHERE ${where}`,
      [tombstoneId, ...parameters],
    );
  }

  private columnsOf(table: string): string[] {
    const metadata = this.database.writer.entityMetadatas.find(({ tableName }) => tableName === table);
    if (metadata === undefined) throw new Error(`There is no table ${table}`);
    return metadata.columns.map(({ databaseName }) => databaseName);
  }

  /** @param rows `domain_id` and `aliases`, in the order of the ids. @returns how many aliases. */
  private async lowerAliasCounts(rows: readonly Row[]): Promise<number> {
    let lowered = 0;
    for (const row of rows) {
      const aliases = Number(row.aliases);
      await this.database.write('UPDATE domain SET alias_count = alias_count - ? WHERE id = ?', [
        aliases,
        Number(row.domain_id),
      ]);
      lowered += aliases;
    }
    return lowered;
  }

  private toTombstone(row: Row): Tombstone {
    const token = textOrNull(row.ownership_token);
    return {
      id: Number(row.tombstone_id),
      countersId: Number(row.counters_id),
      domain: this.domains.hydrate(row, 'd', { partnerRef: null }),
      ownership:
        token === null
          ? null
          : { token, required: Number(row.ownership_required) === 1, seen: row.ownership_seen_at !== null },
    };
  }
}
