import type { DomainName } from '@mailstead/core/domains/domain-name';
import { STOP_RECORD_ROWS } from '@mailstead/core/outbound/stop-records';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { queryPlansOf } from '../testing/query-plans.js';
import { SqlStopRecords } from './stop-records.js';

const DOMAINS = 2_000;
const EVENTS = 20_000;

/** On a database large enough for realistic query plans. */
describe('what is stored about a stop', () => {
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
    await write('domain.suspend', 'seq', `CONCAT('d', 1 + (seq MOD ${DOMAINS}), '.example')`, EVENTS);
    await database.write('ANALYZE TABLE audit_log, partner, domain');
  });
  afterAll(() => opened.close());

  const write = (action: string, partner: string, domain: string, rows: number) =>
    opened.database.write(
      `INSERT INTO audit_log (changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, subject)
       SELECT seq, 'client', 'key:1', ?, CONCAT('p', ${partner} MOD 200), 2, ${domain}, 's' FROM seq_1_to_${rows}`,
      [action],
    );
  const read = () =>
    new SqlStopRecords(opened.database).read({
      suspendedPartner: 'p7' as PartnerRef,
      domains: [{ id: 7, name: 'd7.example' as DomainName }],
    });

  it('is read by indexes, without reading the rows of others', async () => {
    const plans = await queryPlansOf(opened.database, read);
    expect(plans.filter(({ type, rows }) => type === 'ALL' && rows > 300)).toEqual([]);
    expect(Math.max(...plans.map(({ rows }) => rows))).toBeLessThanOrEqual(600);
  });

  it('is looked for among the newest rows of the name only, however many it has', async () => {
    const suspensions = async () => (await read()).changes.filter(({ action }) => action === 'domain.suspend').length;
    const before = await suspensions();
    expect(before).toBe(EVENTS / DOMAINS);
    await write('mailbox.create', '7', "'d7.example'", STOP_RECORD_ROWS - before);
    expect(await suspensions()).toBe(before);
    await write('mailbox.create', '7', "'d7.example'", 1);
    expect(await suspensions()).toBe(before - 1);
  });
});
