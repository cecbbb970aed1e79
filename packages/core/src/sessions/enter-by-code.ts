import { TokenHasher } from '../api-keys/token-hasher.js';
import type { Brand } from '../brands/brand.js';
import { BrandOfLink } from '../brands/brand-of-link.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import { WrongTokens } from '../limits/wrong-tokens.js';
import { needs } from '../needs.js';
import type { Caller, Client } from '../operators/caller.js';
import type { LinkKind } from '../portal-links/portal-link.js';
import { type FoundLink, PortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type OpenedSession, OpenSession } from './open-session.js';
import { ResolveCaller } from './resolve-caller.js';
import { TerminalCode } from './terminal-code.js';

/** A code, and from where it came. */
export interface GivenCode {
  code: string;
  /** Returns the IP address of the sender. Wrong codes count for it. */
  address: () => string;
  /** Whether it came from this machine. The code of the terminal is for it alone. */
  isLocal: boolean;
  /** Charges whom a right code lets in. @throws AppError rate_limited */
  charge: (caller: Client) => void;
}

/** Who one will be with a code. */
export interface CodePreview {
  /** Null for the code of the terminal, which opens a session of master. */
  link: LinkKind | null;
  domain: DomainName | null;
  /** What the partner of the domain shows its customers; null for nothing. */
  brand: Brand | null;
  /** Until when one can enter with it. */
  expiresAt: Date;
}

/**
 * Opens a session with the code of a portal link, or with the code of the terminal. Wrong codes count like wrong
 * tokens.
 */
@needs(
  UnitOfWork,
  PortalLinkRepository,
  ResolveCaller,
  OpenSession,
  BrandOfLink,
  TerminalCode,
  WrongTokens,
  TokenHasher,
  Clock,
)
export class EnterByCode {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: PortalLinkRepository,
    private readonly callers: ResolveCaller,
    private readonly openSession: OpenSession,
    private readonly brands: BrandOfLink,
    private readonly terminal: TerminalCode,
    private readonly wrongTokens: WrongTokens,
    private readonly tokens: TokenHasher,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError invalid_code, too_many_wrong_tokens, rate_limited */
  async execute(given: GivenCode): Promise<OpenedSession & { caller: Caller }> {
    const hash = this.tokens.hash(given.code);
    const entered = await this.enterByTerminal(given, hash);
    if (entered !== null) return entered;
    await this.admit(given, hash);
    return this.unitOfWork.run(() => this.enterByLink(hash));
  }

  /** Uses nothing up. @throws AppError invalid_code, too_many_wrong_tokens, rate_limited */
  async preview(given: GivenCode): Promise<CodePreview> {
    const hash = this.tokens.hash(given.code);
    const expiresAt = given.isLocal ? this.terminal.expiryOf(hash) : null;
    if (expiresAt !== null) return { link: null, domain: null, brand: null, expiresAt };
    const { found, caller } = await this.admit(given, hash);
    const { kind, domainName, expiresAt: linkExpiresAt } = found.link;
    return { link: kind, domain: domainName, brand: await this.brands.read(caller), expiresAt: linkExpiresAt };
  }

  /** Counts a wrong code for its address, and a right one for its link, which many people may have. */
  private async admit({ address, charge }: GivenCode, hash: string): Promise<{ found: FoundLink; caller: Client }> {
    const find = () => this.usable(hash);
    const usable = await this.wrongTokens.lookUp(hash, address, find, ({ caller }) => caller.partnerId);
    charge(usable.caller);
    return usable;
  }

  private async enterByTerminal(
    { isLocal }: GivenCode,
    hash: string,
  ): Promise<(OpenedSession & { caller: Caller }) | null> {
    const tokenHash = isLocal ? this.terminal.take(hash) : null;
    const caller = tokenHash === null ? null : this.tokens.operatorOf(tokenHash);
    if (tokenHash === null || caller === null) return null;
    try {
      return { ...(await this.openSession.open({ kind: 'operator', tokenHash }, 'all')), caller };
    } catch (error) {
      this.terminal.giveBack(hash);
      throw error;
    }
  }

  private async enterByLink(hash: string): Promise<OpenedSession & { caller: Client }> {
    // Of two exchanges at once, the second one waits here and finds a link of one use used.
    await this.links.lockByCode(hash);
    const { found, caller } = await this.usable(hash);
    const { link } = found;
    if (link.usedAt === null) {
      link.usedAt = this.clock.now();
      await this.links.saveUse(link);
    }
    const owner = { kind: 'link' as const, id: link.id, use: link.kind };
    const latest = link.kind === 'dns' ? link.expiresAt : undefined;
    const opened = await this.openSession.open(owner, link.partnerId, latest);
    return { ...opened, caller };
  }

  /** @throws AppError invalid_code, with the `brand` of a link that was right until it was used or expired */
  private async usable(hash: string): Promise<{ found: FoundLink; caller: Client }> {
    const found = await this.links.findByCode(hash);
    if (found === null) throw new AppError('invalid_code');
    if (!found.link.canBeUsed(this.clock.now())) throw await this.refusalOfEnded(found);
    try {
      return { found, caller: this.callers.ofLink(found) };
    } catch (error) {
      throw error instanceof AppError ? new AppError('invalid_code', { cause: error }) : error;
    }
  }

  private async refusalOfEnded({ link: { partnerId }, partnerStage }: FoundLink): Promise<AppError> {
    const brand = await this.brands.ofPartner({ partnerId, partnerStage });
    return new AppError('invalid_code', brand === null ? {} : { members: { brand: whomToAsk(brand) } });
  }
}

function whomToAsk({ name, supportEmail, supportUrl }: Brand): Record<string, string | null> {
  return { name, support_email: supportEmail, support_url: supportUrl };
}
