import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { TOMBSTONE_MS, type Tombstone, TombstoneRepository } from '@mailstead/core/domains/tombstone';
import type { Page } from '@mailstead/core/page';
import { EntitySchema } from 'typeorm';
import type { Database } from './database.js';
import { Columns, type Dialect } from './dialect.js';
import { Table } from './table.js';

/** Where a domain's outbound mail is counted; the rows outlive the domain by its tombstone. */
const OUTBOUND_TABLES = [
  'outbound_counter',
  'outbound_day',
  'outbound_sender',
  'outbound_history',
  'outbound_increment',
];
const NAMES_PER_RUN = 1_000;

class DomainTombstone implements Tombstone {
  id!: number;
  name!: DomainName;
  partnerId!: number;
  deletedAt!: Date;
  domainId!: number;
  suspensionCauses!: Domain['suspensionCauses'];
  outboundStatus!: Domain['outboundStatus'];
  blockedReason!: Domain['blockedReason'];
  blockedAt!: Date | null;
  bounceWindowStart!: Date | null;
}

/** Where stored mail waits for its removal. */
class MailboxTombstone {
  id!: number;
  email!: string;
  home!: string;
  deletedAt!: Date;
}

export function tombstoneSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    new EntitySchema<DomainTombstone>({
      name: 'DomainTombstone',
      target: DomainTombstone,
      tableName: 'domain_tombstone',
      columns: {
        id: columns.id(),
        name: columns.name(253),
        partnerId: columns.ref({ name: 'partner_id' }),
        deletedAt: columns.time({ name: 'deleted_at' }),
        domainId: columns.ref({ name: 'domain_id' }),
        suspensionCauses: { ...columns.words(64), name: 'suspension_causes' },
        outboundStatus: columns.exact(16, { name: 'outbound_status' }),
        blockedReason: columns.exact(32, { name: 'blocked_reason', nullable: true }),
        blockedAt: columns.time({ name: 'blocked_at', nullable: true }),
        bounceWindowStart: columns.time({ name: 'bounce_window_start', nullable: true }),
      },
      indices: [
        { name: 'ix_domain_tombstone_name', columns: ['name', 'deletedAt'] },
        { name: 'ix_domain_tombstone_deleted', columns: ['deletedAt'] },
      ],
    }),
    new EntitySchema<MailboxTombstone>({
      name: 'MailboxTombstone',
      target: MailboxTombstone,
      tableName: 'mailbox_tombstone',
      columns: {
        id: columns.id(),
        email: columns.name(254),
        home: columns.exact(32),
        deletedAt: columns.time({ name: 'deleted_at' }),
      },
      indices: [{ name: 'ix_mailbox_tombstone_deleted', columns: ['deletedAt', 'id'] }],
    }),
  ];
}

export class TypeormTombstoneRepository extends TombstoneRepository {
  private readonly domains: Table<DomainTombstone>;
  private readonly mailboxes: Table<MailboxTombstone>;

  constructor(private readonly database: Database) {
    super();
    this.domains = new Table(database, DomainTombstone);
    this.mailboxes = new Table(database, MailboxTombstone);
  }

  override async newest(name: DomainName, now: Date): Promise<Tombstone | null> {
    const rows = await this.database.read(
      `SELECT ${this.domains.columns('t')} FROM domain_tombstone t WHERE t.name = ? AND t.deleted_at > ? ORDER BY t.deleted_at DESC, t.id DESC LIMIT 1`,
      [name, now.getTime() - TOMBSTONE_MS],
    );
    return rows[0] === undefined ? null : this.domains.hydrate(rows[0], 't');
  }

  override async bury(domain: Domain, at: Date): Promise<void> {
    await this.domains.insert(
      Object.assign(new DomainTombstone(), {
        name: domain.name,
        partnerId: domain.partnerId,
        deletedAt: at,
        domainId: domain.id,
        suspensionCauses: domain.suspensionCauses,
        outboundStatus: domain.outboundStatus,
        blockedReason: domain.blockedReason,
        blockedAt: domain.blockedAt,
        bounceWindowStart: domain.bounceWindowStart,
      }),
    );
    await this.database.write(
      'INSERT INTO mailbox_tombstone (email, home, deleted_at) SELECT email, home, ? FROM mailbox WHERE domain_id = ?',
      [at.getTime(), domain.id],
    );
  }

  override async buryMailbox(mailbox: { email: string; home: string }, at: Date): Promise<void> {
    await this.mailboxes.insert(Object.assign(new MailboxTombstone(), { ...pick(mailbox), deletedAt: at }));
  }

  override async buriedMailboxes(
    before: Date,
    { after, limit }: Page,
  ): Promise<{ id: number; email: string; home: string }[]> {
    const rows = await this.database.read(
      'SELECT id, email, home FROM mailbox_tombstone WHERE id > ? AND deleted_at < ? ORDER BY id LIMIT ?',
      [after, before.getTime(), limit],
    );
    return rows.map((row) => ({ id: Number(row.id), email: String(row.email), home: String(row.home) }));
  }

  override async forgetMailbox(id: number): Promise<void> {
    await this.database.write('DELETE FROM mailbox_tombstone WHERE id = ?', [id]);
  }

  override async forgetNames(before: Date): Promise<number> {
    const old = await this.database.read(
      'SELECT id, domain_id FROM domain_tombstone WHERE deleted_at < ? ORDER BY id LIMIT ?',
      [before.getTime(), NAMES_PER_RUN],
    );
    for (const row of old) {
      for (const table of OUTBOUND_TABLES) {
        await this.database.write(`DELETE FROM ${table} WHERE domain_id = ?`, [Number(row.domain_id)]);
      }
      await this.database.write('DELETE FROM domain_tombstone WHERE id = ?', [Number(row.id)]);
    }
    return old.length;
  }

  override async handOver(tombstone: Tombstone, domain: Domain): Promise<void> {
    for (const table of [
      'outbound_counter',
      'outbound_day',
      'outbound_sender',
      'outbound_history',
      'outbound_increment',
    ]) {
      await this.database.write(`UPDATE ${table} SET domain_id = ? WHERE domain_id = ?`, [
        domain.id,
        tombstone.domainId,
      ]);
    }
    await this.database.write('DELETE FROM domain_tombstone WHERE id = ?', [tombstone.id]);
  }
}

function pick({ email, home }: { email: string; home: string }): { email: string; home: string } {
  return { email, home };
}
