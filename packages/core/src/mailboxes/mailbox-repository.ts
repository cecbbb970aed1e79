import type { DomainName } from '../domains/domain-name.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { CountedSearch } from '../search.js';
import type { Address } from './address.js';
import type { Mailbox } from './mailbox.js';
import type { StoredMailbox } from './stored-mailbox.js';

/** Conditions that are undefined are not checked. */
export interface MailboxFilter {
  partnerRef?: PartnerRef | undefined;
  domain?: DomainName | undefined;
  begins?: MailboxBeginnings | undefined;
  active?: boolean | undefined;
  externalRef?: string | undefined;
}

/** A mailbox meets it when its address or its reference begins so. Null: none does. */
interface MailboxBeginnings {
  address: string | null;
  externalRef: string | null;
}

/** Reads and writes mailboxes. Every method treats a mailbox outside the given partner scope as absent (null). */
export abstract class MailboxRepository {
  /** The row is read after the call begins; concurrent calls share a statement. */
  abstract find(scope: PartnerScope, email: Address): Promise<Mailbox | null>;
  /** Locks the row until the end of the unit of work. The caller must lock the domain first. */
  abstract lock(scope: PartnerScope, email: Address): Promise<Mailbox | null>;
  /** The list, with any filters. */
  abstract search(scope: PartnerScope, filter: MailboxFilter): CountedSearch<Mailbox>;
  /** The mailboxes of a domain with the homes of their stored mail, in keyset pages. */
  abstract homes(domainId: number): AsyncIterable<StoredMailbox[]>;
  /** @throws AppError `mailbox_exists` when another mailbox has the address. */
  abstract add(mailbox: Mailbox): Promise<Mailbox>;
  abstract save(mailbox: Mailbox): Promise<void>;
  /** Raises `revokedAt` of the stored mailbox to this time, at once. A later one stays. */
  abstract noteRevoked(mailbox: Pick<Mailbox, 'id'>, at: Date): Promise<void>;
  /**
   * Sets the storage quota of all mailboxes of the domain (`fromMb` null), or only of those whose quota is `fromMb`.
   * @returns the number of changed mailboxes.
   */
  abstract setQuota(domainId: number, fromMb: number | null, toMb: number): Promise<number>;
}
