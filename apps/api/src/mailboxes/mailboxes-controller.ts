import { AppError, invalidField } from '@mailstead/core/errors';
import { ChangeMailbox, type MailboxChanges } from '@mailstead/core/mailboxes/change-mailbox';
import { CommonPasswordRule } from '@mailstead/core/mailboxes/common-password-rule';
import { CreateMailbox, type CreateMailboxCommand } from '@mailstead/core/mailboxes/create-mailbox';
import { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import { MailboxUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { ExplainOutbound } from '@mailstead/core/outbound/explain-outbound';
import { DomainLookup } from '../domains/domain-lookup.js';
import { type EveryFieldOf, onlyField } from '../http/body-fields.js';
import { searchedAndCounted } from '../http/paging.js';
import { addressField, mailboxParam } from '../http/parse.js';
import { type Controller, type Route, route } from '../http/route.js';
import {
  CreateMailboxBody,
  MailboxDetailsResponse,
  MailboxesQuery,
  MailboxResponse,
  presentMailbox,
  presentMailboxDetails,
  presentQuota,
  QuotaBody,
  QuotaResponse,
  UpdateMailboxBody,
} from './mailboxes-dto.js';

@needs(
  DomainLookup,
  MailboxRepository,
  CreateMailbox,
  ChangeMailbox,
  DeleteMailbox,
  CommonPasswordRule,
  MailboxUsage,
  ExplainOutbound,
)
export class MailboxesController implements Controller {
  constructor(
    private readonly domainLookup: DomainLookup,
    private readonly mailboxes: MailboxRepository,
    private readonly createMailbox: CreateMailbox,
    private readonly changeMailbox: ChangeMailbox,
    private readonly deleteMailbox: DeleteMailbox,
    private readonly commonPasswords: CommonPasswordRule,
    private readonly usage: MailboxUsage,
    private readonly explain: ExplainOutbound,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/users/:email',
        access: 'client',
        summary: 'Read a mailbox, its storage use, and whether it may send now',
        response: MailboxDetailsResponse,
        run: async ({ actor, params }) => {
          const mailbox = await this.find(actor, params.email);
          const [stored, explanation] = await Promise.all([
            this.usage.read(mailbox.email),
            this.explain.execute(actor, mailboxParam(params.email).domain, mailbox.email),
          ]);
          // The domain was deleted or moved meanwhile.
          if (explanation === null) throw new AppError('mailbox_not_found');
          return presentMailboxDetails(mailbox, stored, explanation);
        },
      }),
      route({
        method: 'get',
        path: '/users/',
        access: 'client',
        summary: 'List mailboxes, oldest first',
        errors: ['domain_not_found'],
        query: MailboxesQuery,
        response: [MailboxResponse],
        run: async ({ actor, query }) => {
          const domain = await this.domainLookup.filter(actor, query.domain);
          const filter = { ...query.filter(actor), ...query.conditions(), domain };
          return searchedAndCounted(query, this.mailboxes.search(scopeOf(actor), filter), presentMailbox);
        },
      }),
      route({
        method: 'post',
        path: '/users/',
        access: 'client',
        summary: 'Create a mailbox',
        errors: [
          'domain_not_found',
          'mailbox_exists',
          'address_in_use',
          'mailbox_quota_exceeded',
          'storage_quota_above_plan',
          'password_too_common',
        ],
        body: CreateMailboxBody,
        response: MailboxResponse,
        status: 201,
        idempotent: 'mailbox',
        hashes: true,
        prepare: async ({ actor, body, closeSignal }) => {
          const address = addressField('email', body.email);
          const secret = secretOf(body);
          if ('password' in secret) await this.commonPasswords.check(secret.password, address);
          const command = {
            address,
            secret,
            name: body.name ?? null,
            quotaMb: body.quota_mb,
            outboundDailyLimit: body.outbound_daily_limit,
            externalRef: body.external_ref ?? null,
          } satisfies EveryFieldOf<CreateMailboxBody, CreateMailboxCommand, 'email' | 'password' | 'password_hash'>;
          return this.createMailbox.prepare(actor, command, closeSignal());
        },
        run: async ({ actor, prepared }) => presentMailbox(await this.createMailbox.execute(actor, prepared)),
      }),
      route({
        method: 'put',
        path: '/users/:email',
        access: 'client',
        summary: 'Change a mailbox',
        errors: ['storage_quota_above_plan', 'password_too_common'],
        body: UpdateMailboxBody,
        bodyOptional: true,
        hashes: true,
        response: MailboxResponse,
        run: async ({ actor, params, body, closeSignal }) => {
          const changes = {
            password: body.password,
            name: body.name,
            active: body.active,
            quotaMb: body.quota_mb,
            outboundDailyLimit: body.outbound_daily_limit,
            externalRef: body.external_ref,
          } satisfies EveryFieldOf<UpdateMailboxBody, MailboxChanges>;
          const address = mailboxParam(params.email);
          if (body.password !== undefined) await this.commonPasswords.check(body.password, address);
          return presentMailbox(await this.changeMailbox.execute(actor, address, changes, closeSignal()));
        },
      }),
      route({
        method: 'delete',
        path: '/users/:email',
        access: 'client',
        summary: 'Delete a mailbox and the aliases that deliver to it',
        response: null,
        status: 204,
        run: ({ actor, params }) => this.deleteMailbox.execute(actor, mailboxParam(params.email)),
      }),
      route({
        method: 'get',
        path: '/users/:email/quota',
        access: 'client',
        scopes: ['billing'],
        summary: 'Read the storage quota of a mailbox',
        response: QuotaResponse,
        run: async ({ actor, params }) => presentQuota(await this.find(actor, params.email)),
      }),
      route({
        method: 'put',
        path: '/users/:email/quota',
        access: 'client',
        scopes: ['billing'],
        summary: 'Set the storage quota of a mailbox',
        errors: ['storage_quota_above_plan'],
        body: QuotaBody,
        response: QuotaResponse,
        run: async ({ actor, params, body, closeSignal }) => {
          const changes = { quotaMb: onlyField(body, 'quota_mb') };
          const address = mailboxParam(params.email);
          return presentQuota(await this.changeMailbox.execute(actor, address, changes, closeSignal()));
        },
      }),
    ];
  }

  private async find(actor: Actor, email: string): Promise<Mailbox> {
    const mailbox = await this.mailboxes.find(scopeOf(actor), mailboxParam(email).address);
    if (mailbox === null) throw new AppError('mailbox_not_found');
    return mailbox;
  }
}

function secretOf({ password, password_hash: passwordHash }: CreateMailboxBody): CreateMailboxCommand['secret'] {
  if (password !== undefined && passwordHash !== undefined) {
    throw invalidField('password_hash', 'give either password or password_hash, not both');
  }
  if (passwordHash !== undefined) return { passwordHash };
  if (password === undefined) throw invalidField('password', 'is required (or password_hash)');
  return { password };
}
