import type { PartnerRef } from '@mailstead/core/partners/partner';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { queryPlansOf } from '../testing/query-plans.js';
import { SqlEventFeed } from './event-feed.js';
import { SqlEventPositions } from './event-positions.js';

const DOMAINS = 2_000;
const EVENTS = 20_000;

/** On a database large enough for realistic query plans. */
describe('the statements of the feed', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    const { database } = opened;
    await database.write(
      "INSERT INTO partner (ref, domain_count, last_created_at) SELECT CONCAT('p', seq), 10, 0 FROM seq_1_to_200",
    );
    await database.write(
      `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       SELECT CONCAT('d', seq, '.example'), 2 + (seq MOD 200), seq, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM seq_1_to_${DOMAINS}`,
      [],
      [],
    );
    await database.write(
      `INSERT INTO audit_log (changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, domain_id, subject, event_type, position)
       SELECT seq, 'client', 'key:1', 'domain.update', CONCAT('p', seq MOD 200), 2 + (seq MOD 200), CONCAT('d', 1 + (seq MOD ${DOMAINS}), '.example'), 1 + (seq MOD ${DOMAINS}), 's', 'domain.updated', IF(seq > ${EVENTS - 50}, NULL, seq) FROM seq_1_to_${EVENTS}`,
    );
    await database.write('ANALYZE TABLE audit_log, partner, domain');
  });
  afterAll(() => opened.close());

  const feed = () => new SqlEventFeed(opened.database, new SqlUnitOfWork(opened.database));
  const PAGE = { after: 0, limit: 100, order: 'asc' as const };

  it.each<[string, number, () => Promise<unknown>]>([
    ['of all partners', 600, () => feed().search({ scope: 'all' })({ ...PAGE, after: EVENTS - 200 })],
    [
      'of all partners, the newest',
      EVENTS,
      () => feed().search({ scope: 'all' })({ after: EVENTS, limit: 9, order: 'desc' }),
    ],
    ['of a partner', 600, () => feed().search({ scope: { partnerId: 9, domainIds: null } })(PAGE)],
    ['of a partner by its name', 600, () => feed().search({ scope: 'all', partnerRef: 'p7' as PartnerRef })(PAGE)],
    ['of a domain', 600, () => feed().search({ scope: 'all', domain: 'd7.example' })(PAGE)],
    ['of a caller with one domain', 600, () => feed().search({ scope: { partnerId: 9, domainIds: [7] } })(PAGE)],
    [
      'of a caller with some domains',
      600,
      () => feed().search({ scope: { partnerId: 9, domainIds: [7, 207, 407] } })(PAGE),
    ],
    [
      'without a position',
      100,
      () => new SqlEventPositions(opened.database, new SqlUnitOfWork(opened.database)).oldestWithout(),
    ],
  ])('find the events %s by an index, without reading those of others', async (_, most, work) => {
    const plans = await queryPlansOf(opened.database, work);
    expect(plans.filter(({ type, rows }) => type === 'ALL' && rows > 300)).toEqual([]);
    expect(Math.max(...plans.map(({ rows }) => rows))).toBeLessThanOrEqual(most);
  });
});
