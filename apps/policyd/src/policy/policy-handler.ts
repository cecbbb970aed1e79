import { traced } from '@mailstead/core/trace';
import type { Fallback } from '../fallback/fallback.js';
import type { UnusedCounts } from '../fallback/unused-counts.js';
import type { OpenSessions } from '../open-sessions.js';
import { AWAY, type OutboundApi, type PreviewVerdict, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import { domainOf, type Submitter, submitterOf, toApiRecipient } from '../submission.js';
import type { HeadroomMemory } from './headroom-memory.js';
import type { PolicyRequest } from './policy-request.js';
import { type RecipientMemory, sessionKey, type UnfinishedMessage } from './recipient-memory.js';
import {
  exceedsHeadroom,
  PASS,
  RECIPIENT_SUPPRESSED,
  RESTORE_NOT_ACCEPTED,
  replyTo,
  SESSION_ENDED,
  UNAVAILABLE,
} from './verdict-reply.js';

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
 * same message in the last 2 s left headroom for it, and deferred without a request after a limit deferred one of the
 * same message (`docs/decisions/0015-recipients-outside-the-platform.md`). It is also accepted without a request while
 * the login had a preview in the last 2 s with much more headroom than its unfinished messages take
 * (`docs/decisions/0041-no-preview-while-there-is-headroom.md`). Neither holds for a partner that refuses suppressed
 * recipients: its previews say that each recipient has to be asked about. Every other recipient is a new request, and
 * the count at the end of the message decides again.
 */
export class PolicyHandler {
  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly unused: UnusedCounts,
    private readonly memory: RecipientMemory,
    private readonly headrooms: HeadroomMemory,
    private readonly sessions: OpenSessions,
    private readonly observer: PolicyObserver,
  ) {}

  /** @returns the action for Postfix (access(5)). Never throws. */
  answer(request: PolicyRequest): Promise<string> {
    return traced(null, () => this.observedAnswer(request));
  }

  private async observedAnswer(request: PolicyRequest): Promise<string> {
    const stage = request.protocol_state ?? '';
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
    const message = messageOf(request, domain);
    const known = this.answerWithoutRequest(message, submitter, recipient, request.policy_context);
    if (known !== null) return known;
    const askedAt = this.headrooms.now();
    const began = this.sessions.beganOf(request.client_address, request.client_port);
    const session = began === undefined ? {} : { sessionBegan: began };
    const verdict = await this.api.preview({ domain, sender: submitter.login, recipient, ...session });
    this.headrooms.notePreview(submitter, verdict, askedAt);
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, submitter.login);
    this.fallback.noteRestore(verdict.reason === RESTORE_NOT_ACCEPTED);
    if (verdict.reason === RESTORE_NOT_ACCEPTED) return replyTo(verdict, domain);
    if (verdict.reason === SESSION_ENDED) return replyTo(verdict, domain);
    this.memory.notePreview(message, verdict);
    if (verdict.reason === RECIPIENT_SUPPRESSED) {
      const reply = replyTo(verdict, domain);
      this.memory.noteRefused(message, recipient.toLowerCase(), reply);
      return reply;
    }
    // Mail between mailboxes of the platform does not leave it, so only a suspension defers it.
    if (verdict.counts_as === 0 && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.noteVerdict(domain, verdict.action);
    return this.decide(message, recipient, verdict, { domain, charged: submitter.login });
  }

  /**
   * Decides on a recipient by the earlier ones of its message, and by what the login may still send.
   *
   * @returns null when the API must be asked
   */
  private answerWithoutRequest(
    message: UnfinishedMessage,
    submitter: Submitter,
    recipient: string,
    context = '',
  ): string | null {
    // Without an instance, the messages of a session cannot be told apart.
    if (message.instance === '') return null;
    // One copy of it leaves.
    if (this.memory.has(message, recipient.toLowerCase())) return PASS;
    const refusal = this.memory.refusalOf(message, recipient.toLowerCase());
    if (refusal !== null) return refusal;
    if (context !== OUTSIDE || ROUTED.test(recipient)) return null;
    if (this.memory.asksAboutEach(message) || this.headrooms.asksAboutEach(submitter)) return null;
    const isPreviewed = this.memory.isPreviewed(message);
    if (!isPreviewed || this.memory.remaining(message) < 1) {
      if (isPreviewed && this.memory.isFull(message)) return exceedsHeadroom(recipient, { counts_as: 1, headroom: 0 });
      if (!this.needsNoPreview(submitter)) return null;
    }
    this.memory.note(message, recipient.toLowerCase(), 1);
    return PASS;
  }

  /**
   * A message that may take over an unused count needs a preview: that count was decided up to four hours ago, so the
   * end of the message does not show a suspension since then.
   */
  private needsNoPreview(submitter: Submitter): boolean {
    const isCovered = this.headrooms.covers(submitter, this.memory.openOf(submitter.domain));
    return isCovered && !this.unused.has(submitter.login);
  }

  /** Decides on mail without a login. Such mail leaves the platform only when an alias forwards it. */
  private async previewWithoutLogin(request: PolicyRequest, recipient: string): Promise<string> {
    const domain = domainOf(recipient);
    const verdict = await this.api.preview({ domain, recipient, forwarded: true });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, `@${domain}`);
    this.fallback.noteRestore(verdict.reason === RESTORE_NOT_ACCEPTED);
    if (verdict.reason === RESTORE_NOT_ACCEPTED) return replyTo(verdict, domain, true);
    // Postfix refuses domains outside the platform without this request.
    if (verdict.counts_as === 0 || verdict.reason === 'domain_not_found') return PASS;
    const message = messageOf(request, '');
    this.memory.notePreview(message, verdict);
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

function messageOf(request: PolicyRequest, domain: string): UnfinishedMessage {
  const { client_address, client_port, sasl_username, instance = '' } = request;
  return {
    session: sessionKey(client_address, client_port, sasl_username) ?? `instance ${instance}`,
    instance,
    domain,
  };
}
