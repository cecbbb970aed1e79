import type { Page } from '../page.js';
import type { PartnerRef, PartnerScope } from '../partners/partner.js';
import type { Verification, VerificationStatus } from '../relay/verification.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';

/** The row of a list. */
export interface DomainSummary {
  id: number;
  name: DomainName;
  createdAt: Date;
}

/** A domain with all that `resolveDomain` reads: its verification, its linked parent, the parent's verification. */
export interface DomainWithParent {
  domain: Domain;
  verification: Verification;
  parent: { domain: Domain; verification: Verification } | null;
}

/** A domain above a name, with the fields that decide whether domains below it link to it. */
export interface AncestorDomain {
  id: number;
  name: DomainName;
  partnerId: number;
  wildcardMode: Domain['wildcardMode'];
  parentId: number | null;
  verificationStatus: VerificationStatus;
}

/** Domains by name. Outside the given partner scope a domain is absent: null, in every method. */
export abstract class DomainRepository {
  /** Read after the call begins; concurrent calls share a statement. */
  abstract findWithParent(scope: PartnerScope, name: DomainName): Promise<DomainWithParent | null>;
  abstract find(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  /** Locks the row until the end of the unit of work. Use cases lock by `DomainLocks`. */
  abstract lock(scope: PartnerScope, name: DomainName): Promise<Domain | null>;
  abstract lockById(id: number): Promise<Domain | null>;
  /** A keyset page by id; concurrent calls share a statement. */
  abstract page(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined },
    page: Page,
  ): Promise<DomainSummary[]>;
  /** Domains whose retention is limited, in keyset pages. */
  abstract withRetention(page: Page): Promise<Domain[]>;
  abstract ancestors(names: DomainName[]): Promise<AncestorDomain[]>;
  /** The domains linked to this one, locked in the order of their ids. */
  abstract lockChildren(parentId: number): Promise<Domain[]>;
  /** @returns the domain with its id. @throws AppError `domain_exists` when the name is taken. */
  abstract add(domain: Domain): Promise<Domain>;
  /** Writes every field but id, name, creation time and the two counts. */
  abstract save(domain: Domain): Promise<void>;
  /** Adds to the counts of mailboxes and aliases; the domain is locked. */
  abstract addToCounts(id: number, change: { mailboxes?: number; aliases?: number }): Promise<void>;
}
