import type { PostJson } from '@mailstead/client/post-json';
import { Batcher } from '@mailstead/core/batcher';
import { withTimeout } from '@mailstead/core/with-timeout';
import { isRefusal } from './is-refusal.js';
import type { PolicyVerdict } from './policy/verdict-reply.js';
import type { PolicyObserver } from './policy-observer.js';

export interface Preview {
  domain: string;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  recipient: string;
  forwarded?: boolean;
}

export interface Count {
  domain: string;
  /** With `recipients`: the least number that they count as, known from earlier previews. */
  count?: number;
  /** Absent in journals of the first release, which may still exist. @until 5.2 */
  recipients?: string[];
  /** The size of one copy; without `recipients`, of all copies together. */
  bytes: number;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  /** The sender addresses in the headers, which the login must be allowed to use. Not in the journal. */
  claims?: string[];
  id: string;
  forwarded?: boolean;
  /** True when the mail has been accepted already: it counts with every verdict. */
  record?: boolean;
}

/** The API did not respond in time, or responded with 429 or 5xx. */
export const AWAY = 'away';
export type Away = typeof AWAY;

/**
 * The API refused the request, for instance because of a wrong token. It is available, so no mail may pass without its
 * verdict.
 */
export const REFUSED = 'refused';
export type Refused = typeof REFUSED;

/** Postfix waits 5 s for a reply, then repeats the request. */
const ANSWER_WITHIN_MS = 4_000;
/** After a failure, all calls return `AWAY` at once for this time. */
const PAUSE_MS = 1_000;
const MAX_ITEMS = 1_000;
/** The API accepts bodies of 1 MiB. */
const MAX_BODY_CHARACTERS = 500_000;
/** The API commits one batch at a time, so a second request would only make batches smaller. */
const MAX_IN_FLIGHT = 1;
const GATHER = { from: 2, ms: 4 };

export type PreviewVerdict = PolicyVerdict & { counts_as: number; headroom: number | null };

/** Calls the API in batches: the next batch contains the items that arrive while a request is in flight. */
export class OutboundApi {
  private readonly previews: Batcher<Preview, PreviewVerdict | Away | Refused>;
  private readonly counts: Batcher<Count, PolicyVerdict | Away | Refused>;
  private pausedUntil = 0;

  constructor(
    private readonly post: PostJson,
    private readonly observer: PolicyObserver,
  ) {
    const options = { maxItems: MAX_ITEMS, maxInFlight: MAX_IN_FLIGHT, gather: GATHER };
    this.previews = new Batcher((items) => this.ask('look', items, () => this.sendPreviews(items)), options);
    this.counts = new Batcher((items) => this.ask('count', items, () => this.sendCounts(items)), options);
  }

  /** Returns the verdict on one recipient without counting it. */
  preview(item: Preview): Promise<PreviewVerdict | Away | Refused> {
    return withinDeadline(this.previews.call(item));
  }

  /** Counts a message once for each `id`. After `AWAY` the message may have been counted. */
  count(item: Count): Promise<PolicyVerdict | Away | Refused> {
    return withinDeadline(this.counts.call(item));
  }

  /**
   * Counts at most 1,000 messages that passed while the API was unavailable.
   *
   * @returns `invalid` when at least one message is invalid.
   */
  async countAlreadySent(items: readonly Count[]): Promise<'counted' | 'invalid' | Away> {
    const alreadySent = items.map((item) => ({ ...item, record: true }));
    try {
      const answers = await this.ask('record', items, () => this.sendCounts(alreadySent));
      return answers.includes(AWAY) || answers.includes(REFUSED) ? AWAY : 'counted';
    } catch {
      return 'invalid';
    }
  }

  private async ask<Answer>(
    kind: string,
    items: readonly unknown[],
    send: () => Promise<Answer[]>,
  ): Promise<(Answer | Away | Refused)[]> {
    if (performance.now() < this.pausedUntil) return items.map(() => AWAY);
    const started = performance.now();
    try {
      const answers = await send();
      this.observer.asked(kind, 'ok', items.length, (performance.now() - started) / 1_000);
      return answers;
    } catch (error) {
      const refused = isRefusal(error);
      this.observer.asked(kind, refused ? error.code : AWAY, items.length, (performance.now() - started) / 1_000);
      // The caller sends fewer items to find the invalid one.
      if (refused && error.status === 422 && (items.length > 1 || kind === 'record')) throw error;
      if (refused) return items.map(() => REFUSED);
      this.pausedUntil = performance.now() + PAUSE_MS;
      return items.map(() => AWAY);
    }
  }

  private async sendPreviews(items: Preview[]): Promise<PreviewVerdict[]> {
    return answersTo(items, await this.post('/outbound/looks', { items }));
  }

  private async sendCounts(items: Count[]): Promise<PolicyVerdict[]> {
    const answers: PolicyVerdict[] = [];
    for (const part of parts(items)) {
      answers.push(...answersTo(part, await this.post('/outbound/increments', { items: part })));
    }
    return answers;
  }
}

/** Splits a batch so that each part fits into one request: a message may have many recipients. */
function parts(items: readonly Count[]): Count[][] {
  const found: Count[][] = [];
  let size = MAX_BODY_CHARACTERS;
  for (const item of items) {
    const added = JSON.stringify(item).length;
    if (size + added > MAX_BODY_CHARACTERS) {
      found.push([]);
      size = 0;
    }
    found.at(-1)?.push(item);
    size += added;
  }
  return found;
}

/**
 * Checks the response, because a proxy may send any body with 200. @throws Error when the body does not match the
 * items.
 */
function answersTo<Answer>(items: readonly unknown[], data: Answer[]): Answer[] {
  if (!Array.isArray(data) || data.length !== items.length) throw new Error('The API answered something else');
  return data;
}

function withinDeadline<T>(answer: Promise<T | Away>): Promise<T | Away> {
  return withTimeout(answer, ANSWER_WITHIN_MS, () => AWAY);
}
