import type { Domain } from '../domains/domain.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError, invalidField } from '../errors.js';
import type { Address, ParsedAddress } from '../mailboxes/address.js';
import type { Mailbox } from '../mailboxes/mailbox.js';
import { MailboxRepository } from '../mailboxes/mailbox-repository.js';
import { needs, token } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { isFull } from '../partners/limit.js';
import type { PartnerRows } from '../partners/partner-scope.js';
import { AliasRepository } from './alias-repository.js';

/**
 * Each outside destination is a mailbox of its own for the limit of the key, so it alone bounds no number of aliases.
 */
const MOST_OF_A_DOMAIN = 100_000;
/** The highest limit of a key. */
const MOST_COUNTED = 1_000_000;

export interface AliasOptions {
  /** `ALLOW_EXTERNAL_FORWARD`. */
  allowExternalForward: boolean;
}
export const AliasOptions = token<AliasOptions>('AliasOptions');

/**
 * The rules for the destination of an alias, new or changed: a mailbox of the same partner. An outside destination must
 * be allowed by the operator (`allowExternalForward`) and be set up on the mail servers.
 */
@needs(DomainRepository, MailboxRepository, AliasRepository, AliasOptions)
export class AliasDestinations {
  constructor(
    private readonly domains: DomainRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly aliases: AliasRepository,
    private readonly options: AliasOptions,
  ) {}

  /**
   * @returns the partner's mailbox with that address; null for an outside address. An address of a domain on this
   * platform whose inbound is open is not an outside address.
   * @throws AppError mailbox_not_found, validation_failed
   */
  async find(actor: Actor, domain: Domain, destination: ParsedAddress): Promise<Mailbox | null> {
    const scope = rowsOf(actor, domain);
    const mailbox = await this.mailboxes.find(scope, destination.address.toLowerCase() as Address);
    if (mailbox !== null) return mailbox;
    if ((await this.domains.find(scope, destination.domain)) !== null) throw new AppError('mailbox_not_found');
    if (!this.options.allowExternalForward) {
      throw invalidField(
        'destination',
        'must be a mailbox of the same partner; forwarding to outside addresses is switched off',
      );
    }
    if ((await this.domains.find('all', destination.domain))?.inbound === 'open') {
      throw new AppError('mailbox_not_found');
    }
    if (!(await this.aliases.isForwardingSetUp())) {
      throw invalidField(
        'destination',
        'must be a mailbox of the same partner; forwarding to outside addresses is allowed, but not set up on the mail servers',
      );
    }
    return null;
  }

  /** Whether an alias may have an outside destination now: it is allowed, and set up on the mail servers. */
  async mayForward(): Promise<boolean> {
    return this.options.allowExternalForward && (await this.aliases.isForwardingSetUp());
  }

  /**
   * Whether a client may add an alias with an outside destination to the domain, which must be locked.
   * @throws AppError alias_quota_exceeded
   */
  refuseFullDomain(actor: Actor, { aliasCount }: Domain): void {
    if (actor.kind !== 'client' || aliasCount < MOST_OF_A_DOMAIN) return;
    throw new AppError('alias_quota_exceeded', { members: { limit: MOST_OF_A_DOMAIN, used: aliasCount } });
  }

  /**
   * Call it while the partner is locked: only then no other request takes the last place.
   * @throws AppError alias_quota_exceeded
   */
  async refuseFull(actor: Actor, domain: Domain, destination: Address): Promise<void> {
    if (actor.kind !== 'client' || actor.limits.aliasesPerMailbox === 0) return;
    const limit = actor.limits.aliasesPerMailbox;
    const scope = rowsOf(actor, domain);
    if (isFull(limit, await this.aliases.countTo(scope, destination, limit))) {
      // The first count ends at the limit, which may have been lowered below what exists.
      const used = await this.aliases.countTo(scope, destination, MOST_COUNTED);
      throw new AppError('alias_quota_exceeded', { members: { limit, used } });
    }
  }
}

/** The partner's rows. A caller limited to some domains delivers only within these, and only their aliases count. */
function rowsOf(actor: Actor, { partnerId }: Domain): PartnerRows {
  return { partnerId, domainIds: actor.kind === 'client' ? actor.domainIds : null };
}
