import { hash, randomUUID } from 'node:crypto';
import type { Fallback } from '../fallback/fallback.js';
import { AWAY, type OutboundApi, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import type { PolicyRequest } from './policy-request.js';
import { RecipientMemory } from './recipient-memory.js';
import { NO_MAILBOX, PASS, replyTo, TOO_MANY, UNAVAILABLE } from './verdict-reply.js';

/** What the API takes in one increment. */
const MAX_RECIPIENTS = 10_000;
const MAX_BYTES = 1_099_511_627_776;

/** Who sends, and in which message. */
interface Submission {
  login: string;
  domain: string;
  /** The same over all stages of one message, and of no other (`<mta>:<instance>`). */
  message: string;
}

/**
 * Answers Postfix. A recipient is looked at, and refused early where its message cannot leave; the end of a message counts it,
 * once. Mail that nobody logged in for (port 25) is not this daemon's business.
 */
export class PolicyDesk {
  private readonly memory = new RecipientMemory();

  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly observer: PolicyObserver,
    private readonly mta: string,
  ) {}

  /** @returns the action for Postfix (access(5)). Never throws. */
  async answer(request: PolicyRequest): Promise<string> {
    const stage = request.protocol_state ?? '';
    const submission = this.submissionOf(request);
    const reply = isSubmission(submission) ? await this.decide(stage, request, submission) : submission;
    this.observer.answered(stage, reply.split(' ', 1)[0] ?? '');
    if (isSubmission(submission) && reply !== PASS) this.observer.objected(submission.login, reply);
    return reply;
  }

  /** The submission, or what is answered since it is none. What the API would refuse, and others with it, ends here. */
  private submissionOf(request: PolicyRequest): Submission | string {
    const login = (request.sasl_username ?? '').toLowerCase();
    if (login === '') return PASS;
    const domain = login.slice(login.lastIndexOf('@') + 1);
    if (!/^[\x21-\x7e]{1,254}$/.test(login) || domain === '') return NO_MAILBOX;
    return { login, domain, message: messageId(request.policy_context || this.mta, request.instance ?? '') };
  }

  private decide(stage: string, request: PolicyRequest, submission: Submission): Promise<string> {
    if (stage === 'RCPT') return this.look(request, submission);
    if (stage === 'END-OF-MESSAGE') return this.count(request, submission);
    return Promise.resolve(PASS);
  }

  private async look(
    { recipient = '', queue_id: queueId = '' }: PolicyRequest,
    { login, domain, message }: Submission,
  ): Promise<string> {
    const recipientDomain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
    const verdict = await this.api.look({
      domain,
      sender: login,
      // What can be no domain is not asked about, and leaves.
      recipient_domain: isDomainLike(recipientDomain) ? recipientDomain : 'invalid',
    });
    if (verdict === REFUSED) return UNAVAILABLE;
    const passes = (staysHere: boolean) => {
      this.memory.note(message, recipient.toLowerCase(), staysHere, queueId === '');
      return PASS;
    };
    if (verdict === AWAY) {
      const reply = await this.fallback.look(domain, login);
      if (reply === PASS) this.memory.noteUnknown(message);
      return reply;
    }
    // Between mailboxes of the platform nothing is sent through the relay: only a suspension stops it.
    if (verdict.stays_here && verdict.reason !== 'domain_suspended') return passes(true);
    this.fallback.heard(domain, verdict.action);
    const reply = replyTo(verdict, domain);
    return reply === PASS ? passes(false) : reply;
  }

  private async count(request: PolicyRequest, { login, domain, message }: Submission): Promise<string> {
    const accepted = Math.max(1, wholeNumber(request.recipient_count));
    const leaving = this.memory.leaving(message);
    // Other checks may refuse recipients after they were noted. Unnoted ones count, whoever they are.
    const count = leaving === null ? accepted : Math.min(accepted, leaving);
    if (count === 0) return PASS;
    if (count > MAX_RECIPIENTS) return TOO_MANY;
    const bytes = Math.min(wholeNumber(request.size) * count, MAX_BYTES);
    const item = { domain, count, bytes, sender: login, id: message };
    const verdict = await this.api.count(item);
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.count(item);
    this.fallback.heard(domain, verdict.action);
    return replyTo(verdict, domain);
  }
}

function isSubmission(submission: Submission | string): submission is Submission {
  return typeof submission !== 'string';
}

/** `<mta>:<instance>`, in a form that the API takes. */
function messageId(mta: string, instance: string): string {
  const id = `${mta}:${instance === '' ? randomUUID() : instance}`;
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : hash('sha256', id);
}

function isDomainLike(domain: string): boolean {
  return /^[\p{L}\p{M}\p{N}._-]+$/u.test(domain) && Buffer.byteLength(domain) <= 254;
}

function wholeNumber(text = ''): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}
