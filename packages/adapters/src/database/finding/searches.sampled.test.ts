import { ATTENTION_REASONS, attentionOf } from '@mailstead/core/attention/attention';
import type { DomainBeginnings, DomainFilter } from '@mailstead/core/domains/domain-finder';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Flow } from '@mailstead/core/domains/flow';
import { searchedTextsOf } from '@mailstead/core/domains/searched-texts';
import type { MailboxFilter } from '@mailstead/core/mailboxes/mailbox-repository';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { isInScope, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../../scripts/fast-check.mjs';
import type { Database } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import {
  DOMAINS,
  type DomainRow,
  domainOf,
  domains,
  fillSearchWorld,
  mailboxes,
  NOW,
  PARTNERS,
  STAGES,
} from '../testing/search-world.js';
import { given } from './conditions.js';
import { ContentSearch } from './content-search.js';
import { DomainSearch } from './domain-search.js';
import { IdSearch, type SearchLimits } from './id-search.js';
import type { SearchPlan } from './search-plan.js';

function begins({ name, externalRef, partnerId }: DomainRow, sought: DomainBeginnings): boolean {
  const by = (text: string | null | undefined, prefix: string | null) =>
    prefix !== null && text?.startsWith(prefix) === true;
  return (
    searchedTextsOf(name).some((text) => by(text, sought.name)) ||
    by(externalRef, sought.externalRef) ||
    by(PARTNERS[partnerId - 2], sought.partnerRef)
  );
}

/** A domain that is verified by now no longer needs attention for not being so, nor for mail that waits no longer. */
function reasonsOf(domain: DomainRow) {
  const partnerStage = STAGES[domain.partnerId - 2] ?? null;
  const parentCauses = domain.parentId === null ? '' : (domainOf.get(domain.parentId)?.causes ?? '');
  const waits = partnerStage !== null || domain.causes !== '' || parentCauses.split(',').includes('abuse');
  const held = domain.listed
    .filter((reason) => reason !== 'unverified' || statusOf(domain) !== 'verified')
    .filter((reason) => reason !== 'mail_waiting' || waits);
  return attentionOf(held, { partnerStage });
}

function statusOf({ verification, parentId, inheritedUntil }: DomainRow): string {
  const byParent = parentId !== null && domainOf.get(parentId)?.verification === 'verified';
  return byParent || (inheritedUntil ?? 0) > NOW.getTime() ? 'verified' : verification;
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ({ database } = opened);
    await fillSearchWorld(database);
  });
  afterAll(() => opened.close());

  /** All pages of a search, and the most ids that one call looked at. */
  async function found(
    plan: SearchPlan | null,
    limits: SearchLimits,
    limit: number,
    order: 'asc' | 'desc',
  ): Promise<number[]> {
    if (plan === null) return [];
    const search = new IdSearch(database, plan, limits);
    const ids: number[] = [];
    for (let after: number | null = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER; after !== null; ) {
      const page = await search.next({ after, limit, order });
      expect(page.rows.length).toBeLessThanOrEqual(limit);
      ids.push(...page.rows);
      after = page.next;
    }
    return ids;
  }

  async function countOf(plan: SearchPlan | null, limits: SearchLimits): Promise<number> {
    if (plan === null) return 0;
    const search = new IdSearch(database, plan, limits);
    for (;;) {
      const total = await search.count();
      if (total === null) continue;
      expect(total.more).toBe(false);
      return total.count;
    }
  }

  const maybe = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 });
  const scopes = fc.oneof(
    fc.constant<PartnerScope>('all'),
    fc.record({
      partnerId: fc.constantFrom(2, 3, 4),
      domainIds: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: DOMAINS })), { freq: 3 }),
    }),
  );
  const ways = fc.record({
    limits: fc.record({ few: fc.constantFrom(-1, 3, 1_000), checkedAtOnce: fc.constantFrom(4, 500) }),
    limit: fc.constantFrom(1, 3, 7, 200),
    order: fc.constantFrom<'asc' | 'desc'>('asc', 'desc'),
  });
  const partnerRef = maybe<PartnerRef>([...PARTNERS, 'absent'].map((ref) => ref as PartnerRef));
  const ordered = (ids: number[], order: 'asc' | 'desc') => (order === 'asc' ? ids : ids.toReversed());
  const isOf = (scope: PartnerScope, ref: PartnerRef | undefined, { id, partnerId }: DomainRow) =>
    isInScope(scope, { id, partnerId }) && (ref === undefined || PARTNERS[partnerId - 2] === ref);

  it('of domains finds exactly those that meet all filters, in each order, by candidates and by walking', async () => {
    const filters = fc.record<DomainFilter>({
      partnerRef,
      begins: fc.option(
        fc.record({
          name: fc.constantFrom(
            'a',
            'ab',
            'ab.',
            'mail',
            'shop-a.d',
            'b%C3%BC',
            'bcher',
            'd1',
            'example',
            'zz',
            '-',
            null,
          ),
          externalRef: fc.constantFrom('r-', 'Ü', 'zz', null),
          partnerRef: fc.constantFrom<(PartnerRef | null)[]>(
            't' as PartnerRef,
            'two' as PartnerRef,
            'zz' as PartnerRef,
            null,
          ),
        }),
        { nil: undefined, freq: 3 },
      ),
      status: maybe<'active' | 'suspended'>(['active', 'suspended']),
      verificationStatus: maybe([...VERIFICATION_STATUSES]),
      outboundStatus: maybe<'active' | 'blocked'>(['active', 'blocked']),
      inbound: maybe<'open' | 'pending'>(['open', 'pending']),
      plan: maybe<'starter' | 'business'>(['starter', 'business']),
      parent: maybe([...domains.slice(0, 4).map(({ name }) => name), 'absent.example' as DomainName]),
      externalRef: maybe(['r-1', 'Ünï', 'absent']),
      attention: maybe<true>([true]),
      attentionReason: maybe([...ATTENTION_REASONS]),
    });
    const search = new DomainSearch(database);
    await fc.assert(
      fc.asyncProperty(scopes, filters, ways, async (scope, filter, { limits, limit, order }) => {
        const parent = domains.find((domain) => domain.name === filter.parent && isInScope(scope, domain));
        const expected = domains.filter(
          (domain) =>
            isOf(scope, filter.partnerRef, domain) &&
            (filter.begins === undefined || begins(domain, filter.begins)) &&
            (filter.status === undefined || (domain.causes === '') === (filter.status === 'active')) &&
            (filter.verificationStatus === undefined || statusOf(domain) === filter.verificationStatus) &&
            (filter.outboundStatus === undefined || domain.outboundStatus === filter.outboundStatus) &&
            (filter.inbound === undefined || domain.inbound === filter.inbound) &&
            (filter.plan === undefined || domain.plan === filter.plan) &&
            (filter.parent === undefined || (parent !== undefined && domain.parentId === parent.id)) &&
            (filter.externalRef === undefined || domain.externalRef === filter.externalRef) &&
            (filter.attention === undefined || reasonsOf(domain).length > 0) &&
            (filter.attentionReason === undefined || reasonsOf(domain).includes(filter.attentionReason)),
        );
        const ids = await found(await search.plan(scope, filter, NOW), limits, limit, order);
        expect(ids).toEqual(
          ordered(
            expected.map(({ id }) => id),
            order,
          ),
        );
        expect(await countOf(await search.plan(scope, filter, NOW), limits)).toEqual(expected.length);
      }),
      { numRuns: sampleSize(400, 40) },
    );
  });

  it('of domains that may be in some states finds the same ones by candidates and by walking', async () => {
    const filters = fc.record<DomainFilter>({
      partnerRef,
      inbound: maybe<'open' | 'pending'>(['open', 'pending']),
      flows: fc.uniqueArray(fc.constantFrom<Flow>('at_risk', 'monitored', 'pending', 'off', 'waits', 'no'), {
        minLength: 1,
      }),
    });
    const search = new DomainSearch(database);
    await fc.assert(
      fc.asyncProperty(scopes, filters, ways, async (scope, filter, { limits, limit, order }) => {
        const ids = async (few: number) =>
          found(await search.plan(scope, filter, NOW), { ...limits, few }, limit, order);
        const byWalking = await ids(-1);
        expect(await ids(1_000)).toEqual(byWalking);
        expect(await countOf(await search.plan(scope, filter, NOW), limits)).toBe(byWalking.length);
      }),
      { numRuns: sampleSize(200, 20) },
    );
  });

  it('of mailboxes and aliases finds exactly those that meet all filters', async () => {
    const filters = fc.record<MailboxFilter>({
      partnerRef,
      domain: maybe(domains.slice(0, 20).map(({ name }) => name)),
      begins: fc.option(
        fc.record({
          address: fc.constantFrom('a', 'ab', 'info1', "o'", 'x_', 'x%', '%', '_', '~', 'zz', 'a14@', '@', null),
          externalRef: fc.constantFrom('m-', 'm-2', 'zz', null),
        }),
        { nil: undefined, freq: 3 },
      ),
      active: maybe([true, false]),
      externalRef: maybe(['m-1', 'absent']),
    });
    const [ofMailboxes, ofAliases] = [ContentSearch.mailboxes(database), ContentSearch.aliases(database)];
    await fc.assert(
      fc.asyncProperty(scopes, filters, ways, async (scope, filter, { limits, limit, order }) => {
        const { active, externalRef, begins: sought, domain: name } = filter;
        const inDomain = mailboxes.filter(
          ({ domain }) => isOf(scope, filter.partnerRef, domain) && (name === undefined || domain.name === name),
        );
        const hasAddress = ({ email }: (typeof mailboxes)[number]) =>
          sought === undefined || (sought.address !== null && email.startsWith(sought.address));
        const named = inDomain.filter(hasAddress);
        const equal = inDomain.filter(
          (mailbox) =>
            (hasAddress(mailbox) ||
              (typeof sought?.externalRef === 'string' &&
                mailbox.externalRef?.startsWith(sought.externalRef) === true)) &&
            (active === undefined || mailbox.active === active) &&
            (externalRef === undefined || mailbox.externalRef === externalRef),
        );
        const equalities = given([
          ['t.external_ref', externalRef, 'ix_mailbox_external_ref'],
          ['t.active', active === undefined ? undefined : Number(active), 'ix_mailbox_active'],
        ]);
        // Who reads the rows of a complete walk leaves those of other partners out.
        const ownOf = (plan: SearchPlan | null, ids: number[]) =>
          plan?.isWalkComplete === true ? ids.filter((id) => inDomain.some((mailbox) => mailbox.id === id)) : ids;
        const planned = await ofMailboxes.plan(scope, filter, equalities);
        const mailboxIds = ownOf(planned, await found(planned, limits, limit, order));
        expect(mailboxIds).toEqual(
          ordered(
            equal.map(({ id }) => id),
            order,
          ),
        );
        expect(await countOf(planned, limits)).toBe(equal.length);
        const plannedAliases = await ofAliases.plan(scope, filter, []);
        const aliasIds = ownOf(plannedAliases, await found(plannedAliases, limits, limit, order));
        expect(aliasIds).toEqual(
          ordered(
            named.map(({ id }) => id),
            order,
          ),
        );
      }),
      { numRuns: sampleSize(200, 20) },
    );
  });
});
