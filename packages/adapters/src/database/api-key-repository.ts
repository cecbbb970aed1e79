import { ApiKey } from '@mailstead/core/api-keys/api-key';
import { ApiKeyRepository, type KeyHandle, type KeyWithUse } from '@mailstead/core/api-keys/api-key-repository';
import { AppError } from '@mailstead/core/errors';
import type { Meters } from '@mailstead/core/meters';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { EntitySchema } from 'typeorm';
import { ApiKeyStatements } from './api-key-statements.js';
import type { ColumnsOf } from './driver/columns-of.js';
import type { Database } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Columns, type Dialect } from './driver/dialect.js';
import type { LastUsedStamps } from './last-used-stamps.js';
import { partnerRef } from './partner-ref-column.js';

export function apiKeySchema(dialect: Dialect): EntitySchema<ApiKey> {
  const columns = new Columns(dialect);
  return new EntitySchema<ApiKey>({
    name: 'ApiKey',
    target: ApiKey,
    tableName: 'api_key',
    columns: {
      id: columns.id(),
      partnerId: columns.ref({ name: 'partner_id', update: false }),
      partnerRef,
      tokenHash: columns.exact(64, { name: 'token_hash', update: false }),
      tokenMask: columns.text(16, { name: 'token_mask', update: false }),
      domainsAllowed: columns.integer({ name: 'domains_allowed' }),
      mailboxesPerDomain: columns.integer({ name: 'mailboxes_per_domain' }),
      aliasesPerMailbox: columns.integer({ name: 'aliases_per_mailbox' }),
      active: columns.flag(),
      expiresAt: columns.time({ name: 'expires_at', nullable: true }),
      createdAt: columns.time({ name: 'created_at', update: false }),
      lastUsedAt: columns.time({ name: 'last_used_at', nullable: true, update: false }),
    } satisfies ColumnsOf<ApiKey>,
    uniques: [{ name: 'uq_api_key_token_hash', columns: ['tokenHash'] }],
    indices: [{ name: 'ix_api_key_partner', columns: ['partnerId', 'id'] }],
    foreignKeys: [
      {
        target: 'Partner',
        columnNames: ['partnerId'],
        referencedColumnNames: ['id'],
        name: 'fk_api_key_partner',
        onDelete: 'NO ACTION',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}

export class TypeormApiKeyRepository extends ApiKeyRepository {
  private readonly statements: ApiKeyStatements;

  constructor(
    private readonly database: Database,
    private readonly stamps: LastUsedStamps,
    meters: Meters,
  ) {
    super();
    this.statements = new ApiKeyStatements(database, meters);
  }

  override findByHash(tokenHash: string): Promise<ApiKey | null> {
    return this.statements.findByHash(tokenHash);
  }

  override find(handle: KeyHandle): Promise<ApiKey | null> {
    return this.database.manager.findOneBy(ApiKey, handle);
  }

  override lock(handle: KeyHandle): Promise<ApiKey | null> {
    return this.database.manager.findOne(ApiKey, { where: handle, lock: { mode: 'pessimistic_write' } });
  }

  override pageWithUse(filter: { partnerRef?: PartnerRef | undefined }, page: Page): Promise<KeyWithUse[]> {
    return this.statements.pageWithUse(filter, page);
  }

  override async add(key: ApiKey): Promise<ApiKey> {
    try {
      await this.database.manager.insert(ApiKey, key);
      return key;
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('api_key_exists', { cause: error }) : error;
    }
  }

  override async save(key: ApiKey): Promise<void> {
    await this.database.manager.update(ApiKey, { id: key.id }, key);
  }

  override async remove(key: ApiKey): Promise<void> {
    await this.database.manager.delete(ApiKey, { id: key.id });
  }

  override touch(key: ApiKey, at: Date): void {
    this.stamps.note(key.id, at);
  }
}
