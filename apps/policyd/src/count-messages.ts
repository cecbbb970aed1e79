import { hash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Fallback } from './fallback/fallback.js';
import type { UnusedCounts } from './fallback/unused-counts.js';
import { type CountedMessage, MessageCounter, type WholeMessage } from './milter/message-counter.js';
import {
  AWAY,
  type Away,
  type Count,
  type CountVerdict,
  type OutboundApi,
  REFUSED,
  type Refused,
} from './outbound-api.js';
import type { HeadroomMemory } from './policy/headroom-memory.js';
import { type RecipientMemory, sessionKey } from './policy/recipient-memory.js';
import {
  NO_RECIPIENTS,
  PASS,
  type PolicyVerdict,
  RESTORE_NOT_ACCEPTED,
  replyTo,
  replyToReceipt,
  SESSION_ENDED,
  TOO_MANY,
  UNAVAILABLE,
} from './policy/verdict-reply.js';
import { type RelayNames, relayFields } from './relay-fields.js';
import { domainOf, submitterOf, toApiRecipient } from './submission.js';

/** The API's limits for one increment. */
const MAX_RECIPIENTS = 1_000;
const MAX_COUNT = 10_000;
const MAX_BYTES = 1_099_511_627_776;
/** When a response is lost, the request is repeated once after this time. It must exceed the pause of `OutboundApi`. */
const REPEAT_AFTER_MS = 1_100;

interface Outcome {
  /** As it was sent to the API. */
  item: Count;
  /** The action for Postfix. */
  reply: string;
  /** True when the API counted the item, may have counted it, or may still count it. */
  mayBeCounted: boolean;
  /** What the message must name for SES; null when nothing is known. */
  relay: RelayNames | null;
  /** Whether a copy leaves the platform. Also true when that is not known. */
  leaves: boolean;
}

/**
 * Counts whole messages through the API. A message with a login counts for that mailbox, which must be allowed to use
 * the message's sender addresses. A message without a login counts as forwarded mail of each recipient's domain. What
 * was counted of a message that is deferred, or may have been, is kept for its repeat (`UnusedCounts`).
 */
