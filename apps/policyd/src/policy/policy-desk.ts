import type { Fallback } from '../fallback/fallback.js';
import { AWAY, type OutboundApi } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import type { PolicyRequest } from './policy-request.js';
import { RecipientMemory } from './recipient-memory.js';
import { PASS, replyTo } from './verdict-reply.js';

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
    const reply = submission === null ? PASS : await this.decide(stage, request, submission);
    this.observer.answered(stage, reply.split(' ', 1)[0] ?? '');
    if (submission !== null && reply !== PASS) this.observer.objected(submission.login, reply);
    return reply;
  }

  private submissionOf(request: PolicyRequest): Submission | null {
    const login = (request.sasl_username ?? '').toLowerCase();
    if (login === '') return null;
    const mta = request.policy_context || this.mta;
    return { login, domain: login.slice(login.lastIndexOf('@') + 1), message: `${mta}:${request.instance ?? ''}` };
  }

  private decide(stage: string, request: PolicyRequest, submission: Submission): Promise<string> {
    if (stage === 'RCPT') return this.look(request, submission);
    if (stage === 'END-OF-MESSAGE') return this.count(request, submission);
    return Promise.resolve(PASS);
  }

  private async look({ recipient = '' }: PolicyRequest, { login, domain, message }: Submission): Promise<string> {
    const recipientDomain = recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase();
    const verdict = await this.api.look({ domain, sender: login, recipient_domain: recipientDomain });
    if (verdict === AWAY) return this.fallback.look(domain, login);
    this.memory.note(message, recipient.toLowerCase(), verdict.stays_here);
    // Between mailboxes of the platform nothing is sent through the relay: only a suspension stops it.
    if (verdict.stays_here && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.heard(domain, verdict.action);
    return replyTo(verdict, domain);
  }

  private async count(request: PolicyRequest, { login, domain, message }: Submission): Promise<string> {
    const accepted = Math.max(1, wholeNumber(request.recipient_count));
    const leaving = this.memory.takeLeaving(message);
    // Recipients that were refused after they were noted are not among the accepted. Unnoted ones count, whoever they are.
    const count = leaving === null ? accepted : Math.min(accepted, leaving);
    if (count === 0) return PASS;
    const item = { domain, count, bytes: wholeNumber(request.size) * count, sender: login, id: message };
    const verdict = await this.api.count(item);
    if (verdict === AWAY) return this.fallback.count(item);
    this.fallback.heard(domain, verdict.action);
    return replyTo(verdict, domain);
  }
}

function wholeNumber(text = ''): number {
  return /^\d{1,12}$/.test(text) ? Number(text) : 0;
}
