import type { Config } from '@mailstead/adapters/config';
import { listOf } from '@mailstead/adapters/config-lists';
import { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import type { Actor } from '@mailstead/core/operators/actor';
import { CreatePortalLink } from '@mailstead/core/portal-links/create-portal-link';
import { LINK_KINDS, LINK_LIFETIMES, type LinkKind } from '@mailstead/core/portal-links/portal-link';
import { LINKED } from './invented.js';

const GONE: readonly string[] = ['domain_not_found', 'partner_has_no_key'];

/** The links of a demo for customers, at most one of each kind. */
export type DemoLinks = Partial<Record<LinkKind, string>>;

/** Makes the links that the start of a demo prints. */
@needs(CreatePortalLink, TokenHasher)
export class CreateDemoLinks {
  constructor(
    private readonly createPortalLink: CreatePortalLink,
    private readonly tokens: TokenHasher,
  ) {}

  /**
   * @param portalUrl the URL of the portal, with a slash at its end
   * @returns no link for a domain that was deleted, or whose partner has no key any more
   */
  async execute({ masterToken }: Pick<Config, 'masterToken'>, portalUrl: string): Promise<DemoLinks> {
    const operatorHash = this.tokens.hash(listOf(masterToken)[0] ?? '');
    const actor: Actor = { kind: 'master', name: 'demo', operatorHash, requestId: null };
    const links: DemoLinks = {};
    for (const kind of LINK_KINDS) {
      const { unitMs, max } = LINK_LIFETIMES[kind];
      const domain = LINKED[kind] as DomainName;
      const command = { domain, kind, lifetimeMs: max * unitMs };
      const created = await this.createPortalLink.execute(actor, command).catch(nullWhenGone);
      if (created !== null) links[kind] = `${portalUrl}enter#code=${created.code}`;
    }
    return links;
  }
}

function nullWhenGone(error: unknown): null {
  if (error instanceof AppError && GONE.includes(error.code)) return null;
  throw error;
}
