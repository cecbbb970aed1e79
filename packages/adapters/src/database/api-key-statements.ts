import { ApiKey } from '@mailstead/core/api-keys/api-key';
import type { KeyWithUse } from '@mailstead/core/api-keys/api-key-repository';
import { Batcher } from '@mailstead/core/batcher';
import type { Meters } from '@mailstead/core/meters';
import type { Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { type Database, placeholders, type Row } from './driver/database.js';
import { Filter } from './driver/filter.js';
import { Table } from './driver/table.js';

/**
 * The look-up of a token and the list of keys. Every request looks up its token; concurrent look-ups share one
 * statement. Plain SQL, because an entity read by TypeORM takes four times as long (`DomainStatements` has the
 * numbers).
 */
export class ApiKeyStatements {
  private readonly table: Table<ApiKey>;
  private readonly lookUps: Batcher<string, ApiKey | null>;

  constructor(
    private readonly database: Database,
    meters: Meters,
  ) {
    this.table = new Table(database, ApiKey);
    this.lookUps = new Batcher(
      (hashes) => {
        meters.batch('api_keys', hashes.length);
        return this.findAll(hashes);
      },
      { maxItems: 500, maxInFlight: 2 },
    );
  }

  findByHash(tokenHash: string): Promise<ApiKey | null> {
    return this.lookUps.call(tokenHash);
  }

  async pageWithUse(
    { partnerRef }: { partnerRef?: PartnerRef | undefined },
    { after, limit }: Page,
  ): Promise<KeyWithUse[]> {
    const filter = new Filter('k.id > ?', after).and('p.ref = ?', partnerRef);
    const rows = await this.database.read(
      `SELECT ${this.table.columns('k')}, p.ref, p.domain_count FROM api_key k JOIN partner p ON p.id = k.partner_id
        WHERE ${filter.sql} ORDER BY k.id LIMIT ?`,
      [...filter.parameters, limit],
    );
    return rows.map((row) => {
      const key = this.hydrate(row);
      return { id: key.id, key, domainsUsed: Number(row.domain_count) };
    });
  }

  private async findAll(hashes: string[]): Promise<(ApiKey | null)[]> {
    const distinct = [...new Set(hashes)];
    const rows = await this.database.read(
      `SELECT ${this.table.columns('k')}, p.ref FROM api_key k JOIN partner p ON p.id = k.partner_id
        WHERE k.token_hash IN (${placeholders(distinct)})`,
      distinct,
    );
    const byHash = new Map(rows.map((row) => [row.k__token_hash, this.hydrate(row)]));
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }

  private hydrate(row: Row): ApiKey {
    return this.table.hydrate(row, 'k', { partnerRef: row.ref as PartnerRef });
  }
}
