import type { DomainName } from '../domains/domain-name.js';
import type { Page, ReadPage } from '../page.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { CountedSearch, Search } from '../search.js';
import type { ApiKey } from './api-key.js';
import type { KeyChain } from './key-chain.js';

/** The two ways in which a path names a key: its numeric id, or its token (here the hash of the token). */
export type KeyHandle = { id: number } | { tokenHash: string };

/** A key as its record shows it. */
export interface KeyRecord {
  id: number;
  chain: KeyChain;
  /** The names of the domains that the key is limited to, in their order; null: all. */
  domains: DomainName[] | null;
  /** The number of domains that the partner has. */
  domainsUsed: number;
}

export interface KeyFilter {
  partnerRef?: PartnerRef | undefined;
  begins?: KeyBeginnings | undefined;
}

/** A key meets it when its name or the reference of its partner begins so. Null: none does. */
export interface KeyBeginnings {
  name: string | null;
  partnerRef: PartnerRef | null;
}

export abstract class ApiKeyRepository {
  /**
   * Finds a key with its makers by the hash of its token. The rows are read after the call begins and are not cached;
   * concurrent calls share a statement.
   */
  abstract findByHash(tokenHash: string): Promise<KeyChain | null>;
  abstract find(handle: KeyHandle): Promise<ApiKey | null>;
  /** Locks the row until the end of the unit of work. */
  abstract lock(handle: KeyHandle): Promise<ApiKey | null>;
  abstract record(handle: KeyHandle): Promise<KeyRecord | null>;
  /** The keys that a key created, and those that these created. */
  abstract recordsBelow(keyId: number, page: Page): Promise<KeyRecord[]>;
  /** The list of all keys, with any filters. */
  abstract search(filter: KeyFilter): CountedSearch<KeyRecord>;
  /** @throws AppError `api_key_exists` when another key has the same token. */
  abstract add(key: ApiKey): Promise<ApiKey>;
  /** Does not write the domains. */
  abstract save(key: ApiKey): Promise<void>;
  /** Writes `domainIds`. Call it while the partner is locked, so that no domain is deleted or moved meanwhile. */
  abstract saveDomains(key: ApiKey): Promise<void>;
  /** The ids of those of the names that are domains of the partner. */
  abstract domainIds(partnerId: number, names: readonly DomainName[]): Promise<Map<DomainName, number>>;
  /** The names of the domains that the key is limited to, in their order; null: all. */
  abstract domainNames(key: ApiKey): Promise<DomainName[] | null>;
  /** The keys of the partner that keys created. */
  abstract createdByKeys(partnerId: number): Promise<ApiKey[]>;
  /** Makes the successor the maker of what the key has created. */
  abstract handOver(keyId: number, successorId: number): Promise<void>;
  /** The keys that the key created, and those that these created, the nearest first. */
  abstract below(key: ApiKey): Promise<ApiKey[]>;
  abstract remove(key: ApiKey): Promise<void>;
  /** Stores when the key was used. Returns at once; the time is written with the next batch, a few seconds later. */
  abstract touch(key: ApiKey, at: Date): void;
}

/** One row of a usage report. Within a partner, a row that was created later has a later `createdAt`. */
interface UsageRow {
  id: number;
  createdAt: Date;
}
export interface MailboxUsage extends UsageRow {
  email: string;
}
export interface DomainUsage extends UsageRow {
  name: string;
}
export interface AliasUsage extends UsageRow {
  address: string;
  destination: string;
}

/** Reads the domains, mailboxes and aliases that a partner created after `since` (null: all), ordered by id. */
export abstract class UsageReader {
  abstract domains(partner: PartnerScope, since: Date | null): ReadPage<DomainUsage>;
  abstract mailboxes(partner: PartnerScope, since: Date | null): Search<MailboxUsage>;
  abstract aliases(partner: PartnerScope, since: Date | null): Search<AliasUsage>;
}
