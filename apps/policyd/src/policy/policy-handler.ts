import type { Fallback } from '../fallback/fallback.js';
import { AWAY, type OutboundApi, type PreviewVerdict, REFUSED } from '../outbound-api.js';
import type { PolicyObserver } from '../policy-observer.js';
import { domainOf, submitterOf, toApiRecipient } from '../submission.js';
import type { PolicyRequest } from './policy-request.js';
import { type RecipientMemory, sessionKey } from './recipient-memory.js';
import { exceedsHeadroom, PASS, replyTo, UNAVAILABLE } from './verdict-reply.js';

/** Configurations of earlier releases send requests at these stages. */
const OUTDATED_STAGES = ['DATA', 'END-OF-MESSAGE'];

/**
 * Decides on Postfix's policy requests about recipients. Refuses a recipient when its message may not leave. Defers a
 * recipient that counts as more outside recipients than the headroom. Does not count: the milter counts whole messages.
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
    const verdict = await this.api.preview({ domain, sender: submitter.login, recipient });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, submitter.login);
    // Mail between mailboxes of the platform does not leave it, so only a suspension defers it.
    if (verdict.counts_as === 0 && verdict.reason !== 'domain_suspended') return PASS;
    this.fallback.noteVerdict(domain, verdict.action);
    const reply = replyTo(verdict, domain);
    return reply === PASS ? this.accept(request, recipient, verdict) : reply;
  }

  /** Decides on mail without a login. Such mail leaves the platform only when an alias forwards it. */
  private async previewWithoutLogin(request: PolicyRequest, recipient: string): Promise<string> {
    const domain = domainOf(recipient);
    const verdict = await this.api.preview({ domain, recipient, forwarded: true });
    if (verdict === REFUSED) return UNAVAILABLE;
    if (verdict === AWAY) return this.fallback.preview(domain, `@${domain}`);
    // Postfix refuses domains outside the platform without this request.
    if (verdict.counts_as === 0 || verdict.reason === 'domain_not_found') return PASS;
    const reply = replyTo(verdict, domain, true);
    return reply === PASS ? this.accept(request, recipient, verdict) : reply;
  }

  /** Accepts a recipient when the headroom covers it in addition to the message's earlier recipients. */
  private accept(request: PolicyRequest, recipient: string, verdict: PreviewVerdict): string {
    const { client_address: address, client_port: port, sasl_username: login, instance = '' } = request;
    const session = sessionKey(address, port, login) ?? `instance ${instance}`;
    const remaining =
      verdict.headroom === null ? null : Math.max(0, verdict.headroom - this.memory.taken(session, instance));
    if (remaining !== null && verdict.counts_as > remaining)
      return exceedsHeadroom(recipient, { ...verdict, headroom: remaining });
    this.memory.note(session, instance, recipient.toLowerCase(), verdict.counts_as);
    return PASS;
  }
}
