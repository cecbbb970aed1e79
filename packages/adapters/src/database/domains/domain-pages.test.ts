import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import type { Client } from '@mailstead/core/operators/caller';
import type { Order, Page } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { allRowsOf, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillManyDomains, LARGE_PARTNER } from '../testing/many-domains.js';
import { TypeormDomainRepository } from './domain-repository.js';

const DOMAINS = 300;
/** Every eleventh domain. */
const isOfOther = (id: number) => id % 11 === 0;

onEachDatabase((kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    await fillManyDomains(opened.database, DOMAINS);
  });
  afterAll(() => opened.close());

  /** @returns the ids of each page, and the statements that read them */
  async function pagesOf(asked: [PartnerScope, { partnerRef?: PartnerRef }, Page][]) {
    const { database } = opened;
    const read = database.read.bind(database);
    const statements: string[] = [];
    Object.assign(database, {
      read: (sql: string, parameters: Parameter[]) => {
        statements.push(sql);
        return read(sql, parameters);
      },
    });
    const domains = new TypeormDomainRepository(database);
    const pages = await Promise.all(asked.map(([scope, filter, page]) => domains.page(scope, filter, page)));
    Object.assign(database, { read });
    return { pages: pages.map((page) => page.map(({ id }) => id)), statements };
  }

  const ids = (after: number, limit: number, order: Order, isIn: (id: number) => boolean) => {
    const all = Array.from({ length: DOMAINS }, (_, index) => index + 1).filter(isIn);
    const following = order === 'asc' ? all.filter((id) => id > after) : all.filter((id) => id < after).reverse();
    return following.slice(0, limit);
  };

  it('callers who ask for the same page at the same time share one reading, whoever they are', async () => {
    const callers: Actor[] = [1, 2, 3].map((request) => ({
      ...aClient(),
      requestId: `r${request}`,
      requestUid: `u${request}`,
    }));
    const page: Page = { after: 100, limit: 20, order: 'asc' };
    for (const scopes of [callers.map(scopeOf), ['all', 'all'] as const]) {
      const { pages, statements } = await pagesOf(scopes.map((scope) => [scope, {}, page]));
      expect(new Set(pages.map(String)).size).toBe(1);
      expect(statements).toHaveLength(1);
      expect(statements[0]?.match(/FROM domain\b/g)).toHaveLength(1);
    }
  });

  it('each of the callers who ask for different pages at the same time gets the rows of its own page, in its order', async () => {
    const other = { partnerRef: 'p3' as PartnerRef };
    const { pages, statements } = await pagesOf([
      [allRowsOf(LARGE_PARTNER), {}, { after: 117, limit: 20, order: 'asc' }],
      ['all', {}, { after: 117, limit: 20, order: 'asc' }],
      ['all', {}, { after: 117, limit: 20, order: 'desc' }],
      ['all', other, { after: 0, limit: 3, order: 'asc' }],
      [allRowsOf(LARGE_PARTNER), other, { after: 0, limit: 3 }],
      [{ partnerId: LARGE_PARTNER, domainIds: [7, 3, 11] }, {}, { after: 2, limit: 9 }],
    ]);
    const any = () => true;
    expect(pages).toEqual([
      ids(117, 20, 'asc', (id) => !isOfOther(id)),
      ids(117, 20, 'asc', any),
      ids(117, 20, 'desc', any),
      [11, 22, 33],
      [],
      [3, 7],
    ]);
    expect(statements).toHaveLength(1);
  });

  it('a page never has what a page of another partner has', async () => {
    const page: Page = { after: 0, limit: 5 };
    const { pages } = await pagesOf([
      [allRowsOf(LARGE_PARTNER), {}, page],
      [allRowsOf(LARGE_PARTNER + 1), {}, page],
    ]);
    expect(pages).toEqual([
      [1, 2, 3, 4, 5],
      [11, 22, 33, 44, 55],
    ]);
  });
});

function aClient(): Client {
  return {
    kind: 'client',
    partnerId: LARGE_PARTNER,
    partnerRef: null,
    partnerStage: null,
    domainIds: null,
    credential: { kind: 'key', id: 1 },
    limits: { domainsAllowed: 0, mailboxesPerDomain: 0, aliasesPerMailbox: 0 },
    scope: 'manage',
  };
}
