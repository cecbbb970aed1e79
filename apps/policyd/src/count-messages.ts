import { hash, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Fallback } from './fallback/fallback.js';
import { MessageCounter, type WholeMessage } from './milter/message-counter.js';
import { AWAY, type Away, type Count, type OutboundApi, REFUSED, type Refused } from './outbound-api.js';
import { type RecipientMemory, sessionKey } from './policy/recipient-memory.js';
import { NO_RECIPIENTS, PASS, type PolicyVerdict, replyTo, TOO_MANY, UNAVAILABLE } from './policy/verdict-reply.js';
import { domainOf, submitterOf, toApiRecipient } from './submission.js';

/** The API's limits for one increment. */
const MAX_RECIPIENTS = 1_000;
const MAX_COUNT = 10_000;
const MAX_BYTES = 1_099_511_627_776;
/** When a response is lost, the request is repeated once after this time. It must exceed the pause of `OutboundApi`. */
const REPEAT_AFTER_MS = 1_100;

/**
 * Counts whole messages through the API. A message with a login counts for that mailbox, which must be allowed to use the
 * message's sender addresses. A message without a login counts as forwarded mail of each recipient's domain.
 */
export class CountMessages extends MessageCounter {
  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly memory: RecipientMemory,
    private readonly mta: string,
  ) {
    super();
  }

  override async count(message: WholeMessage): Promise<string | null> {
    if (message.recipients.length === 0) return NO_RECIPIENTS;
    if (message.recipients.length > MAX_RECIPIENTS) return TOO_MANY;
    const reply = message.login === '' ? await this.countForwarded(message) : await this.countSent(message);
    const session = sessionOf(message);
    if (session !== null) this.memory.forget(session);
    return reply === PASS ? null : reply;
  }

  private async countSent(message: WholeMessage): Promise<string> {
    const submitter = submitterOf(message.login);
    if (typeof submitter === 'string') return submitter;
    const { login, domain } = submitter;
    const item = { ...this.itemOf(message, message.recipients), domain, sender: login, claims: [...message.claims] };
    const verdict = await this.ask(item);
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.count(item);
    // A foreign sender says nothing about the domain.
    if (verdict.reason !== 'sender_not_allowed') this.fallback.noteVerdict(domain, verdict.action);
    return replyTo(verdict, domain);
  }

  /** When one domain defers the message, it stays counted for the others, although the sender then sends it again to all. */
  private async countForwarded(message: WholeMessage): Promise<string> {
    const byDomain = groupByDomain(message.recipients);
    const replies = await Promise.all(
      Array.from(byDomain, async ([domain, recipients]) => {
        if (!/^[a-z0-9.-]{1,253}$/.test(domain)) return PASS;
        const item = { ...this.itemOf(message, recipients), domain, forwarded: true };
        const verdict = await this.ask(item);
        if (verdict === REFUSED) return UNAVAILABLE;
        if (verdict === AWAY) return this.fallback.count(item);
        return verdict.reason === 'domain_not_found' ? PASS : replyTo(verdict, domain, true);
      }),
    );
    return replies.find((reply) => reply !== PASS) ?? PASS;
  }

  private itemOf(message: WholeMessage, to: readonly string[]) {
    const { bytes, host, queueId } = message;
    const recipients = to.map(toApiRecipient);
    const session = sessionOf(message);
    const least = session === null ? 0 : Math.min(MAX_COUNT, this.memory.countedAs(session, recipients));
    return {
      recipients,
      bytes: Math.min(bytes, MAX_BYTES),
      id: messageId(host === '' ? this.mta : host, queueId),
      ...(least === 0 ? {} : { count: least }),
    };
  }

  /** A request whose response is lost may have counted the message. The second request has the same id, so it counts once. */
  private async ask(item: Count): Promise<PolicyVerdict | Away | Refused> {
    let verdict = await this.api.count(item);
    if (verdict === AWAY) {
      await setTimeout(REPEAT_AFTER_MS);
      verdict = await this.api.count(item);
    }
    if (typeof verdict === 'string' || verdict.reason !== 'increment_id_reused') return verdict;
    // Another message had this id: the mail server reuses its queue ids because `enable_long_queue_ids` is off.
    return await this.api.count({ ...item, id: `${hash('sha256', item.id)}:${randomUUID()}` });
  }
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
