import type { Page, ReadPage } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
import type { ApiKey } from './api-key.js';

/** The two ways in which a path names a key: its numeric id, or its token (here the hash of the token). */
export type KeyHandle = { id: number } | { tokenHash: string };

export interface KeyWithUse {
  id: number;
  key: ApiKey;
  domainsUsed: number;
}

export abstract class ApiKeyRepository {
  /**
   * Finds a key by the hash of its token. The row is read after the call begins and is not cached; concurrent calls share a
   * statement.
   */
  abstract findByHash(tokenHash: string): Promise<ApiKey | null>;
  abstract find(handle: KeyHandle): Promise<ApiKey | null>;
  /** Locks the row until the end of the unit of work. */
  abstract lock(handle: KeyHandle): Promise<ApiKey | null>;
  /** A page of keys, each with the number of domains that its partner has. */
  abstract pageWithUse(filter: { partnerRef?: PartnerRef | undefined }, page: Page): Promise<KeyWithUse[]>;
  /** @throws AppError `api_key_exists` when another key has the same token. */
  abstract add(key: ApiKey): Promise<ApiKey>;
  abstract save(key: ApiKey): Promise<void>;
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
  abstract mailboxes(partner: PartnerScope, since: Date | null): ReadPage<MailboxUsage>;
  abstract aliases(partner: PartnerScope, since: Date | null): ReadPage<AliasUsage>;
}
