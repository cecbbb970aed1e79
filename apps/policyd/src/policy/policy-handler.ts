import type { Fallback } from '../fallback/fallback.js';
import { AWAY, type LookVerdict, type OutboundApi, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import { askable, domainOf, submitterOf } from '../submission.js';
import type { PolicyRequest } from './policy-request.js';
import { type RecipientMemory, sessionKey } from './recipient-memory.js';
import { noRoom, PASS, replyTo, UNAVAILABLE } from './verdict-reply.js';

/** What Postfix asked at in earlier releases. */
const OUTDATED_STAGES = ['DATA', 'END-OF-MESSAGE'];

/**
 * Answers Postfix about recipients. Each is looked at, and refused early where its message cannot leave, or puts off where
 * there is no room for all that it stands for. Nothing is counted: the milter does that, when the message is whole.
 */
export class PolicyHandler {
  constructor(
    private readonly api: OutboundApi,
    private readonly fallback: Fallback,
    private readonly memory: RecipientMemory,
    private readonly observer: PolicyObserver,
  ) {}

  /** @returns the action for Postfix (access(5)). Never throws. */
  async answer(request: PolicyRequest): Promise<string> {
    const stage = request.protocol_state ?? '';
    if (OUTDATED_STAGES.includes(stage)) this.observer.outdated(stage);
    const reply = stage === 'RCPT' ? await this.look(request) : PASS;
    this.observer.answered(stage, reply.split(' ', 1)[0] ?? '');
    if (reply !== PASS) this.observer.objected(request.sasl_username ?? '', reply);
    return reply;
  }

  private async look(request: PolicyRequest): Promise<string> {
    const recipient = askable(request.recipient ?? '');
    const login = request.sasl_username ?? '';
    if (login === '') return this.lookAtStranger(request, recipient);
    const submitter = submitterOf(login);
    if (typeof submitter === 'string') return submitter;
    const { domain } = submitter;
    const verdict = await this.api.look({ domain, sender: submitter.login, recipient });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.look(domain, submitter.login);
    // Between mailboxes of the platform nothing leaves: only a suspension stops it.
    if (verdict.counts_as === 0 && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.heard(domain, verdict.action);
    const reply = replyTo(verdict, domain);
    return reply === PASS ? this.take(request, recipient, verdict) : reply;
  }

  /** Mail that nobody logged in for leaves only where an alias forwards it. */
  private async lookAtStranger(request: PolicyRequest, recipient: string): Promise<string> {
    const domain = domainOf(recipient);
    const verdict = await this.api.look({ domain, recipient, forwarded: true });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.look(domain, `@${domain}`);
    // What is no domain of this platform is Postfix's to refuse.
    if (verdict.counts_as === 0 || verdict.reason === 'domain_not_found') return PASS;
    const reply = replyTo(verdict, domain, true);
    return reply === PASS ? this.take(request, recipient, verdict) : reply;
  }

  /** Lets a recipient through when all that it stands for fits beside the message's earlier recipients. */
  private take(request: PolicyRequest, recipient: string, verdict: LookVerdict): string {
    const { client_address: address, client_port: port, sasl_username: login, instance = '' } = request;
    const session = sessionKey(address, port, login) ?? `instance ${instance}`;
    const left =
      verdict.headroom === null ? null : Math.max(0, verdict.headroom - this.memory.taken(session, instance));
    if (left !== null && verdict.counts_as > left) return noRoom(recipient, { ...verdict, headroom: left });
    this.memory.note(session, instance, recipient.toLowerCase(), verdict.counts_as);
    return PASS;
  }
}
