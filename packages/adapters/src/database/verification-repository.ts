import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DnsRecord } from '@mailstead/core/relay/dns-records';
import { Verification } from '@mailstead/core/relay/verification';
import { VerificationRepository } from '@mailstead/core/relay/verification-repository';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { chunksOf } from './driver/chunks.js';
import { type Database, placeholders } from './driver/database.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Table } from './driver/table.js';

/** The columns of a verification: those of `verification`, and of `deleted_verification`, which keeps whole rows. */
export function verificationColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    domainId: columns.ref({ name: 'domain_id', primary: true }),
    status: columns.exact(16),
    providerStatus: columns.exact(32, { name: 'dkim_status' }),
    records: columns.json({ name: 'dns_records', nullable: true, transformer: records }),
    ...formerColumns(dialect),
    startedAt: columns.time({ name: 'started_at', nullable: true }),
    verifiedAt: columns.time({ name: 'verified_at', nullable: true }),
    lostAt: columns.time({ name: 'lost_at', nullable: true }),
    lastCheckedAt: columns.time({ name: 'last_checked_at', nullable: true }),
    lastAskedAt: columns.time({ name: 'last_asked_at', nullable: true }),
    lastError: columns.text(500, { name: 'last_error', nullable: true }),
    nextCheckAt: columns.time({ name: 'next_check_at', nullable: true }),
    checkAttempt: columns.integer({ name: 'check_attempt' }),
    ownershipToken: columns.exact(64, { name: 'ownership_token' }),
    ownershipRequired: { ...columns.flag(), name: 'ownership_required' },
    ownershipSeenAt: columns.time({ name: 'ownership_seen_at', nullable: true }),
  };
}

/** Null for none: also where a process of the former release wrote the row, so that `confirm` leaves it to a check. */
const records = {
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as DnsRecord[]) : []),
  to: (value: unknown) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : null),
};

/** Columns that only processes of the former release use (see the migration `dnsRecords`). */
function formerColumns(dialect: Dialect): Record<string, EntitySchemaColumnOptions> {
  if (dialect === 'sqlite') return {};
  const columns = new Columns(dialect);
  const unused = { default: '', select: false, insert: false, update: false };
  return {
    formerDkimTokens: columns.exact(512, { name: 'dkim_tokens', ...unused }),
    formerDkimZone: columns.name(253, { name: 'dkim_zone', ...unused }),
  };
}

export function verificationSchema(dialect: Dialect): EntitySchema<Verification> {
  return new EntitySchema<Verification>({
    name: 'Verification',
    target: Verification,
    tableName: 'verification',
    columns: verificationColumns(dialect),
    indices: [{ name: 'ix_verification_poll', columns: ['status', 'lastCheckedAt'] }],
    foreignKeys: [
      {
        target: 'Domain',
        columnNames: ['domainId'],
        referencedColumnNames: ['id'],
        name: 'fk_verification_domain',
        onDelete: 'CASCADE',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

export class TypeormVerificationRepository extends VerificationRepository {
  private readonly table: Table<Verification>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Verification);
  }

  override find(domainId: number): Promise<Verification | null> {
    return this.one(domainId, '');
  }

  override lock(domainId: number): Promise<Verification | null> {
    return this.one(domainId, this.database.forUpdate);
  }

  override async add(verification: Verification): Promise<void> {
    await this.table.insert(verification);
  }

  override async save(verification: Verification): Promise<void> {
    await this.table.update(verification, [
      'status',
      'providerStatus',
      'records',
      'startedAt',
      'verifiedAt',
      'lostAt',
      'lastCheckedAt',
      'lastError',
      'nextCheckAt',
      'checkAttempt',
      'ownershipSeenAt',
    ]);
  }

  override async claimCheck(domainId: number, askedBefore: Date, now: Date): Promise<boolean> {
    const { affected } = await this.database.write(
      'UPDATE verification SET last_asked_at = ? WHERE domain_id = ? AND (last_asked_at IS NULL OR last_asked_at <= ?)',
      [now.getTime(), domainId, askedBefore.getTime()],
    );
    return affected === 1;
  }

  override async confirm(status: 'pending' | 'verified', names: string[], at: Date): Promise<number> {
    let confirmed = 0;
    for (const chunk of chunksOf(names)) {
      const { affected } = await this.database.write(
        `UPDATE verification SET last_checked_at = ? WHERE status = ? AND dns_records IS NOT NULL AND domain_id IN (SELECT id FROM domain WHERE name IN (${placeholders(chunk)}))`,
        [at.getTime(), status, ...chunk],
      );
      confirmed += affected;
    }
    return confirmed;
  }

  override async markChecked(domainIds: number[], at: Date): Promise<void> {
    for (const chunk of chunksOf(domainIds)) {
      await this.database.write(
        `UPDATE verification SET last_checked_at = ? WHERE domain_id IN (${placeholders(chunk)})`,
        [at.getTime(), ...chunk],
      );
    }
  }

  override async dueForPoll(
    status: 'pending' | 'verified',
    checkedBefore: Date,
    limit: number,
  ): Promise<{ domainId: number; name: DomainName; partnerId: number; startedAt: Date | null }[]> {
    // The n-th oldest of every partner before the n+1-th of any: a partner with thousands cannot starve the others.
    const rows = await this.database.read(
      `SELECT v.domain_id, d.name, d.partner_id, v.started_at,
              ROW_NUMBER() OVER (PARTITION BY d.partner_id ORDER BY v.last_checked_at, v.domain_id) AS turn
         FROM verification v JOIN domain d ON d.id = v.domain_id
        WHERE v.status = ? AND (v.last_checked_at IS NULL OR v.last_checked_at < ?)
        ORDER BY turn, v.domain_id LIMIT ?`,
      [status, checkedBefore.getTime(), limit],
    );
    return rows.map((row) => ({
      domainId: Number(row.domain_id),
      name: row.name as DomainName,
      partnerId: Number(row.partner_id),
      startedAt: row.started_at === null ? null : new Date(Number(row.started_at)),
    }));
  }

  private async one(domainId: number, lock: string): Promise<Verification | null> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('v')} FROM verification v WHERE v.domain_id = ?${lock}`,
      [domainId],
    );
    return rows[0] === undefined ? null : this.table.hydrate(rows[0], 'v');
  }
}
