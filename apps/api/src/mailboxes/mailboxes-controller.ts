import type { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { AppError, invalidField } from '@mailstead/core/errors';
import type { ChangeMailbox } from '@mailstead/core/mailboxes/change-mailbox';
import type { CreateMailbox, CreateMailboxCommand } from '@mailstead/core/mailboxes/create-mailbox';
import type { DeleteMailbox } from '@mailstead/core/mailboxes/delete-mailbox';
import type { Mailbox } from '@mailstead/core/mailboxes/mailbox';
import type { MailboxRepository } from '@mailstead/core/mailboxes/mailbox-repository';
import type { MailboxUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { checkPassword, checkPasswordHash } from '@mailstead/core/mailboxes/password';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { page } from '../http/paging.js';
import { addressField, domainNameField, mailboxParam } from '../http/parse.js';
import { type Route, route } from '../http/route.js';
import {
  CreateMailboxBody,
  MailboxDetailsResponse,
  MailboxesQuery,
  MailboxResponse,
  presentMailbox,
  presentMailboxDetails,
  QuotaBody,
  QuotaResponse,
  UpdateMailboxBody,
} from './mailboxes-dto.js';

export interface MailboxUseCases {
  domains: DomainRepository;
  mailboxes: MailboxRepository;
  createMailbox: CreateMailbox;
  changeMailbox: ChangeMailbox;
  deleteMailbox: DeleteMailbox;
  usage: MailboxUsage;
}

export function mailboxesController(use: MailboxUseCases): Route[] {
  async function find(actor: Actor, email: string | undefined): Promise<Mailbox> {
    const mailbox = await use.mailboxes.find(scopeOf(actor), mailboxParam(email).address);
    if (mailbox === null) throw new AppError('mailbox_not_found');
    return mailbox;
  }

  return [
    route({
      method: 'get',
      path: '/users/:email',
      access: 'client',
      summary: 'Read a mailbox and how full it is',
      response: MailboxDetailsResponse,
      run: async ({ actor, params }) => {
        const mailbox = await find(actor, params.email);
        return presentMailboxDetails(mailbox, await use.usage.read(mailbox.email));
      },
    }),
    route({
      method: 'get',
      path: '/users/',
      access: 'client',
      summary: 'List mailboxes, oldest first',
      query: MailboxesQuery,
      response: [MailboxResponse],
      run: async ({ actor, query }) => {
        const domain = query.domain === undefined ? undefined : domainNameField('domain', query.domain);
        if (domain !== undefined && (await use.domains.find(scopeOf(actor), domain)) === null) {
          throw new AppError('domain_not_found');
        }
        const filter = { ...query.filter(actor), domain };
        return page(query, use.mailboxes.list(scopeOf(actor), filter), presentMailbox);
      },
    }),
    route({
      method: 'post',
      path: '/users/',
      access: 'client',
      summary: 'Create a mailbox',
      body: CreateMailboxBody,
      response: MailboxResponse,
      status: 201,
      idempotent: 'mailbox',
      hashes: true,
      prepare: ({ actor, body, whileWaited }) =>
        use.createMailbox.prepare(
          actor,
          {
            address: addressField('email', body.email),
            secret: secretOf(body),
            name: body.name ?? null,
            quotaMb: body.quota_mb,
            outboundDailyLimit: body.outbound_daily_limit,
          },
          whileWaited(),
        ),
      run: async ({ actor, prepared }) => presentMailbox(await use.createMailbox.execute(actor, prepared)),
    }),
    route({
      method: 'put',
      path: '/users/:email',
      access: 'client',
      summary: 'Change a mailbox',
      body: UpdateMailboxBody,
      bodyOptional: true,
      hashes: true,
      response: MailboxResponse,
      run: async ({ actor, params, body, whileWaited }) => {
        if (body.password !== undefined) checkPassword(body.password);
        const { quota_mb: quotaMb, outbound_daily_limit: outboundDailyLimit, ...rest } = body;
        const address = mailboxParam(params.email);
        return presentMailbox(
          await use.changeMailbox.execute(actor, address, { ...rest, quotaMb, outboundDailyLimit }, whileWaited()),
        );
      },
    }),
    route({
      method: 'delete',
      path: '/users/:email',
      access: 'client',
      summary: 'Delete a mailbox and the aliases that deliver to it',
      status: 204,
      run: ({ actor, params }) => use.deleteMailbox.execute(actor, mailboxParam(params.email)),
    }),
    route({
      method: 'get',
      path: '/users/:email/quota',
      access: 'client',
      scopes: ['billing'],
      summary: 'Read the storage quota of a mailbox',
      response: QuotaResponse,
      run: async ({ actor, params }) => ({ quota_mb: (await find(actor, params.email)).quotaMb }),
    }),
    route({
      method: 'put',
      path: '/users/:email/quota',
      access: 'client',
      scopes: ['billing'],
      summary: 'Set the storage quota of a mailbox',
      body: QuotaBody,
      response: QuotaResponse,
      run: async ({ actor, params, body, whileWaited }) => {
        const changes = { quotaMb: body.quota_mb };
        const mailbox = await use.changeMailbox.execute(actor, mailboxParam(params.email), changes, whileWaited());
        return { quota_mb: mailbox.quotaMb };
      },
    }),
  ];
}

function secretOf({ password, password_hash: passwordHash }: CreateMailboxBody): CreateMailboxCommand['secret'] {
  if (password !== undefined && passwordHash !== undefined) {
    throw invalidField('password_hash', 'give either password or password_hash, not both');
  }
  if (passwordHash !== undefined) {
    checkPasswordHash(passwordHash);
    return { passwordHash };
  }
  if (password === undefined) throw invalidField('password', 'is required (or password_hash)');
  checkPassword(password);
  return { password };
}
