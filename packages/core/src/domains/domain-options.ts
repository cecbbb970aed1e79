import { token } from '../needs.js';

/** What the operator set for all domains. */
export interface DomainOptions {
  /** Whether a domain must also publish the ownership record to become `verified`. */
  ownershipRequired: boolean;
  /** How long a client's domain may wait for its first opening; 0: for ever. */
  pendingDomainMs: number;
  /** How long the stored mail of a deleted mailbox is kept. */
  deletedMailGraceDays: number;
  /** The grace of a lowered retention that master sets. */
  retentionGraceMs: number;
  /** The grace of a lowered retention that a plan or the billing scope sets. */
  planRetentionGraceMs: number;
  /** The most domains whose retention may be newly lowered in one purge; 0: any number. */
  purgeBrake: number;
}
export const DomainOptions = token<DomainOptions>('DomainOptions');
