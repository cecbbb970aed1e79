import type { PostJson } from '@mailstead/client/post-json';
import { Batcher } from '@mailstead/core/batcher';
import { deadline } from '@mailstead/core/deadlines';
import { newTraceId, setTraceId, traced } from '@mailstead/core/trace';
import { withTimeout } from '@mailstead/core/with-timeout';
import { isRefusal } from './is-refusal.js';
import { type PolicyVerdict, RESTORE_NOT_ACCEPTED } from './policy/verdict-reply.js';
import type { PolicyObserver } from './policy-observer.js';
import { sendWithAges } from './session-ages.js';

export interface Preview {
  domain: string;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  recipient: string;
  forwarded?: boolean;
  /** When the session of `sender` began, by `performance.now()`; absent when that is not known. */
  sessionBegan?: number;
}

export interface Count {
  domain: string;
  /** The least number that they count as, known from earlier previews. */
  count?: number;
  recipients: string[];
  /** The size of one copy. */
  bytes: number;
  /** The mailbox that logged in; absent for mail without a login. */
  sender?: string;
  /** As in a preview. Not in the journal. */
  sessionBegan?: number;
  /** True for a read receipt, of which only a few may leave. Not in the journal. */
  receipt?: boolean;
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

/** After a failure, all calls return `AWAY` at once for this time. */
const PAUSE_MS = 1_000;
const MAX_ITEMS = 1_000;
/** The API accepts bodies of 1 MiB. */
const MAX_BODY_CHARACTERS = 500_000;
/** The API commits one batch at a time, so a second request would only make batches smaller. */
const MAX_IN_FLIGHT = 1;
const GATHER = { from: 2, ms: 4 };

/** An answer, and the trace of the request to the API that brought it. */
interface Traced<Answer> {
  answer: Answer;
  traceId: string | null;
}

/** The answer to a preview. */
export interface PreviewVerdict extends PolicyVerdict {
  counts_as: number;
  /** How many outside recipients the login may still send to; null when no limit is enforced. */
  headroom: number | null;
  /** True when every recipient must be previewed, whatever the headroom of an earlier one. */
  each_recipient?: boolean;
}

/** The answer to a count. */
export interface CountVerdict extends PolicyVerdict {
  /** As in a preview, after the count; absent in an answer of the former release (@until 5.3) and without a verdict. */
  headroom?: number | null;
}

/**
 * Calls the API in batches: the next batch contains the items that arrive while a request is in flight. Each batch is a
 * trace of its own, which becomes the trace of the work that asked.
 */
export class OutboundApi {
  private readonly previews: Batcher<Preview, Traced<PreviewVerdict | Away | Refused>>;
  private readonly counts: Batcher<Count, Traced<CountVerdict | Away | Refused>>;
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
  count(item: Count): Promise<CountVerdict | Away | Refused> {
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
      // The API counts nothing before a restore is accepted: the messages stay in the journal.
      const isUncounted = ({ answer }: (typeof answers)[number]) =>
        typeof answer === 'string' || answer.reason === RESTORE_NOT_ACCEPTED;
      return answers.some(isUncounted) ? AWAY : 'counted';
    } catch {
      return 'invalid';
    }
  }

  private async ask<Answer>(
    kind: string,
    items: readonly unknown[],
    send: () => Promise<Answer[]>,
  ): Promise<Traced<Answer | Away | Refused>[]> {
    if (performance.now() < this.pausedUntil) return items.map(() => ({ answer: AWAY, traceId: null }));
    const traceId = newTraceId();
    const answers = await traced(traceId, () => this.send(kind, items, send));
    return answers.map((answer) => ({ answer, traceId }));
  }

  private async send<Answer>(
    kind: string,
    items: readonly unknown[],
    send: () => Promise<Answer[]>,
  ): Promise<(Answer | Away | Refused)[]> {
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
    return answersTo(items, await sendWithAges(items, (aged) => this.post('/outbound/looks', { items: aged })));
  }

  private async sendCounts(items: Count[]): Promise<CountVerdict[]> {
    const answers: CountVerdict[] = [];
    for (const part of parts(items)) {
      const sent = sendWithAges(part, (aged) => this.post('/outbound/increments', { items: aged }));
      answers.push(...answersTo(part, await sent));
    }
    return answers;
  }
}

/** Splits a batch so that each part fits into one request: a message may have many recipients. */
function parts<Item>(items: readonly Item[]): Item[][] {
  const found: Item[][] = [];
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

async function withinDeadline<T>(asked: Promise<Traced<T | Away>>): Promise<T | Away> {
  const late = (): Traced<T | Away> => ({ answer: AWAY, traceId: null });
  const { answer, traceId } = await withTimeout(asked, deadline('policyAnswer'), late);
  if (traceId !== null) setTraceId(traceId);
  return answer;
}
