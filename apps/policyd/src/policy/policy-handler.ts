import type { Fallback } from '../fallback/fallback.js';
import { AWAY, type LookVerdict, type OutboundApi, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import { askable, domainOf, submitterOf } from '../submission.js';
import type { PolicyRequest } from './policy-request.js';
import { type RecipientMemory, sessionKey } from './recipient-memory.js';
import { exceedsHeadroom, PASS, replyTo, UNAVAILABLE } from './verdict-reply.js';

/** The stages at which configurations of earlier releases ask. */
const OUTDATED_STAGES = ['DATA', 'END-OF-MESSAGE'];

/**
 * Answers Postfix's policy requests about recipients. A recipient is refused early where its message cannot leave, and
 * deferred where the sending limit does not cover all the addresses that it stands for. Counts nothing: the milter
 * counts whole messages.
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
    if (login === '') return this.lookWithoutLogin(request, recipient);
    const submitter = submitterOf(login);
    if (typeof submitter === 'string') return submitter;
    const { domain } = submitter;
    const verdict = await this.api.look({ domain, sender: submitter.login, recipient });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.look(domain, submitter.login);
    // Mail between mailboxes of the platform does not leave it; only a suspension stops it.
    if (verdict.counts_as === 0 && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.noteVerdict(domain, verdict.action);
    const reply = replyTo(verdict, domain);
    return reply === PASS ? this.accept(request, recipient, verdict) : reply;
  }

  /** Decides on mail without a login, which leaves only where an alias forwards it. */
  private async lookWithoutLogin(request: PolicyRequest, recipient: string): Promise<string> {
    const domain = domainOf(recipient);
    const verdict = await this.api.look({ domain, recipient, forwarded: true });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.look(domain, `@${domain}`);
    // Postfix itself refuses domains that are not of this platform.
    if (verdict.counts_as === 0 || verdict.reason === 'domain_not_found') return PASS;
    const reply = replyTo(verdict, domain, true);
    return reply === PASS ? this.accept(request, recipient, verdict) : reply;
  }

  /** Accepts a recipient when the headroom covers it in addition to the message's earlier recipients. */
  private accept(request: PolicyRequest, recipient: string, verdict: LookVerdict): string {
    const { client_address: address, client_port: port, sasl_username: login, instance = '' } = request;
    const session = sessionKey(address, port, login) ?? `instance ${instance}`;
    const left =
      verdict.headroom === null ? null : Math.max(0, verdict.headroom - this.memory.taken(session, instance));
    if (left !== null && verdict.counts_as > left) return exceedsHeadroom(recipient, { ...verdict, headroom: left });
    this.memory.note(session, instance, recipient.toLowerCase(), verdict.counts_as);
    return PASS;
  }
}