export class CountMessages extends MessageCounter {
  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly unused: UnusedCounts,
    private readonly memory: RecipientMemory,
    private readonly headrooms: HeadroomMemory,
    private readonly mta: string,
    private readonly relay: 'ses' | null,
    private readonly repeatAfterMs = REPEAT_AFTER_MS,
  ) {
    super();
  }

  override async count(message: WholeMessage): Promise<CountedMessage> {
    const counted = await this.countWhole(message);
    const session = sessionOf(message);
    if (session !== null) this.memory.forget(session);
    return counted;
  }

  private async countWhole(message: WholeMessage): Promise<CountedMessage> {
    if (message.recipients.length === 0) return refused(NO_RECIPIENTS);
    if (message.recipients.length > MAX_RECIPIENTS) return refused(TOO_MANY);
    const items = message.login === '' ? this.forwardedItems(message) : this.sentItems(message);
    if (typeof items === 'string') return refused(items);
    const outcomes = await Promise.all(items.map((item) => this.decide(item)));
    const reply = outcomes.find((outcome) => outcome.reply !== PASS)?.reply ?? PASS;
    if (reply !== PASS) {
      const unused = outcomes.filter(({ mayBeCounted }) => mayBeCounted);
      await Promise.all(unused.map(({ item }) => this.unused.add(item)));
      return refused(reply);
    }
    const leaves = outcomes.some((outcome) => outcome.leaves);
    // Mail without a login never leaves by a relay.
    if (this.relay !== 'ses' || message.login === '') return { reply: null, added: [], leaves };
    const names = outcomes[0]?.relay ?? null;
    const added = relayFields(this.hostOf(message), message.queueId, names, message.receipt);
    return { reply: null, added, leaves };
  }

  /** Returns one item, or the reply to an invalid login. */
  private sentItems(message: WholeMessage): Count[] | string {
    const submitter = submitterOf(message.login);
    if (typeof submitter === 'string') return submitter;
    const { login, domain } = submitter;
    const { sessionBegan } = message;
    const claims = [...message.claims];
    const receipt = message.receipt ? { receipt: true } : {};
    return [{ ...this.itemOf(message, message.recipients), domain, sender: login, claims, sessionBegan, ...receipt }];
  }

  /** Returns an item for each domain whose aliases may forward the message. */
  private forwardedItems(message: WholeMessage): Count[] {
    return Array.from(groupByDomain(message.recipients))
      .filter(([domain]) => /^[a-z0-9.-]{1,253}$/.test(domain))
      .map(([domain, recipients]) => ({ ...this.itemOf(message, recipients), domain, forwarded: true }));
  }

  /** Counts an item, with the id of an unused count when there is one. */
  private async decide(item: Count): Promise<Outcome> {
    const counted = await this.unused.takeOver(item);
    const wasCounted = counted !== item;
    const verdict = await this.ask(counted);
    this.headrooms.noteCount(item, verdict);
    const outcome = { item: counted, mayBeCounted: true, relay: null, leaves: true };
    if (verdict === REFUSED) return { ...outcome, mayBeCounted: wasCounted, reply: UNAVAILABLE };
    if (verdict === AWAY) return { ...outcome, reply: await this.fallback.count(counted) };
    this.fallback.noteRestore(verdict.reason === RESTORE_NOT_ACCEPTED);
    return {
      item: counted,
      mayBeCounted: wasCounted || verdict.action === 'accept',
      relay: verdict.relay ?? null,
      reply: this.replyOf(item, verdict),
      leaves: verdict.count !== 0,
    };
  }

  private replyOf({ domain, forwarded = false, receipt }: Count, verdict: PolicyVerdict): string {
    if (verdict.reason === RESTORE_NOT_ACCEPTED) return replyTo(verdict, domain, forwarded);
    // The limits of receipts say nothing about other messages.
    if (receipt === true) return replyToReceipt(verdict, domain);
    if (forwarded) return verdict.reason === 'domain_not_found' ? PASS : replyTo(verdict, domain, true);
    // A foreign sender, an ended session, or mail that stays on the platform, says nothing about what the domain may
    // send to the outside.
    if (![SESSION_ENDED, 'sender_not_allowed'].includes(verdict.reason ?? '') && verdict.count !== 0) {
      this.fallback.noteVerdict(domain, verdict.action);
    }
    return replyTo(verdict, domain);
  }

  private itemOf(message: WholeMessage, to: readonly string[]) {
    const { bytes, queueId } = message;
    const recipients = to.map(toApiRecipient);
    const session = sessionOf(message);
    const least = session === null ? 0 : Math.min(MAX_COUNT, this.memory.countedAs(session, recipients));
    return {
      recipients,
      bytes: Math.min(bytes, MAX_BYTES),
      id: messageId(this.hostOf(message), queueId),
      ...(least === 0 ? {} : { count: least }),
    };
  }

  private hostOf({ host }: WholeMessage): string {
    return host === '' ? this.mta : host;
  }

  /**
   * A request whose response is lost may have counted the message. The second request has the same id, so it counts
   * once.
   */
  private async ask(item: Count): Promise<CountVerdict | Away | Refused> {
    let verdict = await this.api.count(item);
    if (verdict === AWAY) {
      await setTimeout(this.repeatAfterMs);
      verdict = await this.api.count(item);
    }
    if (typeof verdict === 'string' || verdict.reason !== 'increment_id_reused') return verdict;
    // Another message had this id: the mail server reuses its queue ids because `enable_long_queue_ids` is off.
    return await this.api.count({ ...item, id: `${hash('sha256', item.id)}:${randomUUID()}` });
  }
}

function refused(reply: string): CountedMessage {
  return { reply, added: [], leaves: false };
}

function sessionOf({ clientAddress, clientPort, login }: WholeMessage): string | null {
  return sessionKey(clientAddress, clientPort, login);
}

function groupByDomain(recipients: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const recipient of recipients) {
    const domain = domainOf(recipient);
    const group = groups.get(domain);
    if (group === undefined) groups.set(domain, [recipient]);
    else group.push(recipient);
  }
  return groups;
}

/** Returns `<mta>:<queue id>`, or its hash when the API would reject it. */
function messageId(mta: string, queueId: string): string {
  const id = `${mta}:${queueId === '' ? randomUUID() : queueId}`;
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : hash('sha256', id);
}
