import type { Page, ReadPage } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
import type { ApiKey } from './api-key.js';

/** How a path names a key: by its numeric id, or by the token (here its hash). */
export type KeyHandle = { id: number } | { tokenHash: string };

export interface KeyWithUse {
  id: number;
  key: ApiKey;
  domainsUsed: number;
}

export abstract class ApiKeyRepository {
  /** The key of a token. Read after the call begins; concurrent calls share a statement; nothing is cached. */
  abstract findByHash(tokenHash: string): Promise<ApiKey | null>;
  abstract find(handle: KeyHandle): Promise<ApiKey | null>;
  /** Locks the row until the end of the unit of work. */
  abstract lock(handle: KeyHandle): Promise<ApiKey | null>;
  /** Each with how many domains its partner uses. */
  abstract pageWithUse(filter: { partnerRef?: PartnerRef | undefined }, page: Page): Promise<KeyWithUse[]>;
  /** @throws AppError `api_key_exists` when the token is taken. */
  abstract add(key: ApiKey): Promise<ApiKey>;
  abstract save(key: ApiKey): Promise<void>;
  abstract remove(key: ApiKey): Promise<void>;
  /** Remembers when the key was used. Returns at once; written in batches, at most seconds late. */
  abstract touch(key: ApiKey, at: Date): void;
}

/** One row of a usage report. `createdAt` orders it within its partner. */
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

/** What a partner created after `since` (null: everything), by id. */
export abstract class UsageReader {
  abstract domains(partner: PartnerScope, since: Date | null): ReadPage<DomainUsage>;
  abstract mailboxes(partner: PartnerScope, since: Date | null): ReadPage<MailboxUsage>;
  abstract aliases(partner: PartnerScope, since: Date | null): ReadPage<AliasUsage>;
}
