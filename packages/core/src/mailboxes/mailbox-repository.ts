import type { DomainName } from '../domains/domain-name.js';
import type { ReadPage } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
import type { StoredMailbox } from '../retention/mail-store.js';
import type { Address } from './address.js';
import type { Mailbox } from './mailbox.js';

/** Mailboxes by address. Outside the given partner scope a mailbox is absent: null, in every method. */
export abstract class MailboxRepository {
  /** Read after the call begins; concurrent calls share a statement. */
  abstract find(scope: PartnerScope, email: Address): Promise<Mailbox | null>;
  /** Locks the row until the end of the unit of work. Lock its domain before. */
  abstract lock(scope: PartnerScope, email: Address): Promise<Mailbox | null>;
  /** Starts reading a list. */
  abstract list(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined; domain?: DomainName | undefined },
  ): ReadPage<Mailbox>;
  /** The mailboxes of a domain with where their mail is stored, in keyset pages. */
  abstract homes(domainId: number): AsyncIterable<StoredMailbox[]>;
  /** @throws AppError `mailbox_exists` when the address is taken. */
  abstract add(mailbox: Mailbox): Promise<Mailbox>;
  abstract save(mailbox: Mailbox): Promise<void>;
  /**
   * Sets the storage quota of the domain's mailboxes, or, unless `fromMb` is null, of those that have `fromMb`.
   * @returns how many changed.
   */
  abstract setQuota(domainId: number, fromMb: number | null, toMb: number): Promise<number>;
}
