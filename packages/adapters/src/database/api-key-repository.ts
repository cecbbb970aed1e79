import { ApiKey } from '@mailstead/core/api-keys/api-key';
import { ApiKeyRepository, type KeyHandle, type KeyWithUse } from '@mailstead/core/api-keys/api-key-repository';
import { Batcher } from '@mailstead/core/batcher';
import { AppError } from '@mailstead/core/errors';
import type { Meters } from '@mailstead/core/meters';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { EntitySchema } from 'typeorm';
import { type Database, type Parameter, placeholders } from './driver/database.js';
import { isDuplicateError } from './driver/database-error.js';
import { Columns, type Dialect } from './driver/dialect.js';
import { Filter } from './driver/filter.js';
import { Table } from './driver/table.js';
import type { LastUsedStamps } from './last-used-stamps.js';

export function apiKeySchema(dialect: Dialect): EntitySchema<ApiKey> {
  const columns = new Columns(dialect);
  return new EntitySchema<ApiKey>({
    name: 'ApiKey',
    target: ApiKey,
    tableName: 'api_key',
    columns: {
      id: columns.id(),
      partnerId: columns.ref({ name: 'partner_id' }),
      tokenHash: columns.exact(64, { name: 'token_hash' }),
      tokenMask: columns.text(16, { name: 'token_mask' }),
      domainsAllowed: columns.integer({ name: 'domains_allowed' }),
      mailboxesPerDomain: columns.integer({ name: 'mailboxes_per_domain' }),
      aliasesPerMailbox: columns.integer({ name: 'aliases_per_mailbox' }),
      active: columns.flag(),
      expiresAt: columns.time({ name: 'expires_at', nullable: true }),
      createdAt: columns.time({ name: 'created_at' }),
      lastUsedAt: columns.time({ name: 'last_used_at', nullable: true }),
    },
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
  private readonly table: Table<ApiKey>;
  private readonly lookUps: Batcher<string, ApiKey | null>;

  constructor(
    private readonly database: Database,
    private readonly stamps: LastUsedStamps,
    private readonly meters: Meters,
  ) {
    super();
    this.table = new Table(database, ApiKey);
    this.lookUps = new Batcher(
      (hashes) => {
        this.meters.batch('api_keys', hashes.length);
        return this.findAll(hashes);
      },
      { maxItems: 500, maxInFlight: 2 },
    );
  }

  override findByHash(tokenHash: string): Promise<ApiKey | null> {
    return this.lookUps.call(tokenHash);
  }

  override async find(handle: KeyHandle): Promise<ApiKey | null> {
    return (await this.select(...condition(handle)))[0] ?? null;
  }

  override async lock(handle: KeyHandle): Promise<ApiKey | null> {
    const [where, parameters] = condition(handle);
    return (await this.select(where + this.database.forUpdate, parameters))[0] ?? null;
  }

  override async pageWithUse(
    filter: { partnerRef?: PartnerRef | undefined },
    { after, limit }: Page,
  ): Promise<KeyWithUse[]> {
    const conditions = new Filter('k.id > ?', after).and('p.ref = ?', filter.partnerRef);
    const rows = await this.database.read(
      `SELECT ${this.table.columns('k')}, p.ref, p.domain_count FROM api_key k JOIN partner p ON p.id = k.partner_id
        WHERE ${conditions.sql} ORDER BY k.id LIMIT ?`,
      [...conditions.parameters, limit],
    );
    return rows.map((row) => {
      const key = this.table.hydrate(row, 'k', { partnerRef: row.ref as PartnerRef });
      return { id: key.id, key, domainsUsed: Number(row.domain_count) };
    });
  }

  override async add(key: ApiKey): Promise<ApiKey> {
    try {
      return await this.table.insert(key);
    } catch (error) {
      throw isDuplicateError(error) ? new AppError('api_key_exists', { cause: error }) : error;
    }
  }

  override async save(key: ApiKey): Promise<void> {
    await this.table.update(key, ['domainsAllowed', 'mailboxesPerDomain', 'aliasesPerMailbox', 'active', 'expiresAt']);
  }

  override async remove(key: ApiKey): Promise<void> {
    await this.database.write('DELETE FROM api_key WHERE id = ?', [key.id]);
  }

  override touch(key: ApiKey, at: Date): void {
    this.stamps.note(key.id, at);
  }

  private async findAll(hashes: string[]): Promise<(ApiKey | null)[]> {
    const distinct = [...new Set(hashes)];
    const keys = await this.select(`k.token_hash IN (${placeholders(distinct)})`, distinct);
    const byHash = new Map(keys.map((key) => [key.tokenHash, key]));
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }

  private async select(where: string, parameters: Parameter[]): Promise<ApiKey[]> {
    const rows = await this.database.read(
      `SELECT ${this.table.columns('k')}, p.ref FROM api_key k JOIN partner p ON p.id = k.partner_id WHERE ${where}`,
      parameters,
    );
    return rows.map((row) => this.table.hydrate(row, 'k', { partnerRef: row.ref as PartnerRef }));
  }
}

function condition(handle: KeyHandle): [string, Parameter[]] {
  return 'id' in handle ? ['k.id = ?', [handle.id]] : ['k.token_hash = ?', [handle.tokenHash]];
}
