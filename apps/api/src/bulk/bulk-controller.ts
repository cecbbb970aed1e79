import { invalidField } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { AliasesController } from '../aliases/aliases-controller.js';
import { DomainsController } from '../domains/domains-controller.js';
import type { DtoClass } from '../http/fields/field-notes.js';
import { type Controller, type Route, route } from '../http/route.js';
import { MailboxesController } from '../mailboxes/mailboxes-controller.js';
import { SuppressionsController } from '../suppressions/suppressions-controller.js';
import {
  AliasItemResponse,
  CreateAliasesBody,
  CreateDomainsBody,
  CreateMailboxesBody,
  CreateSuppressionsBody,
  DomainItemResponse,
  type ItemsBody,
  MailboxItemResponse,
  SuppressionItemResponse,
} from './bulk-dto.js';
import { CreateItems } from './create-items.js';

const BODY_LIMIT_BYTES = 1_048_576;
/** Hashing takes a second for about 20 passwords. */
const MAX_PASSWORDS = 20;

/**
 * Routes that create many domains, mailboxes, aliases or suppressions. Callers, rules and errors are those of the
 * routes that create one.
 */
@needs(DomainsController, MailboxesController, AliasesController, SuppressionsController, CreateItems)
export class BulkController implements Controller {
  constructor(
    private readonly domains: DomainsController,
    private readonly mailboxes: MailboxesController,
    private readonly aliases: AliasesController,
    private readonly suppressions: SuppressionsController,
    private readonly createItems: CreateItems,
  ) {}

  routes(): Route[] {
    return [
      this.bulk(this.domains, '/domains/', CreateDomainsBody, DomainItemResponse),
      this.bulk(this.mailboxes, '/users/', CreateMailboxesBody, MailboxItemResponse, refuseManyPasswords),
      this.bulk(this.aliases, '/aliases/', CreateAliasesBody, AliasItemResponse),
      this.bulk(this.suppressions, '/suppressions/', CreateSuppressionsBody, SuppressionItemResponse),
    ];
  }

  private bulk(
    controller: Controller,
    path: string,
    body: DtoClass<ItemsBody>,
    response: DtoClass,
    check: (items: readonly unknown[]) => void = () => undefined,
  ): Route {
    const create = createRouteOf(controller, path);
    const { access, scopes, wholePartner, hashes } = create;
    const isIdempotent = create.idempotent !== undefined;
    const bulkPath = `${path}bulk`;
    return route({
      method: 'post',
      path: bulkPath,
      access,
      ...(scopes === undefined ? {} : { scopes }),
      ...(wholePartner === undefined ? {} : { wholePartner }),
      ...(hashes === undefined ? {} : { hashes }),
      summary: `${create.summary}, for each of many items`,
      description: [
        `The outcome of each item, in order: the \`status\` and the \`body\` or \`problem\` that \`POST ${path}\` would have had.`,
        'Each item is created completely or not at all, and does not depend on the others.',
        isIdempotent
          ? 'With an `Idempotency-Key`, each item is kept under the key, `#` and its index, so that a repeat creates what is missing.'
          : 'A repeat creates what is missing, and answers 200 for what exists.',
      ].join(' '),
      body,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      items: ({ items }) => items.length,
      idempotentItems: isIdempotent,
      response: [response],
      run: async (request) => {
        check(request.body.items);
        const outcomes = await this.createItems.execute({ create, path: `POST ${bulkPath}` }, request);
        const created = outcomes.filter(({ problem }) => problem === undefined).length;
        request.addToLog({ items: outcomes.length, failed_items: outcomes.length - created });
        return outcomes;
      },
    });
  }
}

function createRouteOf(controller: Controller, path: string): Route {
  const found = controller.routes().find((each) => each.method === 'post' && each.path === path);
  if (found === undefined) throw new Error(`There is no route POST ${path}`);
  return found;
}

/** @throws AppError validation_failed */
function refuseManyPasswords(items: readonly unknown[]): void {
  const withPassword = items.flatMap((item, index) =>
    typeof item === 'object' && item !== null && Object.hasOwn(item, 'password') ? [index] : [],
  );
  const first = withPassword[MAX_PASSWORDS];
  if (first !== undefined) {
    throw invalidField(
      `items[${first}].password`,
      `must be a password_hash, because ${MAX_PASSWORDS} items before have a password`,
    );
  }
}
