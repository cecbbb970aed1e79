import { ApiKeyRepository } from '../api-keys/api-key-repository.js';
import { TokenHasher } from '../api-keys/token-hasher.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { DomainLocks } from '../domains/domain-locks.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { RandomSource } from '../random-source.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutLink } from './about-link.js';
import { type LinkKind, type LinkMaker, PortalLink } from './portal-link.js';
import { PortalLinkRepository } from './portal-link-repository.js';

/** Links of a key that have not expired. */
const MOST_OF_A_KEY = 100;

export interface CreatePortalLinkCommand {
  domain: DomainName;
  kind: LinkKind;
  /** For how long somebody can enter with it. */
  lifetimeMs: number;
}

/** Makes a link that lets somebody into the portal for one domain. */
@needs(UnitOfWork, DomainLocks, ApiKeyRepository, PortalLinkRepository, TokenHasher, RandomSource, AuditLog, Clock)
export class CreatePortalLink {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly apiKeys: ApiKeyRepository,
    private readonly links: PortalLinkRepository,
    private readonly tokens: TokenHasher,
    private readonly random: RandomSource,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the link and its code, which is not stored.
   * @throws AppError scope_not_allowed, domain_not_found, partner_has_no_key, too_many_links, invalid_token (the key
   * was deleted meanwhile)
   */
  execute(
    actor: Actor,
    { domain: name, kind, lifetimeMs }: CreatePortalLinkCommand,
  ): Promise<{ link: PortalLink; code: string }> {
    if (actor.kind === 'operator' && kind === 'manage') throw new AppError('scope_not_allowed');
    return this.unitOfWork.run(async () => {
      const { domain } = await this.locks.domain(actor, name);
      const maker = await this.makerOf(actor);
      const now = this.clock.now();
      // Exact, because all keys that may make a link of the domain are its partner's, which is locked.
      if (maker.keyId !== null && (await this.links.countOpenOfKey(maker.keyId, now)) >= MOST_OF_A_KEY) {
        throw new AppError('too_many_links');
      }
      if (
        kind === 'manage' &&
        maker.keyId === null &&
        (await this.links.lowestLimits(domain.partnerId, now)) === null
      ) {
        throw new AppError('partner_has_no_key');
      }
      const code = this.random.secret();
      const link = await this.links.add(
        PortalLink.create({
          codeHash: this.tokens.hash(code),
          kind,
          domainId: domain.id,
          domainName: domain.name,
          partnerId: domain.partnerId,
          partnerRef: domain.partnerRef,
          ...maker,
          createdAt: now,
          expiresAt: new Date(now.getTime() + lifetimeMs),
        }),
      );
      await this.audit.append(actor, now, aboutLink(link, 'link.create'));
      return { link, code };
    });
  }

  /** A session makes links as its key or its operator, so that they do not end with the session. */
  private async makerOf(actor: Actor): Promise<LinkMaker> {
    if (actor.kind !== 'client') {
      const operatorHash = actor.kind === 'system' ? undefined : actor.operatorHash;
      if (operatorHash === undefined) throw new AppError('internal_error', { detail: 'A link needs a maker' });
      return { keyId: null, operatorHash };
    }
    const { credential } = actor;
    if (credential.kind === 'link') throw new AppError('link_not_allowed');
    // The partner is locked, so the key stays until the link is stored.
    if ((await this.apiKeys.find({ id: credential.id })) === null) throw new AppError('invalid_token');
    return { keyId: credential.id, operatorHash: null };
  }
}
