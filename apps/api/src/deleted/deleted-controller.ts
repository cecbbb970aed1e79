import { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { Address } from '@mailstead/core/mailboxes/address';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { EraseDeleted } from '@mailstead/core/restoration/erase-deleted';
import { RestoreDeleted } from '@mailstead/core/restoration/restore-deleted';
import type { RestoredItem } from '@mailstead/core/restoration/restored-item';
import { DomainDetails } from '../domains/domain-details.js';
import { searched } from '../http/paging.js';
import { domainNameField } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import { presentMailbox } from '../mailboxes/mailboxes-dto.js';
import { DeletedQuery, DeletedResponse, presentDeleted, presentLeftOut, RestoredResponse } from './deleted-dto.js';

@needs(DeletedItems, DomainDetails, MailboxRepository, RestoreDeleted, EraseDeleted, Clock)
export class DeletedController implements Controller {
  constructor(
    private readonly deleted: DeletedItems,
    private readonly details: DomainDetails,
    private readonly mailboxes: MailboxRepository,
    private readonly restoreDeleted: RestoreDeleted,
    private readonly eraseDeleted: EraseDeleted,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/deleted/',
        access: 'client',
        summary: 'List deleted domains and mailboxes that can be restored, oldest first',
        query: DeletedQuery,
        response: [DeletedResponse],
        run: ({ actor, query }) => {
          const domain = query.domain === undefined ? undefined : domainNameField('domain', query.domain);
          const filter = { ...query.filter(actor), domain };
          return searched(query, this.deleted.search(scopeOf(actor), filter, this.clock.now()), presentDeleted);
        },
      }),
      route({
        method: 'post',
        path: '/deleted/:deleted_id/restore',
        access: 'client',
        wholePartner: true,
        summary: 'Restore a deleted domain or mailbox with its passwords, aliases and mail',
        errors: [
          'domain_not_found',
          'domain_exists',
          'mailbox_exists',
          'address_in_use',
          'domain_name_reserved',
          'parent_domain_of_other_partner',
          'domain_quota_exceeded',
          'mailbox_quota_exceeded',
        ],
        response: RestoredResponse,
        run: async ({ actor, params }) => {
          const restored = await this.restoreDeleted.execute(actor, deletedIdParam(params.deleted_id));
          return { ...(await this.record(actor, restored)), left_out: restored.leftOut.map(presentLeftOut) };
        },
      }),
      route({
        method: 'post',
        path: '/deleted/:deleted_id/erase',
        access: 'client',
        wholePartner: true,
        summary: 'Erase a deleted domain or mailbox at once, with its mail',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.eraseDeleted.execute(actor, deletedIdParam(params.deleted_id)),
      }),
    ];
  }

  private async record(actor: Actor, { kind, name }: RestoredItem): Promise<object> {
    if (kind === 'domain') {
      return this.details.read(actor, name);
    }
    const mailbox = await this.mailboxes.find(scopeOf(actor), name as Address);
    if (mailbox === null) throw new AppError('deleted_not_found');
    return presentMailbox(mailbox);
  }
}

/** @throws AppError deleted_not_found */
function deletedIdParam(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('deleted_not_found');
  return Number(text);
}
