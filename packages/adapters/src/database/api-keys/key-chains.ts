import { ApiKey } from '@mailstead/core/api-keys/api-key';
import { KeyChain, MAX_CHAIN } from '@mailstead/core/api-keys/key-chain';
import type { PartnerRef, PartnerStage } from '@mailstead/core/partners/partner';
import type { Database, Row } from '../driver/database.js';
import { Table } from '../driver/table.js';
import { domainIdsOf, readDomainIds } from './domain-ids-column.js';

/** The aliases of a key and of its makers. */
const ALIASES = Array.from({ length: MAX_CHAIN }, (_, index) => `k${index}`);

/**
 * The parts of a SELECT that reads keys with their makers in one statement: `SELECT ${columns} FROM … ${joins}`. The
 * table `api_key k0` must be among the tables before `joins`; `p` is its partner.
 */
export class KeyChains {
  readonly joins: string;
  /** The joins without the partner, for a statement that has it already. */
  readonly makerJoins: string;
  private readonly table: Table<ApiKey>;
  private list: string | undefined;
  private ownList: string | undefined;

  constructor(database: Database) {
    this.table = new Table(database, ApiKey);
    const makers = ALIASES.slice(1).map(
      (alias, index) => `LEFT JOIN api_key ${alias} ON ${alias}.id = ${ALIASES[index]}.maker_id`,
    );
    this.makerJoins = makers.join(' ');
    this.joins = `JOIN partner p ON p.id = k0.partner_id ${this.makerJoins}`;
  }

  get columns(): string {
    this.list ??= [
      ...ALIASES.flatMap((alias) => [this.table.columns(alias), `${domainIdsOf(alias)} AS ${alias}__domain_ids`]),
      'p.ref',
      'p.stage',
    ].join(', ');
    return this.list;
  }

  /** The columns of keys alone, for a statement without `makerJoins`. */
  get ownColumns(): string {
    this.ownList ??= [this.table.columns('k0'), 'p.ref', 'p.stage'].join(', ');
    return this.ownList;
  }

  /** Reads a row of `ownColumns`. @returns null for a key with a maker or a limit, which needs all columns */
  hydrateOwn(row: Row): KeyChain | null {
    const key = this.table.hydrate(row, 'k0', { ...partnerOf(row), domainIds: null });
    return key.makerId === null && !key.isLimited ? new KeyChain([key]) : null;
  }

  /** @returns null when a LEFT JOIN found no key */
  hydrateOptional(row: Row): KeyChain | null {
    return row.k0__id === null ? null : this.hydrate(row);
  }

  hydrate(row: Row): KeyChain {
    const [key, ...makers] = ALIASES.filter((alias, index) => index === 0 || row[`${alias}__id`] !== null).map(
      (alias) =>
        this.table.hydrate(row, alias, {
          ...partnerOf(row),
          domainIds: readDomainIds(row[`${alias}__domain_ids`]),
        }),
    );
    if (key === undefined) throw new Error('A row of a key has its columns');
    return new KeyChain([key, ...makers]);
  }
}

function partnerOf({ ref, stage }: Row): Pick<ApiKey, 'partnerRef' | 'partnerStage'> {
  return { partnerRef: ref as PartnerRef, partnerStage: stage as PartnerStage | null };
}
