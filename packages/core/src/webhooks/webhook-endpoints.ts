import type { Page } from '../page.js';
import type { DisabledReason, WebhookEndpoint } from './webhook-endpoint.js';

/** How an attempt ended. `refused`: no connection, or an address that is not allowed. */
export const ATTEMPT_OUTCOMES = ['ok', 'timeout', 'refused', 'tls', 'status', 'challenge'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export interface NewAttempt {
  /** Null for what is no event: a challenge, a test, a gap. */
  position: number | null;
  type: string;
  at: Date;
  outcome: AttemptOutcome;
  /** The HTTP status; null without an answer. */
  status: number | null;
}

export interface WebhookAttempt extends NewAttempt {
  id: number;
}

/** How often something may happen: at most `most` times in any span of `inMs`. */
export interface TurnRule {
  most: number;
  inMs: number;
}

/** Stores endpoints and the list of their attempts. Writers have locked the partner, or the endpoint. */
export abstract class WebhookEndpoints {
  /** Gives it its id. The secret is sealed and saved afterwards, because it is bound to the id. */
  abstract add(endpoint: WebhookEndpoint): Promise<WebhookEndpoint>;
  abstract find(id: number): Promise<WebhookEndpoint | null>;
  abstract lock(id: number): Promise<WebhookEndpoint | null>;
  /** @param partnerId null: those of the operators */
  abstract list(partnerId: number | null, page: Page): Promise<WebhookEndpoint[]>;
  /** Lets one transaction after the other add endpoints of the operators. Those of a partner lock its row. */
  abstract lockOperators(): Promise<void>;
  abstract countOf(partnerId: number | null): Promise<number>;
  /** The number of disabled ones of all partners, by reason; without those that have none. */
  abstract disabledCounts(): Promise<Map<DisabledReason, number>>;
  /** Writes all but the id, the partner and the time of creation, and makes it due. */
  abstract save(endpoint: WebhookEndpoint): Promise<void>;
  /** Also its failed deliveries and attempts. */
  abstract remove(id: number): Promise<void>;
  /** Lets its failed deliveries be tried at once, or keeps them from being tried. */
  abstract holdFailed(id: number, isHeld: boolean): Promise<void>;
  abstract addAttempts(id: number, attempts: readonly NewAttempt[]): Promise<void>;
  /** The failed ones of 30 days, at most 1,000, and the newest 50 successes; newest first. */
  abstract attempts(id: number, now: Date): Promise<WebhookAttempt[]>;
  /**
   * Takes a turn of each holder, or of none.
   *
   * @returns the seconds until there is one for all of them; null when they were taken
   */
  abstract takeTurns(holders: ReadonlyMap<string, TurnRule>, now: Date): Promise<number | null>;
  /**
   * Deletes old failed attempts, and turns that no rule needs any more, at most `limit` rows of each.
   *
   * @returns their number
   */
  abstract deleteOld(now: Date, limit: number): Promise<number>;
}
