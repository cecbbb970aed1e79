import type { MailsteadClient } from '@mailstead/client';
import { Batcher } from '@mailstead/core/batcher';
import { withTimeout } from '@mailstead/core/with-timeout';
import { isRefusal } from './is-refusal.js';
import type { PolicyVerdict } from './policy/verdict-reply.js';
import type { PolicyObserver } from './policy-observer.js';

export interface Look {
  domain: string;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  recipient: string;
  forwarded?: boolean;
}

export interface Count {
  domain: string;
  /** With `recipients`: the minimum that they count as, known from earlier looks. */
  count?: number;
  /** Absent in journals of the first release, which may still exist. */
  recipients?: string[];
  /** Size of one copy; without `recipients`, of all copies. */
  bytes: number;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  id: string;
  forwarded?: boolean;
  /** The mail was accepted already, so it counts whatever the verdict. */
  record?: boolean;
}

/** The API did not answer in time, or answered 429 or 5xx. */
export const AWAY = 'away';
export type Away = typeof AWAY;

/** The API refused the request, as with a wrong token. It is available, so no mail may pass without its verdict. */
export const REFUSED = 'refused';
export type Refused = typeof REFUSED;

/** Postfix waits 5 s for an answer, then asks again. */
const ANSWER_WITHIN_MS = 4_000;
/** After a failure, requests are answered `AWAY` at once for this time. */
const PAUSE_MS = 1_000;
const MAX_ITEMS = 1_000;
/** The API accepts bodies of 1 MiB. */
const MAX_BODY_CHARACTERS = 500_000;
/** The API commits one batch at a time; a second request would only make the batches smaller. */
const MAX_IN_FLIGHT = 1;
const GATHER = { from: 4, ms: 1 };

export type LookVerdict = PolicyVerdict & { counts_as: number; headroom: number | null };

/** Calls the API in batches: items that arrive while a request is in flight are sent with the next one. */
export class OutboundApi {
  private readonly looks: Batcher<Look, LookVerdict | Away | Refused>;
  private readonly counts: Batcher<Count, PolicyVerdict | Away | Refused>;
  private pausedUntil = 0;

  constructor(
    private readonly client: MailsteadClient,
    private readonly observer: PolicyObserver,
  ) {
    const options = { maxItems: MAX_ITEMS, maxInFlight: MAX_IN_FLIGHT, gather: GATHER };
    this.looks = new Batcher((items) => this.ask('look', items, () => this.sendLooks(items)), options);
    this.counts = new Batcher((items) => this.ask('count', items, () => this.sendCounts(items)), options);
  }

  /** Returns the verdict on one recipient without counting it. */
  look(item: Look): Promise<LookVerdict | Away | Refused> {
    return inTime(this.looks.call(item));
  }

  /** Counts a message. A late or lost answer may have counted it; the same `id` counts once. */
  count(item: Count): Promise<PolicyVerdict | Away | Refused> {
    return inTime(this.counts.call(item));
  }

  /** Counts at most 1,000 messages that passed while the API was away. One invalid message makes all `invalid`. */
  async record(items: readonly Count[]): Promise<'counted' | 'invalid' | Away> {
    const recorded = items.map((item) => ({ ...item, record: true }));
    try {
      const answers = await this.ask('record', items, () => this.sendCounts(recorded));
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
      // The caller finds the invalid item by trying fewer.
      if (refused && error.status === 422 && (items.length > 1 || kind === 'record')) throw error;
      if (refused) return items.map(() => REFUSED);
      this.pausedUntil = performance.now() + PAUSE_MS;
      return items.map(() => AWAY);
    }
  }

  private async sendLooks(items: Look[]): Promise<LookVerdict[]> {
    const { data } = await this.client.POST('/outbound/looks', { body: { items } });
    return answersTo(items, data);
  }

  private async sendCounts(items: Count[]): Promise<PolicyVerdict[]> {
    const answers: PolicyVerdict[] = [];
    for (const part of parts(items)) {
      const { data } = await this.client.POST('/outbound/increments', { body: { items: part } });
      answers.push(...answersTo(part, data));
    }
    return answers;
  }
}

/** Splits a batch into bodies that the API accepts: a message may have many recipients. */
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

/** Checks the answer, since a proxy may answer 200 with anything. @throws Error when it does not fit the items. */
function answersTo<Answer>(items: readonly unknown[], data: Answer[] | undefined): Answer[] {
  if (!Array.isArray(data) || data.length !== items.length) throw new Error('The API answered something else');
  return data;
}

function inTime<T>(answer: Promise<T | Away>): Promise<T | Away> {
  return withTimeout(answer, ANSWER_WITHIN_MS, () => AWAY);
}
