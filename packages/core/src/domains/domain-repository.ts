import type { Page } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
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
 * A domain with everything that `resolveDomain` reads: its verification, its linked parent, and the parent's verification.
 */
export interface DomainWithParent {
  domain: Domain;
  verification: Verification;
  parent: { domain: Domain; verification: Verification } | null;
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
  abstract find(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  /** Locks the row until the end of the unit of work. Use cases call `DomainLocks` instead. */
  abstract lock(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  abstract lockById(id: number): Promise<Domain | null>;
  /** A keyset page, ordered by id; concurrent calls share a statement. */
  abstract page(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<DomainSummary[]>;
  /** Domains whose retention is limited, in keyset pages. */
  abstract withRetention(page: Page): Promise<Domain[]>;
  abstract ancestors(names: DomainName[]): Promise<AncestorDomain[]>;
  /** Locks the domains linked to this parent, in the order of their ids, and returns them. */
  abstract lockChildren(parentId: number): Promise<Domain[]>;
  /** @returns the domain with its id. @throws AppError `domain_exists` when another domain has the name. */
  abstract add(domain: Domain): Promise<Domain>;
  /** Writes every field except id, name, creation time and the two counts. */
  abstract save(domain: Domain): Promise<void>;
  /** Adds to the counts of mailboxes and aliases. The caller must have locked the domain. */
  abstract addToCounts(id: number, change: { mailboxes?: number; aliases?: number }): Promise<void>;
}
