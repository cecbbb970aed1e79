import type { DomainFilter } from '@mailstead/core/domains/domain-finder';
import type { MailboxFilter } from '@mailstead/core/mailboxes/mailbox-repository';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import type { Parameter } from '../driver/database.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { given } from './conditions.js';
import { ContentSearch } from './content-search.js';
import { DomainSearch } from './domain-search.js';
import { IdSearch } from './id-search.js';
import type { SearchPlan } from './search-plan.js';

const NOW = new Date(0);
const WALK_ONLY = { few: -1, checkedAtOnce: 500 };

/** SQLite takes no hint for an index, and chooses without statistics: by the statements alone. */
describe('the searches of a partner on SQLite', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('sqlite');
    const { database } = opened;
    await database.write("INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (2, 'big', 1, 0)");
    await database.write(
      `INSERT INTO domain (id, name, partner_id, created_at, plan, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, external_ref, mailbox_count, alias_count)
       VALUES (1, 'd7.example', 2, 0, 'business', 0, 0, 0, '', 'active', 'none', 'pending', 'x', 0, 0), (2, 'd.example', 2, 0, 'starter', 0, 0, 0, 'abuse', 'blocked', 'none', 'open', NULL, 0, 0)`,
      [],
      [],
    );
    await database.write("INSERT INTO domain_suffix (partner_id, suffix, domain_id) VALUES (2, 'd7.example', 1)");
    await database.write(
      `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, external_ref, home, created_at)
       VALUES (1, 2, 'm7@d7.example', 'm7', '', 0, 0, 0, 'x', 'h', 0), (1, 2, 'm@d7.example', 'm', '', 0, 0, 1, NULL, 'h', 0)`,
    );
    await database.write(
      "INSERT INTO alias (domain_id, partner_id, address, destination, created_at) VALUES (1, 2, 'm7@d7.example', 'x@out.example', 0)",
    );
  });
  afterAll(() => opened.close());

  /** The steps of the plans of all statements that a search runs. */
  async function stepsOf(plan: SearchPlan | null, order: 'asc' | 'desc'): Promise<string[]> {
    const { database } = opened;
    const read = database.read.bind(database);
    const statements: [string, Parameter[]][] = [];
    database.read = (sql: string, parameters: Parameter[]) => {
      statements.push([sql, parameters]);
      return read(sql, parameters);
    };
    if (plan !== null) {
      const page = { after: order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER, limit: 51, order };
      await new IdSearch(database, plan).next(page);
      await new IdSearch(database, plan, WALK_ONLY).next(page);
    }
    Object.assign(database, { read });
    const steps: string[] = [];
    for (const [sql, parameters] of statements) {
      const plan = await read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      // Rows are checked by their ids, whatever indexes the conditions have.
      const isByIds = /WHERE [dt]\.id IN \(/.test(sql);
      const byKey = /^SEARCH [dt] USING INTEGER PRIMARY KEY/;
      // The checked rows, and those of a page that are merged from several indexes, are few and may be sorted.
      const isOfFew = isByIds || sql.includes('AS walk0');
      steps.push(
        ...plan.map(({ detail }) => detail).filter((detail) => !isOfFew || !/TEMP B-TREE|^SCAN walk/.test(detail)),
      );
      if (isByIds && !plan.some(({ detail }) => byKey.test(detail))) steps.push(`SCAN without the key: ${sql}`);
    }
    return steps;
  }

  /** Reads of a whole table or index, and sorting of all rows. */
  const wasteful = (steps: string[]) =>
    steps.filter((step) => /^SCAN (?!few|CONSTANT|\()|TEMP B-TREE/.test(step) && !step.startsWith('SCAN e'));

  it.each<DomainFilter>([
    {},
    { begins: { name: 'd7', externalRef: 'd7', partnerRef: null } },
    { status: 'suspended' },
    { status: 'active' },
    { verificationStatus: 'failed' },
    { verificationStatus: 'verified' },
    { outboundStatus: 'blocked' },
    { inbound: 'pending' },
    { plan: 'business' },
    { externalRef: 'x' },
    { attention: true },
    { attentionReason: 'suspended' },
    { attentionReason: 'unverified' },
    { attentionReason: 'daily_limit', attention: true },
    { attentionReason: 'partner_suspended' },
    { flows: ['at_risk', 'monitored', 'pending', 'off', 'waits', 'no'] },
    { inbound: 'open', plan: 'starter', begins: { name: 'd', externalRef: 'd', partnerRef: null } },
  ])('read domains for %j by an index in the order of ids', async (filter) => {
    for (const order of ['asc', 'desc'] as const) {
      const plan = await new DomainSearch(opened.database).plan(allRowsOf(2), filter, NOW);
      expect(wasteful(await stepsOf(plan, order))).toEqual([]);
    }
  });

  it.each<MailboxFilter>([
    { begins: { address: 'm7', externalRef: 'm7' } },
    { active: false },
    { externalRef: 'x' },
    { active: true, begins: { address: 'm', externalRef: 'm' } },
  ])('read mailboxes and aliases for %j by an index in the order of ids', async (filter) => {
    const equalities = given([
      ['t.external_ref', filter.externalRef, 'ix_mailbox_external_ref'],
      ['t.active', filter.active === undefined ? undefined : Number(filter.active), 'ix_mailbox_active'],
    ]);
    for (const order of ['asc', 'desc'] as const) {
      const plan = await ContentSearch.mailboxes(opened.database).plan(allRowsOf(2), filter, equalities);
      expect(wasteful(await stepsOf(plan, order))).toEqual([]);
      const ofAliases = await ContentSearch.aliases(opened.database).plan(allRowsOf(2), filter, []);
      expect(wasteful(await stepsOf(ofAliases, order))).toEqual([]);
    }
  });
});
