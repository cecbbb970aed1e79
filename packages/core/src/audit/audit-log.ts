import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';

/** One change. `before` and `after` contain the fields that the change may set, in snake_case, without secrets. */
export interface AuditEntry {
  /** Noun and verb, such as `domain.suspend`. */
  action: string;
  partnerRef: PartnerRef | null;
  /** The domain of the change, used to filter the list; null when the change is not about a domain. */
  domain: string | null;
  /** The changed object: a domain name, an address, a masked key. */
  subject: string;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

export interface AuditRow extends AuditEntry {
  id: number;
  at: Date;
  actorKind: Actor['kind'];
  actor: string;
  requestId: string | null;
}

export interface AuditFilter {
  partnerRef?: string | undefined;
  domain?: string | undefined;
  actor?: string | undefined;
}

/**
 * The audit log: who changed what. A row is written in the unit of work of the change, so that both are committed or neither.
 */
export abstract class AuditLog {
  abstract append(actor: Actor, at: Date, entry: AuditEntry): Promise<void>;
  abstract page(filter: AuditFilter, page: { after: number; limit: number }): Promise<AuditRow[]>;
}
