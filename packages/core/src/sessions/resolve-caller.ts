import { TokenHasher } from '../api-keys/token-hasher.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Caller, type Client, clientOfKey, type OperatorCaller } from '../operators/caller.js';
import type { FoundLink } from '../portal-links/portal-link-repository.js';
import type { FoundSession } from './session-repository.js';

/** A `dns` link changes nothing, so its limits have no meaning. */
const NO_LIMITS = { domainsAllowed: 0, mailboxesPerDomain: 0, aliasesPerMailbox: 0 };

/**
 * Says who a session or a link is now: whoever it is bound to, as wide as that key, token or link is at this moment. So
 * what is taken from a key is taken from its sessions and links with the next request.
 */
@needs(TokenHasher, Clock)
export class ResolveCaller {
  constructor(
    private readonly tokens: TokenHasher,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError invalid_session, api_key_inactive, api_key_expired, invalid_token */
  ofSession({ session, chain, link }: FoundSession): Caller {
    if (session.operatorHash !== null) return this.operator(session.operatorHash);
    if (session.linkId !== null) return this.ofLink(link);
    if (chain === null) throw new AppError('invalid_session');
    chain.refuseUnusable(this.clock.now());
    return clientOfKey(chain);
  }

  /**
   * @param found null: the link or its domain is gone
   * @throws AppError as `ofSession`
   */
  ofLink(found: FoundLink | null): Client {
    if (found === null) throw new AppError('invalid_session');
    const { link, chain, partnerStage } = found;
    const now = this.clock.now();
    // A session of a `manage` link may go on when nobody can enter with the link any more.
    if (link.kind === 'dns' && link.expiresAt <= now) throw new AppError('invalid_session');
    if (chain === null) this.checkMaker(found);
    else chain.refuseUnusable(now);
    const limits = link.kind === 'dns' ? NO_LIMITS : (chain?.limits ?? found.lowestLimits);
    if (limits === null) throw new AppError('invalid_session');
    const mayManage = link.kind === 'manage' && chain?.scope !== 'read';
    const domainIds = chain?.domainIds?.includes(link.domainId) === false ? [] : [link.domainId];
    return {
      kind: 'client',
      partnerId: link.partnerId,
      partnerRef: link.partnerRef,
      partnerStage,
      credential: { kind: 'link', id: link.id, use: link.kind },
      limits,
      scope: mayManage ? 'manage' : 'read',
      domainIds,
    };
  }

  /** Checks that the operator who made a link could make it today. */
  private checkMaker({ link }: FoundLink): void {
    const maker = link.operatorHash === null ? null : this.operator(link.operatorHash);
    if (maker === null || !mayMake(maker, link.kind)) throw new AppError('invalid_session');
  }

  private operator(tokenHash: string): OperatorCaller {
    const operator = this.tokens.operatorOf(tokenHash);
    if (operator === null) throw new AppError('invalid_session');
    return operator;
  }
}

/** Master makes every link, the scope `billing` those that only show DNS records. */
function mayMake(maker: OperatorCaller, kind: 'dns' | 'manage'): boolean {
  return maker.kind === 'master' || (maker.scope === 'billing' && kind === 'dns');
}
