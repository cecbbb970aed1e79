import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';
import type { Search } from '../search.js';
import type { AuditAction, EventType } from './event-types.js';

/**
 * One change, which is also one event. Build it with `aboutDomain`, `aboutPartner` or `aboutInstallation`. `before` and
 * `after` contain the fields that the change may set, in snake_case, without secrets. The partner sees them in its
 * events, so they name no other partner.
 */
export interface AuditEntry {
  /** Noun and verb, such as `domain.suspend`. */
  action: AuditAction;
  /** The type of the event; absent: the type of the action. */
  type?: EventType | undefined;
  /** The partner that had the changed object at that time. Its clients, and no others, see the event. */
  partnerId: number | null;
  partnerRef: PartnerRef | null;
  /** The row of the domain: a domain that is created again under the same name has another id. */
  domainId: number | null;
  /** The domain of the change, used to filter the list; null when the change is not about a domain. */
  domain: string | null;
  /** The changed object: a domain name, an address, a masked key. */
  subject: string;
  before?: Record<string, unknown> | undefined;
  after?: Record<string, unknown> | undefined;
}

export interface AuditRow extends Omit<AuditEntry, 'type' | 'before' | 'after'> {
  id: number;
  at: Date;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  actorKind: Actor['kind'];
  actor: string;
  requestId: string | null;
  /** The service's own id of the request; null in rows that a job wrote, and in rows of former releases. */
  requestUid: string | null;
}

export interface AuditFilter {
  partnerRef?: string | undefined;
  domain?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  /** The names that the object may have. */
  subjects?: readonly string[] | undefined;
  /** The first moment. */
  since?: Date | undefined;
  /** The first moment that is not included. */
  until?: Date | undefined;
}

/**
 * The audit log: who changed what. A row is written in the unit of work of the change, so that both are committed or
 * neither.
 */
export abstract class AuditLog {
  abstract append(actor: Actor, at: Date, entry: AuditEntry): Promise<void>;
  /** Like `append` for many rows in one statement, such as the bounces of one batch. */
  abstract appendAll(actor: Actor, at: Date, entries: readonly AuditEntry[]): Promise<void>;
  /** The changes, without the rows of `EVENTS_ONLY`. */
  abstract search(filter: AuditFilter): Search<AuditRow>;
  /**
   * Of the oldest `limit` rows, deletes those from before `before` that left the feed. @returns the number of deleted
   * rows
   */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
