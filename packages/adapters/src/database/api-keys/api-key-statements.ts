import type { KeyFilter, KeyHandle, KeyRecord } from '@mailstead/core/api-keys/api-key-repository';
import type { KeyChain } from '@mailstead/core/api-keys/key-chain';
import { Batcher } from '@mailstead/core/batcher';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Meters } from '@mailstead/core/meters';
import type { Page } from '@mailstead/core/page';
import type { CountedSearch } from '@mailstead/core/search';
import { type Database, placeholders, type Row } from '../driver/database.js';
import { Filter } from '../driver/filter.js';
import { searchOf } from '../finding/id-search.js';
import { KeyChains } from './key-chains.js';
import { keyPlan } from './key-plan.js';

/**
 * The look-up of a token and the list of keys. Every request looks up its token with the makers of the key; concurrent
 * look-ups share one statement. Plain SQL, because an entity read by TypeORM takes four times as long
 * (`DomainStatements` has the numbers).
 */
export class ApiKeyStatements {
  private readonly chains: KeyChains;
  private readonly lookUps: Batcher<string, KeyChain | null>;

  constructor(
    private readonly database: Database,
    meters: Meters,
  ) {
    this.chains = new KeyChains(database);
    this.lookUps = new Batcher(
      (hashes) => {
        meters.batch('api_keys', hashes.length);
        return this.findAll(hashes);
      },
      { maxItems: 500, maxInFlight: 2 },
    );
  }

  findByHash(tokenHash: string): Promise<KeyChain | null> {
    return this.lookUps.call(tokenHash);
  }

  async record(handle: KeyHandle): Promise<KeyRecord | null> {
    const filter =
      'id' in handle ? new Filter('k0.id = ?', handle.id) : new Filter('k0.token_hash = ?', handle.tokenHash);
    const [record] = await this.select(filter, { after: 0, limit: 1 });
    return record ?? null;
  }

  recordsBelow(keyId: number, at: Page): Promise<KeyRecord[]> {
    const filter = Filter.ofPage('k0.id', at)
      .and('k0.partner_id = (SELECT partner_id FROM api_key WHERE id = ?)', keyId)
      .and('? IN (k1.id, k2.id)', keyId);
    return this.select(filter, at, 'ix_api_key_partner');
  }

  search(filter: KeyFilter): CountedSearch<KeyRecord> {
    return searchOf(
      () => keyPlan(this.database, filter),
      this.database,
      (ids, { order }) =>
        this.select(new Filter('1 = 1').among('k0.id', ids), { after: 0, limit: ids.length, order }, 'PRIMARY'),
    );
  }

  async domainIds(partnerId: number, names: readonly DomainName[]): Promise<Map<DomainName, number>> {
    const filter = new Filter('partner_id = ?', partnerId).among('name', names);
    const rows = await this.database.read(`SELECT id, name FROM domain WHERE ${filter.sql}`, filter.parameters);
    return new Map(rows.map(({ id, name }) => [name as DomainName, Number(id)]));
  }

  async addDomains(keyId: number, domainIds: readonly number[]): Promise<void> {
    if (domainIds.length === 0) return;
    await this.database.write(
      `INSERT INTO api_key_domain (key_id, domain_id) VALUES ${domainIds.map(() => '(?, ?)').join(', ')}`,
      domainIds.flatMap((id) => [keyId, id]),
    );
  }

  /** @param index the one that has the keys in the order of their ids. */
  private async select(filter: Filter, at: Page, index: string | null = null): Promise<KeyRecord[]> {
    const hint = index === null ? '' : this.database.dialect.byIndex(index);
    const rows = await this.database.read(
      `SELECT ${this.chains.columns}, p.domain_count FROM api_key k0${hint} ${this.chains.joins}
        WHERE ${filter.sql} ORDER BY ${Filter.orderOf('k0.id', at)} LIMIT ?`,
      [...filter.parameters, at.limit],
    );
    const chains = rows.map((row) => this.chains.hydrate(row));
    const names = await this.domainNames(chains.filter(({ key }) => key.isLimited).map(({ key }) => key.id));
    return chains.map((chain, index) => ({
      id: chain.key.id,
      chain,
      domains: chain.key.isLimited ? (names.get(chain.key.id) ?? []) : null,
      domainsUsed: Number(rows[index]?.domain_count),
    }));
  }

  /** @returns the names of the domains that each of the keys is limited to, in their order */
  async domainNames(keyIds: number[]): Promise<Map<number, DomainName[]>> {
    if (keyIds.length === 0) return new Map();
    const rows = await this.database.read(
      `SELECT kd.key_id, d.name FROM api_key_domain kd JOIN domain d ON d.id = kd.domain_id
        WHERE kd.key_id IN (${placeholders(keyIds)}) ORDER BY d.name`,
      keyIds,
    );
    return rows.reduce<Map<number, DomainName[]>>((names, { key_id: keyId, name }: Row) => {
      const id = Number(keyId);
      return names.set(id, [...(names.get(id) ?? []), name as DomainName]);
    }, new Map());
  }

  /**
   * Reads most keys without the joins of their makers and limits, which take MariaDB three times as long (decision
   * 0036). The others are read again, whole.
   */
  private async findAll(hashes: string[]): Promise<(KeyChain | null)[]> {
    const distinct = [...new Set(hashes)];
    const rows = await this.database.read(
      `SELECT ${this.chains.ownColumns} FROM api_key k0 JOIN partner p ON p.id = k0.partner_id
        WHERE k0.token_hash IN (${placeholders(distinct)})`,
      distinct,
    );
    const byHash = new Map<unknown, KeyChain>();
    const others: string[] = [];
    for (const row of rows) {
      const chain = this.chains.hydrateOwn(row);
      if (chain === null) others.push(String(row.k0__token_hash));
      else byHash.set(row.k0__token_hash, chain);
    }
    for (const row of await this.wholeChains(others)) byHash.set(row.k0__token_hash, this.chains.hydrate(row));
    return hashes.map((hash) => byHash.get(hash) ?? null);
  }

  private async wholeChains(hashes: readonly string[]): Promise<Row[]> {
    if (hashes.length === 0) return [];
    return this.database.read(
      `SELECT ${this.chains.columns} FROM api_key k0 ${this.chains.joins}
        WHERE k0.token_hash IN (${placeholders(hashes)})`,
      [...hashes],
    );
  }
}
