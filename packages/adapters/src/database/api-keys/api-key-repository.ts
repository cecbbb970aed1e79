import { ApiKey } from '@mailstead/core/api-keys/api-key';
import {
  ApiKeyRepository,
  type KeyFilter,
  type KeyHandle,
  type KeyRecord,
} from '@mailstead/core/api-keys/api-key-repository';
import type { KeyChain } from '@mailstead/core/api-keys/key-chain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import type { Page } from '@mailstead/core/page';
import type { CountedSearch } from '@mailstead/core/search';
import { EntitySchema, In, IsNull, Not } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Database } from '../driver/database.js';
import { isDuplicateError } from '../driver/database-error.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { partnerRef, partnerStage } from '../partners/partner-ref-column.js';
import { ApiKeyStatements } from './api-key-statements.js';
import { domainIds } from './domain-ids-column.js';
import { LastUsedStamps } from './last-used-stamps.js';

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
      partnerStage,
      tokenHash: columns.exact(64, { name: 'token_hash', update: false }),
      tokenMask: columns.text(16, { name: 'token_mask', update: false }),
      domainsAllowed: columns.integer({ name: 'domains_allowed' }),
      mailboxesPerDomain: columns.integer({ name: 'mailboxes_per_domain' }),
      aliasesPerMailbox: columns.integer({ name: 'aliases_per_mailbox' }),
      active: columns.flag(),
      expiresAt: columns.time({ name: 'expires_at', nullable: true }),
      createdAt: columns.time({ name: 'created_at', update: false }),
      lastUsedAt: columns.time({ name: 'last_used_at', nullable: true, update: false }),
      name: columns.text(128, { nullable: true }),
      scope: columns.exact(8, { default: 'manage' }),
      isLimited: columns.flag({ name: 'is_limited', default: 0 }),
      domainIds,
      makerId: columns.ref({ name: 'maker_id', nullable: true, update: false }),
      successorId: columns.ref({ name: 'successor_id', nullable: true }),
      revision: columns.integer({ default: 1 }),
    } satisfies ColumnsOf<ApiKey>,
    uniques: [{ name: 'uq_api_key_token_hash', columns: ['tokenHash'] }],
    indices: [
      { name: 'ix_api_key_partner', columns: ['partnerId', 'id'] },
      { name: 'ix_api_key_maker', columns: ['makerId'] },
      { name: 'ix_api_key_name', columns: ['name'] },
    ],
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

/**
 * The domains that limited keys are limited to. They are rows of domains, not names: with the domain goes its row, so a
 * domain of the same name that is made later is in no list.
 */
export function apiKeyDomainSchema(dialect: Dialect): EntitySchema<object> {
  const columns = new Columns(dialect);
  const cascade = {
    referencedColumnNames: ['id'],
    onDelete: 'CASCADE' as const,
    onUpdate: 'NO ACTION' as const,
  };
  return rowTable('ApiKeyDomainRow', 'api_key_domain', {
    columns: {
      keyId: columns.ref({ name: 'key_id', primary: true }),
      domainId: columns.ref({ name: 'domain_id', primary: true }),
    },
    indices: [{ name: 'ix_api_key_domain_domain', columns: ['domainId'] }],
    foreignKeys: [
      { target: 'ApiKey', columnNames: ['keyId'], name: 'fk_api_key_domain_key', ...cascade },
      { target: 'Domain', columnNames: ['domainId'], name: 'fk_api_key_domain_domain', ...cascade },
    ],
  });
}

@needs(Database, LastUsedStamps, Meters)
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

  override findByHash(tokenHash: string): Promise<KeyChain | null> {
    return this.statements.findByHash(tokenHash);
  }

  override find(handle: KeyHandle): Promise<ApiKey | null> {
    return this.database.manager.findOneBy(ApiKey, handle);
  }

  override lock(handle: KeyHandle): Promise<ApiKey | null> {
    return this.database.manager.findOne(ApiKey, { where: handle, lock: { mode: 'pessimistic_write' } });
  }

  override record(handle: KeyHandle): Promise<KeyRecord | null> {
    return this.statements.record(handle);
  }

  override recordsBelow(keyId: number, page: Page): Promise<KeyRecord[]> {
    return this.statements.recordsBelow(keyId, page);
  }

  override search(filter: KeyFilter): CountedSearch<KeyRecord> {
    return this.statements.search(filter);
  }

  override async add(key: ApiKey): Promise<ApiKey> {
    try {
      await this.database.manager.insert(ApiKey, key);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('api_key_exists', { cause: error }) : error;
    }
    if (key.domainIds !== null) await this.statements.addDomains(key.id, key.domainIds);
    return key;
  }

  override async save(key: ApiKey): Promise<void> {
    await this.database.manager.update(ApiKey, { id: key.id }, key);
  }

  override async saveDomains({ id, isLimited, domainIds: ids }: ApiKey): Promise<void> {
    await this.database.manager.update(ApiKey, { id }, { isLimited });
    await this.database.write('DELETE FROM api_key_domain WHERE key_id = ?', [id]);
    await this.statements.addDomains(id, ids ?? []);
  }

  override domainIds(partnerId: number, names: readonly DomainName[]): Promise<Map<DomainName, number>> {
    return this.statements.domainIds(partnerId, names);
  }

  override async domainNames({ id, isLimited }: ApiKey): Promise<DomainName[] | null> {
    return isLimited ? ((await this.statements.domainNames([id])).get(id) ?? []) : null;
  }

  override createdByKeys(partnerId: number): Promise<ApiKey[]> {
    return this.database.manager.findBy(ApiKey, { partnerId, makerId: Not(IsNull()) });
  }

  override async handOver(keyId: number, successorId: number): Promise<void> {
    // Plain SQL, because nothing else changes the maker of these rows.
    await this.database.write('UPDATE api_key SET maker_id = ? WHERE maker_id = ?', [successorId, keyId]);
    await this.database.write('UPDATE portal_link SET key_id = ? WHERE key_id = ?', [successorId, keyId]);
    await this.database.write('UPDATE webhook_endpoint SET key_id = ? WHERE key_id = ?', [successorId, keyId]);
  }

  override async below({ id }: ApiKey): Promise<ApiKey[]> {
    const created = await this.createdBy([id]);
    return [...created, ...(await this.createdBy(created.map((key) => key.id)))];
  }

  override async remove(key: ApiKey): Promise<void> {
    await this.database.manager.delete(ApiKey, { id: key.id });
  }

  override touch(key: ApiKey, at: Date): void {
    this.stamps.note('api_key', key.id, at);
  }

  private async createdBy(ids: number[]): Promise<ApiKey[]> {
    return ids.length === 0
      ? []
      : this.database.manager.find(ApiKey, { where: { makerId: In(ids) }, order: { id: 'ASC' } });
  }
}
