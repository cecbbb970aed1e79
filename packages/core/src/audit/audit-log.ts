import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';

/** What one change did. `before` and `after` hold the fields that may differ, snake_case, without secrets. */
export interface AuditEntry {
  /** Noun and verb: `domain.suspend`. */
  action: string;
  partnerRef: PartnerRef | null;
  /** The domain that the change concerns, for the filter; null when there is none. */
  domain: string | null;
  /** What was changed: a domain name, an address, a masked key. */
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

/** Who changed what. A row is written in the unit of work of the change, so that neither exists without the other. */
export abstract class AuditLog {
  abstract append(actor: Actor, at: Date, entry: AuditEntry): Promise<void>;
  abstract page(filter: AuditFilter, page: { after: number; limit: number }): Promise<AuditRow[]>;
}
