import { needs } from '@mailstead/core/needs';
import type { DnsRecord } from '@mailstead/core/relay/dns-records';
import { Verification } from '@mailstead/core/relay/verification';
import {
  type AlignmentCounts,
  type DueVerification,
  VerificationRepository,
  type WantedAlignment,
} from '@mailstead/core/relay/verification-repository';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { Table } from '../driver/table.js';
import { addReason, removeReasons } from '../finding/attention-rows.js';
import { PARTNER_OF_DOMAIN, partnerCopy } from '../partners/partner-copy.js';
import { countAligned, nextToAlign, noteAlignment, planAlignment } from './alignment-statements.js';
import { formerColumns } from './former-columns.js';
import { claimCheck, confirm, dueForPoll, markChecked, startMissing } from './verification-statements.js';

/** The columns of `verification` and of `deleted_verification`, which keeps complete rows. */
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
    // Only `claimCheck` writes it.
    lastAskedAt: columns.time({ name: 'last_asked_at', nullable: true, update: false }),
    lastError: columns.text(500, { name: 'last_error', nullable: true }),
    nextCheckAt: columns.time({ name: 'next_check_at', nullable: true }),
    checkAttempt: columns.integer({ name: 'check_attempt' }),
    ownershipToken: columns.exact(64, { name: 'ownership_token', update: false }),
    ownershipRequired: { ...columns.flag(), name: 'ownership_required', update: false },
    ownershipSeenAt: columns.time({ name: 'ownership_seen_at', nullable: true }),
    configurationSet: columns.exact(64, { name: 'configuration_set', nullable: true }),
    alignAt: columns.time({ name: 'align_at', nullable: true }),
    tenantOf: columns.ref({ name: 'tenant_partner_id', nullable: true, transformer: number }),
    atRiskSince: columns.time({ name: 'at_risk_since', nullable: true }),
    atRiskAnnouncedAt: columns.time({ name: 'at_risk_announced_at', nullable: true }),
    ...partnerCopy(dialect),
  } satisfies ColumnsOf<Verification, 'hasBeenChecked' | 'isDkimConfirmed'>;
}

/** MariaDB's driver may read it as text. */
const number = {
  from: (value: unknown) => (value === null ? null : Number(value)),
  to: (value: unknown) => value,
};

/** Stored as null when empty. `confirm` skips such rows until a check. */
const records = {
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as DnsRecord[]) : []),
  to: (value: unknown) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : null),
};

export function verificationSchema(dialect: Dialect): EntitySchema<Verification> {
  return new EntitySchema<Verification>({
    name: 'Verification',
    target: Verification,
    tableName: 'verification',
    columns: verificationColumns(dialect),
    indices: [
      { name: 'ix_verification_poll', columns: ['status', 'lastCheckedAt'] },
      { name: 'ix_verification_status', columns: ['status', 'partnerCopy'] },
      { name: 'ix_verification_align', columns: ['partnerCopy', 'alignAt', 'status', 'configurationSet'] },
    ],
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

@needs(Database)
export class TypeormVerificationRepository extends VerificationRepository {
  private readonly table: Table<Verification>;

  constructor(private readonly database: Database) {
    super();
    this.table = new Table(database, Verification, PARTNER_OF_DOMAIN);
  }

  override find(domainId: number): Promise<Verification | null> {
    return this.database.manager.findOneBy(Verification, { domainId });
  }

  override async lock(domainId: number): Promise<Verification | null> {
    const [row] = await this.database.read(
      `SELECT ${this.table.columns('v')} FROM verification v WHERE v.domain_id = ?${this.database.dialect.forUpdate}`,
      [domainId],
    );
    return row === undefined ? null : this.table.hydrateLocked(row, 'v');
  }

  override async add(verification: Verification): Promise<void> {
    // Part of every creation of a domain, so that it is inserted without TypeORM's query builder (decision 0003).
    await this.table.insert(verification);
  }

  override async save(verification: Verification): Promise<void> {
    const { domainId, status, atRiskSince } = verification;
    await this.table.save(verification);
    const ended = [...(status === 'verified' ? ['unverified'] : []), ...(atRiskSince === null ? ['dns_at_risk'] : [])];
    if (ended.length > 0) await removeReasons(this.database, domainId, ended);
    if (atRiskSince !== null) await addReason(this.database, domainId, 'dns_at_risk');
  }

  override claimCheck(domainId: number, checkedBefore: Date, now: Date): Promise<boolean> {
    return claimCheck(this.database, domainId, checkedBefore, now);
  }

  override confirm(status: 'pending' | 'verified', names: string[], at: Date): Promise<number> {
    return confirm(this.database, status, names, at);
  }

  override startMissing(now: Date): Promise<number> {
    return startMissing(this.database, now);
  }

  override markChecked(domainIds: number[], at: Date): Promise<void> {
    return markChecked(this.database, domainIds, at);
  }

  override dueForPoll(status: 'pending' | 'verified', checkedBefore: Date, limit: number): Promise<DueVerification[]> {
    return dueForPoll(this.database, status, checkedBefore, limit);
  }

  override planAlignment(wanted: WantedAlignment, now: Date): Promise<void> {
    return planAlignment(this.database, wanted, now);
  }

  override nextToAlign(afterPartnerId: number, now: Date): Promise<DueVerification | null> {
    return nextToAlign(this.database, afterPartnerId, now);
  }

  override noteAlignment(
    aligned: Pick<DueVerification, 'domainId' | 'partnerId'>,
    alignAt: Date,
    configurationSet?: string | null,
  ): Promise<void> {
    return noteAlignment(this.database, aligned, alignAt, configurationSet);
  }

  override countAligned(wantedSet: string): Promise<AlignmentCounts> {
    return countAligned(this.database, wantedSet);
  }
}
