import type { MailsteadClient } from '@mailstead/client';
import { Batcher } from '@mailstead/core/batcher';
import { withTimeout } from '@mailstead/core/with-timeout';
import { isRefusal } from './is-refusal.js';
import type { PolicyVerdict } from './policy/verdict-reply.js';
import type { PolicyObserver } from './policy-observer.js';

export interface Look {
  domain: string;
  /** Who logged in; left out of a stranger's mail. */
  sender?: string;
  recipient: string;
  forwarded?: boolean;
}

export interface Count {
  domain: string;
  /** Beside `recipients` the least that those count as, when it is known from looking at them. */
  count?: number;
  /** Left out by the first release, whose journal may still be there. */
  recipients?: string[];
  /** Of one copy; without `recipients` of all. */
  bytes: number;
  /** Who logged in; left out of a stranger's mail. */
  sender?: string;
  id: string;
  forwarded?: boolean;
  /** The mail has been accepted already: count it whatever the verdict. */
  record?: boolean;
}

/** The API did not answer, or not in time, or said that it cannot at the moment. */
export const AWAY = 'away';
export type Away = typeof AWAY;

/** The API answered that it does not take this, as with a wrong token: it is there, and nothing may pass without it. */
export const REFUSED = 'refused';
export type Refused = typeof REFUSED;

/** An answer later than this is of no use: Postfix waits 5 s, then asks again. */
const ANSWER_WITHIN_MS = 4_000;
/** After a failure nobody is made to wait for another one so long. */
const PAUSE_MS = 1_000;
const MAX_ITEMS = 1_000;
/** The API takes 1 MiB. */
const MAX_BODY_CHARACTERS = 500_000;
/** The API commits one batch at a time: a second request would only split it. */
const MAX_IN_FLIGHT = 1;
const GATHER = { from: 4, ms: 1 };

export type LookVerdict = PolicyVerdict & { counts_as: number; headroom: number | null };

/** Asks the API, many at once: what comes while a request is under way goes with the next one. */
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

  /** Counts nothing. */
  look(item: Look): Promise<LookVerdict | Away | Refused> {
    return inTime(this.looks.call(item));
  }

  /** An answer that comes too late, or is lost, may have counted: the same `id` again counts once. */
  count(item: Count): Promise<PolicyVerdict | Away | Refused> {
    return inTime(this.counts.call(item));
  }

  /** At most 1,000 that were accepted while the API was away; one that it does not take spoils them all. */
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
      // One bad item is found by trying fewer.
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

/** Cuts a batch into bodies that the API takes: a message may have many recipients. */
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

/** Something in between may answer 200 with anything. */
function answersTo<Answer>(items: readonly unknown[], data: Answer[] | undefined): Answer[] {
  if (!Array.isArray(data) || data.length !== items.length) throw new Error('The API answered something else');
  return data;
}

function inTime<T>(answer: Promise<T | Away>): Promise<T | Away> {
  return withTimeout(answer, ANSWER_WITHIN_MS, () => AWAY);
}
