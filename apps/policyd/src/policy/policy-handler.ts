import type { Fallback } from '../fallback/fallback.js';
import type { UnusedCounts } from '../fallback/unused-counts.js';
import { AWAY, type OutboundApi, type PreviewVerdict, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import { domainOf, submitterOf, toApiRecipient } from '../submission.js';
import type { PolicyRequest } from './policy-request.js';
import { type RecipientMemory, sessionKey, type UnfinishedMessage } from './recipient-memory.js';
import { exceedsHeadroom, PASS, replyTo, UNAVAILABLE } from './verdict-reply.js';

/** Configurations of earlier releases send requests at these stages. @until 5.2 */
const OUTDATED_STAGES = ['DATA', 'END-OF-MESSAGE'];
/** The `policy_context` of a recipient whose domain is not in Postfix's map of the platform's domains. */
const OUTSIDE = 'outside';
/**
 * An address with another route in its local part. Postfix does not let the class of a hosted recipient permit such an
 * address, and asks about it a second time as if it was outside.
 */
const ROUTED = /[%!]|@.*@/;

/** The reasons that more headroom would end. */
const LIMITS = ['mailbox_limit', 'daily_limit', 'monthly_limit', 'transfer_limit'];

interface Account {
  domain: string;
  /** The login, or `@domain` of forwarded mail. */
  charged: string;
  forwarded?: boolean;
}

/**
 * Decides on Postfix's policy requests about recipients. Refuses a recipient when its message may not leave. Defers a
 * recipient that counts as more outside recipients than the headroom. Does not count: the milter counts whole messages.
 *
 * A recipient that Postfix knows to be outside is accepted without a request to the API when an earlier preview of the
 * same message left headroom for it, and deferred without a request after a limit deferred one of the same message.
 * Every other recipient and the first one of each message is a new request, and the count at the end of the message
 * decides again (`docs/decisions/0015-recipients-outside-the-platform.md`).
 */
export class PolicyHandler {
  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly unused: UnusedCounts,
    private readonly memory: RecipientMemory,
    private readonly observer: PolicyObserver,
  ) {}

  /** @returns the action for Postfix (access(5)). Never throws. */
  async answer(request: PolicyRequest): Promise<string> {
    const stage = request.protocol_state ?? '';
    if (OUTDATED_STAGES.includes(stage)) this.observer.outdated(stage);
    const reply = stage === 'RCPT' ? await this.preview(request) : PASS;
    this.observer.answered(stage, reply.split(' ', 1)[0] ?? '');
    if (reply !== PASS) this.observer.objected(request.sasl_username ?? '', reply);
    return reply;
  }

  private async preview(request: PolicyRequest): Promise<string> {
    const recipient = toApiRecipient(request.recipient ?? '');
    const login = request.sasl_username ?? '';
    if (login === '') return this.previewWithoutLogin(request, recipient);
    const submitter = submitterOf(login);
    if (typeof submitter === 'string') return submitter;
    const { domain } = submitter;
    const message = messageOf(request);
    const later = this.answerLater(message, recipient, request.policy_context);
    if (later !== null) return later;
    const verdict = await this.api.preview({ domain, sender: submitter.login, recipient });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, submitter.login);
    this.memory.noteHeadroom(message, verdict.headroom);
    // Mail between mailboxes of the platform does not leave it, so only a suspension defers it.
    if (verdict.counts_as === 0 && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.noteVerdict(domain, verdict.action);
    return this.decide(message, recipient, verdict, { domain, charged: submitter.login });
  }

  /** Decides on a recipient by the earlier ones of its message. @returns null when the API must be asked. */
  private answerLater(message: UnfinishedMessage, recipient: string, context = ''): string | null {
    // Without an instance, the messages of a session cannot be told apart.
    if (message.instance === '') return null;
    // One copy of it leaves.
    if (this.memory.has(message, recipient.toLowerCase())) return PASS;
    if (context !== OUTSIDE || ROUTED.test(recipient)) return null;
    if (this.memory.remaining(message) >= 1) {
      this.memory.note(message, recipient.toLowerCase(), 1);
      return PASS;
    }
    return this.memory.isFull(message) ? exceedsHeadroom(recipient, { counts_as: 1, headroom: 0 }) : null;
  }

  /** Decides on mail without a login. Such mail leaves the platform only when an alias forwards it. */
  private async previewWithoutLogin(request: PolicyRequest, recipient: string): Promise<string> {
    const domain = domainOf(recipient);
    const verdict = await this.api.preview({ domain, recipient, forwarded: true });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, `@${domain}`);
    // Postfix refuses domains outside the platform without this request.
    if (verdict.counts_as === 0 || verdict.reason === 'domain_not_found') return PASS;
    const message = messageOf(request);
    this.memory.noteHeadroom(message, verdict.headroom);
    return this.decide(message, recipient, verdict, { domain, charged: `@${domain}`, forwarded: true });
  }

  /**
   * Accepts a recipient when the headroom covers it in addition to the message's earlier recipients. No limit refuses
   * it while its message may take over an unused count: then the count at the end of the message decides.
   */
  private decide(message: UnfinishedMessage, recipient: string, verdict: PreviewVerdict, account: Account): string {
    const mayBeCounted = this.unused.has(account.charged);
    const isOverLimit = verdict.action === 'defer' && LIMITS.includes(verdict.reason ?? '');
    const reply = replyTo(verdict, account.domain, account.forwarded);
    const remaining = this.memory.remaining(message);
    if (reply !== PASS && !isOverLimit) return reply;
    if (mayBeCounted || verdict.counts_as <= remaining) {
      this.memory.note(message, recipient.toLowerCase(), verdict.counts_as);
      return PASS;
    }
    if (remaining < 1) this.memory.noteFull(message);
    return reply === PASS ? exceedsHeadroom(recipient, { ...verdict, headroom: remaining }) : reply;
  }
}

function messageOf({ client_address, client_port, sasl_username, instance = '' }: PolicyRequest): UnfinishedMessage {
  return { session: sessionKey(client_address, client_port, sasl_username) ?? `instance ${instance}`, instance };
}
