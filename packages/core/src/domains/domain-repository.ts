import type { Page } from '../page.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { Verification, VerificationStatus } from '../relay/verification.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';

/** A domain as a row of a list. */
export interface DomainSummary {
  id: number;
  name: DomainName;
  createdAt: Date;
}

/**
 * A domain with everything that `resolveDomain` reads: its verification, its linked parent, and the parent's
 * verification.
 */
export interface DomainWithParent {
  domain: Domain;
  verification: Verification;
  parent: LinkedParent | null;
  /** False when no reason for attention is stored, so that `AttentionList` need not be asked. */
  hasReasons: boolean;
}

/** A parent counts for its domain also when the caller does not see it, because its key is limited to other domains. */
export interface LinkedParent {
  domain: Domain;
  verification: Verification;
  isVisible: boolean;
}

/** A domain above a name, with the fields that decide whether a new domain below it links to it. */
export interface AncestorDomain {
  id: number;
  name: DomainName;
  partnerId: number;
  wildcardMode: Domain['wildcardMode'];
  parentId: number | null;
  verificationStatus: VerificationStatus;
}

/** Reads and writes domains. Every method treats a domain outside the given partner scope as absent (null). */
export abstract class DomainRepository {
  /** The rows are read after the call begins; concurrent calls share a statement. */
  abstract findWithParent(scope: PartnerScope, name: DomainName): Promise<DomainWithParent | null>;
  /** Null also for a domain whose deletion has begun (`TombstoneRepository.beginDeletion`). */
  abstract find(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  /** As `find`; locks the row until the end of the unit of work. Use cases call `DomainLocks` instead. */
  abstract lock(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  abstract lockById(id: number): Promise<Domain | null>;
  /** The id of the domain of that name whose deletion has begun; otherwise null. */
  abstract beingDeleted(scope: PartnerScope, name: DomainName): Promise<number | null>;
  abstract partnerIdOf(id: number): Promise<number | null>;
  /** A keyset page, ordered by id; concurrent calls share a statement. */
  abstract page(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<DomainSummary[]>;
  /** Whether any domain has a limited retention. */
  abstract hasRetention(): Promise<boolean>;
  /** Domains whose retention is limited, in keyset pages. */
  abstract withRetention(page: Page): Promise<Domain[]>;
  /** Domains with a reminder of a lowered retention that is due, in keyset pages. */
  abstract withRetentionReminder(now: Date, page: Page): Promise<{ id: number }[]>;
  /**
   * Domains of clients that wait for their first opening since `since` or longer, in keyset pages.
   * @param notifiedUntil only those whose removal was announced until then; null: only those whose removal was not
   * announced.
   */
  abstract neverOpen(since: Date, notifiedUntil: Date | null, page: Page): Promise<{ id: number; name: DomainName }[]>;
  abstract ancestors(names: DomainName[]): Promise<AncestorDomain[]>;
  /** Locks the domains linked to this parent, in the order of their ids, and returns them. */
  abstract lockChildren(parentId: number): Promise<Domain[]>;
  /** Opens the children that wait for their first opening, unless they must prove their ownership. */
  abstract openPendingChildren(parentId: number): Promise<void>;
  /** @returns the domain with its id. @throws AppError `domain_exists` when another domain has the name. */
  abstract add(domain: Domain): Promise<Domain>;
  /** Writes every field except id, name, creation time and the two counts. */
  abstract save(domain: Domain): Promise<void>;
  /**
   * After a move: the filters of lists find the domain, its mailboxes and its aliases at its present partner, no
   * mailbox has the former one's reference, and no key of the former one sees the domain again when it comes back.
   */
  abstract moveContents(domain: Domain): Promise<void>;
  /** Adds to the counts of mailboxes and aliases. The caller must have locked the domain. */
  abstract addToCounts(id: number, change: { mailboxes?: number; aliases?: number }): Promise<void>;
}
