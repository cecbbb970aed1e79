import { needs } from '@mailstead/core/needs';
import { Partner, type PartnerRef } from '@mailstead/core/partners/partner';
import {
  type InstallationTotals,
  PartnerRepository,
  type PartnerSummary,
} from '@mailstead/core/partners/partner-repository';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { refTransformer } from './partner-ref-column.js';
import { PartnerStatements } from './partner-statements.js';
import { suspensionsTransformer } from './partner-suspensions-column.js';
import { writeWords } from './partner-words.js';
import { stopMessagesTransformer } from './stop-messages-column.js';

export function partnerSchema(dialect: Dialect): EntitySchema<Partner> {
  const columns = new Columns(dialect);
  return new EntitySchema<Partner>({
    name: 'Partner',
    target: Partner,
    tableName: 'partner',
    columns: {
      id: columns.id(),
      ref: columns.exact(128, { update: false, transformer: refTransformer }),
      externalRef: columns.text(128, { name: 'external_ref', nullable: true }),
      name: columns.text(128, { nullable: true }),
      domainCount: columns.integer({ name: 'domain_count' }),
      lastCreatedAt: columns.time({ name: 'last_created_at' }),
      suspensions: columns.exact(64, { nullable: true, transformer: suspensionsTransformer }),
      stage: columns.exact(8, { nullable: true }),
      stopMessages: columns.json({ name: 'stop_messages', nullable: true, transformer: stopMessagesTransformer }),
      suppressionMode: columns.exact(8, { name: 'suppression_mode', default: 'list' }),
      suppressionCount: columns.integer({ name: 'suppression_count', default: 0 }),
      revision: columns.integer({ default: 1 }),
      brandRevision: columns.integer({ name: 'brand_revision', default: 1 }),
    } satisfies ColumnsOf<Partner>,
    uniques: [{ name: 'uq_partner_ref', columns: ['ref'] }],
    // For the suspended ones, which are few.
    indices: [{ name: 'ix_partner_stage', columns: ['stage'] }],
  });
}

@needs(Database)
export class TypeormPartnerRepository extends PartnerRepository {
  private readonly statements: PartnerStatements;

  constructor(private readonly database: Database) {
    super();
    this.statements = new PartnerStatements(database);
  }

  override find(ref: PartnerRef | null): Promise<Partner | null> {
    return this.statements.find(ref ?? '');
  }

  override async lockOrCreate(ref: PartnerRef | null): Promise<Partner> {
    return (await this.lockByRef(ref)) ?? (await this.create(ref));
  }

  override async lock(id: number): Promise<Partner> {
    const partner = await this.statements.lock('id', id);
    if (partner === null) throw new Error(`There is no partner ${id}`);
    return partner;
  }

  override save(partner: Partner): Promise<void> {
    return this.statements.save(partner);
  }

  override saveWords(partner: Partner): Promise<void> {
    return writeWords(this.database, partner);
  }

  override summary(ref: PartnerRef): Promise<PartnerSummary | null> {
    return this.statements.summary(ref);
  }

  override totals(): Promise<InstallationTotals> {
    return this.statements.totals();
  }

  /** If another unit of work inserts the same partner, the insert waits for it and then does nothing. */
  private async create(ref: PartnerRef | null): Promise<Partner> {
    await this.database.manager
      .createQueryBuilder()
      .insert()
      .into(Partner)
      .values({
        ref,
        externalRef: null,
        name: null,
        domainCount: 0,
        lastCreatedAt: new Date(0),
        suspensions: [],
        stage: null,
        stopMessages: {},
        suppressionMode: 'list',
        suppressionCount: 0,
        revision: 1,
        brandRevision: 1,
      })
      .orIgnore()
      .execute();
    const made = await this.lockByRef(ref);
    if (made === null) throw new Error('A partner that was just inserted is missing');
    await writeWords(this.database, made);
    return made;
  }

  private lockByRef(ref: PartnerRef | null): Promise<Partner | null> {
    return this.statements.lock('ref', ref ?? '');
  }
}
