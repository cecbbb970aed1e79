import {
  type OperatorCause,
  type PartnerSuspensions,
  widestStage,
  withoutSuspension,
  withSuspension,
} from './partner-suspension.js';
import { messagesOfCauses, type StopMessages, withMessage } from './stop-messages.js';

/** The name that a partner has in the API, compared byte by byte. */
export type PartnerRef = string & { readonly __brand: 'PartnerRef' };

const PARTNER_REF = /^[A-Za-z0-9._:@-]{1,128}$/;

/**
 * What a suspended partner may not do. `changes`: no change through the API and no outbound mail. `all`: as if each of
 * its domains were suspended.
 */
export type PartnerStage = 'changes' | 'all';

/** Whether previews refuse suppressed recipients, or the suppressions are only listed. */
export const SUPPRESSION_MODES = ['list', 'refuse'] as const;
export type SuppressionMode = (typeof SUPPRESSION_MODES)[number];

/** Parses the reference of a partner, which may be one that only former releases took. */
export function parsePartnerRef(input: string): PartnerRef | null {
  return PARTNER_REF.test(input) ? (input as PartnerRef) : null;
}

/**
 * Whether a path cannot name the partner: URL parsers turn `/partners/../usage` into `/usage`, also when the dots are
 * percent-encoded (RFC 3986 section 5.2.4, WHATWG URL). Former releases took such references.
 */
export function isDotReference(ref: PartnerRef): boolean {
  return ref === '.' || ref === '..';
}

/**
 * The owner of domains. Every use case that creates, deletes or moves a domain, mailbox or alias of a partner locks the
 * partner's row first. Domains of no partner, which master creates, belong to a row with `ref` null.
 */
export class Partner {
  readonly id!: number;
  readonly ref!: PartnerRef | null;
  /** A reference of the operator's own system; not unique. */
  externalRef!: string | null;
  /** The name that operators gave it; null without one. */
  name!: string | null;
  domainCount!: number;
  /** The newest creation time of all rows of this partner; see `stampCreation`. */
  lastCreatedAt!: Date;
  /** Why operators suspended the partner. Change it with `suspend` and `activate` only. */
  suspensions!: PartnerSuspensions;
  /** The widest stage of `suspensions`; null while active. Stored, because the views of the mail servers read it. */
  stage!: PartnerStage | null;
  /** Of its suspensions. Change it with `suspend` and `activate` only. */
  stopMessages!: StopMessages;
  suppressionMode!: SuppressionMode;
  /**
   * The number of its suppressions, those of deleted domains and expired ones included. `Suppressions` changes it, and
   * `CorrectCounts` a wrong one.
   */
  suppressionCount!: number;
  /** See `raiseRevision`. */
  revision!: number;
  /** That of its brand. It is stored here, because it must not begin anew after the brand was removed. */
  brandRevision!: number;

  private constructor() {}

  /**
   * Returns the creation time for the next row of this partner: now, but at least 1 ms later than the last one. The
   * partner must stay locked until the commit; a poll with `since` then never misses a row.
   */
  stampCreation(now: Date): Date {
    this.lastCreatedAt = new Date(Math.max(now.getTime(), this.lastCreatedAt.getTime() + 1));
    return this.lastCreatedAt;
  }

  /**
   * Adds a cause, or changes its stage.
   * @param message what an operator tells the partner about it; undefined: that stays as it is; null: nothing
   */
  suspend(cause: OperatorCause, stage: PartnerStage, message?: string | null): void {
    this.setSuspensions(withSuspension(this.suspensions, { cause, stage }));
    this.stopMessages = withMessage(this.stopMessages, cause, message);
  }

  /** Lifts one cause; with null, all. */
  activate(cause: OperatorCause | null): void {
    this.setSuspensions(cause === null ? [] : withoutSuspension(this.suspensions, cause));
  }

  private setSuspensions(suspensions: PartnerSuspensions): void {
    this.suspensions = suspensions;
    this.stage = widestStage(suspensions);
    this.stopMessages = messagesOfCauses(
      this.stopMessages,
      suspensions.map(({ cause }) => cause),
    );
  }
}
