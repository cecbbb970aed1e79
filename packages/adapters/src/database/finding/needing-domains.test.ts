import { STORED_REASONS, type StoredReason } from '@mailstead/core/attention/attention';
import type { NeedingDomains } from '@mailstead/core/domains/domain-finder';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { allRowsOf, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import { inSearch } from '@mailstead/core/search';
import type { Database, Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { presentPeriods } from './attention-rows.js';
import { SqlDomainFinder } from './domain-finder.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const [ACME, RIVAL, LARGE] = [2, 3, 4];
const LARGE_DOMAINS = 20_001;

/** The domains of `acme` and `rival`, with what rows tell about them. */
const DOMAINS: { id: number; partner: number; reasons: StoredReason[]; verified?: boolean }[] = [
  { id: 1, partner: ACME, reasons: [] },
  { id: 2, partner: ACME, reasons: ['daily_limit', 'suspended', 'unverified'] },
  { id: 3, partner: RIVAL, reasons: ['suspended', 'blocked'] },
  { id: 4, partner: ACME, reasons: ['unverified'], verified: true },
  { id: 5, partner: ACME, reasons: ['unverified', 'dns_at_risk'] },
  ...[6, 7, 8, 9, 10, 11].map((id) => ({ id, partner: ACME, reasons: ['blocked'] satisfies StoredReason[] })),
];

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let database: Database;
  let finder: SqlDomainFinder;

  const insert = (table: string, rows: Record<string, Parameter>[]) => {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
    return database.write(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values}`,
      rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
      [],
    );
  };
  const domainRow = (id: number, partner: number) => ({
    id,
    name: `d${id}.example`,
    partner_id: partner,
    created_at: id,
    retention_days: 0,
    retention_days_before: 0,
    transfer_monthly_mb: 0,
    suspension_causes: '',
    outbound_status: 'active',
    wildcard_mode: 'none',
    inbound: 'open',
    mailbox_count: 0,
    alias_count: 0,
  });
  const verificationRow = (id: number, partner: number, status: string) => ({
    domain_id: id,
    partner_id: partner,
    status,
    dkim_status: '',
    check_attempt: 0,
    ownership_token: 't',
    ownership_required: 0,
  });

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    ({ database } = opened);
    finder = new SqlDomainFinder(database);
    await insert(
      'partner',
      ['acme', 'rival', 'large'].map((ref, index) => ({ id: 2 + index, ref, domain_count: 0, last_created_at: 0 })),
    );
    await insert(
      'domain',
      DOMAINS.map(({ id, partner }) => domainRow(id, partner)),
    );
    await insert(
      'verification',
      DOMAINS.map(({ id, partner, verified }) =>
        verificationRow(id, partner, verified === true ? 'verified' : 'failed'),
      ),
    );
    const periodOf = await presentPeriods(database, NOW);
    await insert('domain_attention', [
      ...DOMAINS.flatMap(({ id, partner, reasons }) =>
        reasons.map((reason) => ({ domain_id: id, partner_id: partner, reason, period: periodOf(reason) })),
      ),
      // A limit of the last month, and a domain that was deleted.
      { domain_id: 1, partner_id: ACME, reason: 'monthly_limit', period: '2026-02/0' },
      { domain_id: 999_999, partner_id: ACME, reason: 'suspended', period: '' },
    ]);
    await countDomains();
  });
  afterAll(() => opened.close());

  const countDomains = () =>
    database.write(
      'UPDATE partner SET domain_count = (SELECT COUNT(*) FROM domain d WHERE d.partner_id = partner.id) WHERE id IN (2, 3, 4)',
    );
  const suspend = (partner: number, stage: string | null) =>
    database.write('UPDATE partner SET stage = ? WHERE id = ?', [stage, partner], []);
  const shown = (needing: NeedingDomains[]) =>
    needing.map(({ reason, count, more, first }) => [reason, count, more, first.map(({ id }) => id)]);
  const needing = async (scope: PartnerScope, partnerRef?: string) =>
    shown(await finder.needing(scope, { partnerRef: partnerRef as PartnerRef | undefined }, NOW));

  it('counts each reason in the order of severity, leaves out those of no domain, and shows the five oldest', async () => {
    expect(await needing('all')).toEqual([
      ['suspended', 2, false, [2, 3]],
      ['blocked', 7, false, [3, 6, 7, 8, 9]],
      ['dns_at_risk', 1, false, [5]],
      ['unverified', 2, false, [2, 5]],
      ['daily_limit', 1, false, [2]],
    ]);
  });

  it('counts the domains of the scope and of the named partner alone', async () => {
    const acme = [
      ['suspended', 1, false, [2]],
      ['blocked', 6, false, [6, 7, 8, 9, 10]],
      ['dns_at_risk', 1, false, [5]],
      ['unverified', 2, false, [2, 5]],
      ['daily_limit', 1, false, [2]],
    ];
    expect(await needing(allRowsOf(ACME))).toEqual(acme);
    expect(await needing('all', 'acme')).toEqual(acme);
    expect(await needing(allRowsOf(ACME), 'acme')).toEqual(acme);
    expect(await needing(allRowsOf(ACME), 'rival')).toEqual([]);
    expect(await needing('all', 'nobody')).toEqual([]);
    expect(await needing({ partnerId: ACME, domainIds: [1, 3, 4, 5, 11] })).toEqual([
      ['blocked', 1, false, [11]],
      ['dns_at_risk', 1, false, [5]],
      ['unverified', 1, false, [5]],
    ]);
    expect(await needing({ partnerId: ACME, domainIds: [] })).toEqual([]);
  });

  it('reads from the partner that it is suspended, in either stage, and shows one domain of each', async () => {
    const ofPartners = async (scope: PartnerScope, ref?: string) =>
      (await needing(scope, ref)).filter(([reason]) => reason === 'partner_suspended');
    await suspend(ACME, 'changes');
    expect((await needing('all'))[1]).toEqual(['partner_suspended', 10, false, [1]]);
    await suspend(RIVAL, 'all');
    expect(await ofPartners('all')).toEqual([['partner_suspended', 11, false, [1, 3]]]);
    expect(await ofPartners('all', 'rival')).toEqual([['partner_suspended', 1, false, [3]]]);
    expect(await ofPartners(allRowsOf(ACME))).toEqual([['partner_suspended', 10, false, [1]]]);
    expect(await ofPartners({ partnerId: ACME, domainIds: [9, 5, 3] })).toEqual([['partner_suspended', 2, false, [5]]]);
    await suspend(ACME, null);
    expect(await ofPartners(allRowsOf(ACME))).toEqual([]);
    await suspend(RIVAL, null);
    expect(await ofPartners('all')).toEqual([]);
  });

  it('lists the domains of more suspended partners than are merged', async () => {
    const many = Array.from({ length: 17 }, (_, index) => 100 + index);
    await insert(
      'partner',
      many.map((id) => ({ id, ref: `p${id}`, domain_count: 1, last_created_at: 0, stage: 'all' })),
    );
    await insert(
      'domain',
      many.map((id) => domainRow(id, id)),
    );
    await insert(
      'verification',
      many.map((id) => verificationRow(id, id, 'verified')),
    );
    for (const attention of [undefined, true] as const) {
      const search = finder.summaries('all', { attentionReason: 'partner_suspended', attention }, NOW);
      const found: number[] = [];
      const range = { after: undefined, limit: undefined, order: undefined };
      for await (const { rows } of inSearch(search, range, 5)) found.push(...rows.map(({ id }) => id));
      expect(found).toEqual(many);
    }
    expect((await needing('all'))[1]).toEqual(['partner_suspended', 17, false, many.slice(0, 5)]);
    await database.write('DELETE FROM verification WHERE domain_id >= 100', [], []);
    await database.write('DELETE FROM domain WHERE id >= 100', [], []);
    await database.write('DELETE FROM partner WHERE id >= 100', [], []);
  });

  it('counts up to 20,000 domains of a reason, and tells that there are more', async () => {
    const first = 1_000;
    const numbers =
      kind === 'mariadb'
        ? `(SELECT seq FROM seq_${first}_to_${first + LARGE_DOMAINS - 1}) AS n`
        : `(WITH RECURSIVE n(seq) AS (SELECT ${first} UNION ALL SELECT seq + 1 FROM n WHERE seq < ${first + LARGE_DOMAINS - 1}) SELECT seq FROM n) AS n`;
    const columns = Object.keys(domainRow(0, 0)).join(', ');
    await database.write(
      `INSERT INTO domain (${columns}) SELECT seq, CONCAT('l', seq, '.example'), ${LARGE}, seq, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM ${numbers}`,
      [],
      [],
    );
    const ofVerification = Object.keys(verificationRow(0, 0, '')).join(', ');
    await database.write(
      `INSERT INTO verification (${ofVerification}) SELECT seq, ${LARGE}, 'verified', '', 0, 't', 0 FROM ${numbers}`,
      [],
      [],
    );
    await database.write(
      `INSERT INTO domain_attention (domain_id, partner_id, reason, period) SELECT seq, ${LARGE}, 'suspended', '' FROM ${numbers}`,
    );
    await countDomains();
    await suspend(LARGE, 'all');
    const ids = [1_000, 1_001, 1_002, 1_003, 1_004];
    expect(await needing('all', 'large')).toEqual([
      ['suspended', 20_000, true, ids],
      ['partner_suspended', 20_000, true, [1_000]],
    ]);
    await database.write('DELETE FROM domain_attention WHERE domain_id = 1000');
    await database.write('DELETE FROM verification WHERE domain_id = 1000', [], []);
    await database.write('DELETE FROM domain WHERE id = 1000', [], []);
    await countDomains();
    const [suspended, ofPartner] = await needing(allRowsOf(LARGE));
    expect([suspended?.slice(0, 3), ofPartner?.slice(0, 3)]).toEqual([
      ['suspended', 20_000, false],
      ['partner_suspended', 20_000, false],
    ]);
  });

  it('reads each reason in an index, whether of one partner or of all', async () => {
    const read = database.read.bind(database);
    for (const scope of ['all', allRowsOf(ACME)] as const) {
      const statements: [string, Parameter[]][] = [];
      database.read = (sql: string, parameters: Parameter[]) => {
        statements.push([sql, parameters]);
        return read(sql, parameters);
      };
      await finder.needing(scope, {}, NOW);
      Object.assign(database, { read });
      const counts = statements.filter(([sql]) => sql.includes('domain_attention a') && sql.includes('OVER ()'));
      expect(counts).toHaveLength(STORED_REASONS.length);
      const index = scope === 'all' ? 'ix_domain_attention_reason' : 'ix_domain_attention_partner';
      for (const [sql, parameters] of counts) {
        const plan = JSON.stringify(
          await read(kind === 'mariadb' ? `EXPLAIN ${sql}` : `EXPLAIN QUERY PLAN ${sql}`, parameters),
        );
        expect(plan).toContain(index);
        expect(plan).not.toMatch(/SCAN [ad]\b/);
      }
    }
  });
});
