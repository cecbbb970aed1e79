import type { DomainFilter } from '@mailstead/core/domains/domain-finder';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Address } from '@mailstead/core/mailboxes/address';
import type { MailboxFilter } from '@mailstead/core/mailboxes/mailbox-repository';
import { SilentMeters } from '@mailstead/core/meters';
import { parseRecipient } from '@mailstead/core/outbound/recipients';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { TypeormAliasRepository } from '../aliases/alias-repository.js';
import { ApiKeyStatements } from '../api-keys/api-key-statements.js';
import { SqlUsageReader } from '../api-keys/usage-reader.js';
import { SqlDomainRecords } from '../domains/domain-records.js';
import { TypeormDomainRepository } from '../domains/domain-repository.js';
import type { Parameter } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { SqlDomainFinder } from '../finding/domain-finder.js';
import { SqlFirstFactsReader } from '../first-steps/first-facts-reader.js';
import { SqlDnsLooks } from '../looks/sql-dns-looks.js';
import { SqlFrontHosts } from '../looks/sql-front-hosts.js';
import { TypeormMailboxRepository } from '../mailboxes/mailbox-repository.js';
import { SqlOutboundLedger } from '../outbound/outbound-ledger.js';
import { SqlOutboundReader } from '../outbound/outbound-reader.js';
import { SqlSenderLogins } from '../outbound/sender-logins.js';
import { SqlPartnerFinder } from '../partners/partner-finder.js';
import { TypeormPortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { TypeormBounceLog } from '../relay-events/bounce-log.js';
import { TypeormRelayEventInbox } from '../relay-events/relay-event-inbox.js';
import { SqlPurgeMarks } from '../retention/purge-marks.js';
import { SessionStatements } from '../sessions/session-statements.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { ALIASES, DOMAINS, fillLargeDatabase, MAILBOXES } from '../testing/large-database.js';
import { queryPlansOf } from '../testing/query-plans.js';
import { rowsOf } from '../testing/read-cost.js';

const MARCH_15 = new Date('2026-03-15T12:00:00.000Z');

/** On a database large enough for realistic query plans. Statements of every request must not read a whole table. */
describe('the statements of hot paths', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    await fillLargeDatabase(opened.database);
  });
  afterAll(() => opened.close());

  const plansOf = (work: () => Promise<unknown>) => queryPlansOf(opened.database, work);

  const domains = () => new TypeormDomainRepository(opened.database);
  const record = (name: string) =>
    new SqlDomainRecords(opened.database, new SqlOutboundLedger(opened.database)).find(
      'all',
      name as DomainName,
      MARCH_15,
    );
  const mailboxes = () => new TypeormMailboxRepository(opened.database);

  const look = (recipients: number, localPart: string) =>
    new SqlUnitOfWork(opened.database).run(() =>
      new SqlOutboundLedger(opened.database).read(
        Array.from({ length: recipients }, (_, index) => ({
          domain: `d${1 + index}.example` as DomainName,
          sender: null,
          id: null,
          recipients: [parseRecipient(`${localPart}${index}@d${1 + index}.example`)],
        })),
        new Date(),
      ),
    );

  /** Counts one message of each mailbox, with an id, to recipients outside. */
  const count = (messages: number) =>
    new SqlUnitOfWork(opened.database).run(() =>
      new SqlOutboundLedger(opened.database).lockAndRead(
        Array.from({ length: messages }, (_, index) => ({
          domain: `d${1 + index}.example` as DomainName,
          sender: `m${index}@d${1 + index}.example`,
          id: `message:${index}`,
          recipients: [parseRecipient(`someone${index}@outside${index}.example`)],
        })),
        new Date('2026-03-15T12:00:00.000Z'),
      ),
    );

  /** One preview for each mailbox, through another domain than its own. */
  const lookOfSenders = (senders: number) =>
    new SqlUnitOfWork(opened.database).run(() =>
      new SqlOutboundLedger(opened.database).read(
        Array.from({ length: senders }, (_, index) => ({
          domain: 'd1.example' as DomainName,
          sender: `m${index}@d${1 + index}.example`,
          id: null,
        })),
        new Date('2026-03-15T12:00:00.000Z'),
      ),
    );

  it('do not read recipients when none are given', async () => {
    const readTogether = opened.database.readTogether.bind(opened.database);
    const statements: string[] = [];
    opened.database.readTogether = (several) => {
      for (const statement of several) if (statement !== null) statements.push(statement.sql);
      return readTogether(several);
    };
    const plain = { domain: 'd1.example' as DomainName, sender: null, id: null };
    await new SqlUnitOfWork(opened.database).run(() =>
      new SqlOutboundLedger(opened.database).read([plain], new Date()),
    );
    Object.assign(opened.database, { readTogether });
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((sql) => /\balias\b/.test(sql))).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a token', () => new ApiKeyStatements(opened.database, new SilentMeters()).findByHash('a')],
    ['a session', () => new SessionStatements(opened.database, new FixedClock(), new SilentMeters()).findByHash('a')],
    ['a code', () => new TypeormPortalLinkRepository(opened.database, new FixedClock()).findByCode('a')],
    ['the domains that were never open', () => domains().neverOpen(new Date(9), new Date(9), { after: 0, limit: 200 })],
    [
      'the reminders of lowered retentions',
      () => domains().withRetentionReminder(new Date(9), { after: 0, limit: 200 }),
    ],
    ['the domains that the purge holds', () => new SqlPurgeMarks(opened.database).held()],
    ['the marks of a page of domains', () => new SqlPurgeMarks(opened.database).ofDomains([1, 2, 3])],
    ['when a domain is looked at', () => new SqlDnsLooks(opened.database).firstDue()],
    ['the domains that are looked at', () => new SqlDnsLooks(opened.database).due(9, new Date(50), 20)],
    ['the domains whose lacks are held', () => new SqlDnsLooks(opened.database).standing()],
    ['the hosts in front of ours', () => new SqlFrontHosts(opened.database).find(1)],
    ['what a page of domains lacks', () => new SqlDnsLooks(opened.database).lacksOf([1, 2, 3])],
    ['a domain', () => domains().findWithParent('all', 'd7.example' as DomainName)],
    ['a domain without a parent, with what decides its state', () => record('d7.example')],
    ['a domain with a parent, with what decides its state', () => record('d9.example')],
    ['a page of a partner’s domains', () => domains().page(allRowsOf(9), {}, { after: 0, limit: 100 })],
    ['the ancestors of a name', () => domains().ancestors(['d7.example', 'd8.example'] as DomainName[])],
    ['a mailbox', () => mailboxes().find('all', 'm8@d9.example' as Address)],
    [
      'a page of a domain’s mailboxes',
      () => mailboxes().search('all', { domain: 'd9.example' as DomainName })({ after: 0, limit: 100 }),
    ],
    [
      'who may send as an address',
      () => new SqlSenderLogins(opened.database).ofAddresses(['m8@d9.example', 'x@d9.example', '@d9.example']),
    ],
    [
      'the increment of a message with its own and another sender address',
      () =>
        new SqlUnitOfWork(opened.database).run(() =>
          new SqlOutboundLedger(opened.database).lockAndRead(
            [
              {
                domain: 'd9.example' as DomainName,
                sender: 'm8@d9.example',
                id: 'message:1',
                recipients: [parseRecipient('x@out.example')],
                claims: ['m8@d9.example', 'x+tag@d9.example'],
              },
            ],
            MARCH_15,
          ),
        ),
    ],
    [
      'who may send as a thousand addresses',
      () =>
        new SqlSenderLogins(opened.database).ofAddresses(
          Array.from({ length: 1_000 }, (_, index) => [
            `m${index}@d${index + 1}.example`,
            `@d${index + 1}.example`,
          ]).flat(),
        ),
    ],
    [
      'the relay events that are due',
      () => new TypeormRelayEventInbox(opened.database).lockPending({ maxEvents: 200, maxBytes: 1_000 }, new Date()),
    ],
    ['the relay events that failed', () => new TypeormRelayEventInbox(opened.database).failed(100)],
    ['the backlog of relay events', () => new TypeormRelayEventInbox(opened.database).backlog()],
    ['what 50 recipients of a batch stand for', () => look(50, 'a')],
    ['what one outside recipient stands for', () => look(1, 'elsewhere')],
    ['what 50 mailboxes sent through all domains', () => lookOfSenders(50)],
    ['one message', () => count(1)],
    ['a batch of 50 messages', () => count(50)],
    ['the days of a domain', () => new SqlOutboundReader(opened.database).days(9, MARCH_15)],
    ['the days of a partner', () => new SqlOutboundReader(opened.database).partnerDays(9, MARCH_15)],
    ['what a partner sent', () => new SqlOutboundReader(opened.database).partnerSent(9, MARCH_15)],
    [
      'a page of bounces',
      () => new TypeormBounceLog(opened.database).page({ id: 9, partnerId: 2 }, { before: 9e9, limit: 100 }),
    ],
    ['the aliases of an address', () => new TypeormAliasRepository(opened.database).ofAddress('all', 'x@d9.example')],
  ])('find %s by an index', async (_, work) => {
    const plans = await plansOf(work);
    const scans = plans.filter(
      ({ type, table, rows }) =>
        (type === 'ALL' || type === 'index') && !table.startsWith('<') && table !== 'null' && rows > 300,
    );
    expect(scans).toEqual([]);
  });

  const FILTERS: DomainFilter[] = [
    {},
    { begins: { name: 'd7', externalRef: null, partnerRef: null } },
    { begins: { name: 'd', externalRef: null, partnerRef: null } },
    { begins: { name: 'absent', externalRef: 'absent', partnerRef: null } },
    { begins: { name: 'd', externalRef: 'd', partnerRef: 'd' as PartnerRef } },
    { begins: { name: null, externalRef: 'r', partnerRef: 'p1' as PartnerRef } },
    { status: 'suspended' },
    { status: 'active' },
    { verificationStatus: 'failed' },
    { verificationStatus: 'verified' },
    { outboundStatus: 'blocked' },
    { outboundStatus: 'active', plan: 'starter' },
    { inbound: 'pending' },
    { plan: 'business' },
    { parent: 'd7.example' as DomainName },
    { externalRef: 'x' },
    { attention: true },
    { attention: true, inbound: 'open' },
  ];
  const MAILBOX_FILTERS: MailboxFilter[] = [
    { begins: { address: 'm7', externalRef: 'm7' } },
    { begins: { address: 'm', externalRef: 'm' } },
    { active: false },
    { active: true, begins: { address: 'm', externalRef: 'm' } },
    { externalRef: 'x' },
    { begins: { address: 'm', externalRef: 'm' }, domain: 'd7.example' as DomainName },
  ];
  const finder = () => new SqlDomainFinder(opened.database);
  const aliases = () => new TypeormAliasRepository(opened.database);

  it.each(['asc', 'desc'] as const)(
    'filters of a partner’s lists read only rows of the partner, by an index (%s)',
    async (order) => {
      const page = { after: order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER, limit: 51, order };
      const searches = [
        ...FILTERS.map((filter) => [filter, () => finder().domains(allRowsOf(9), filter, new Date(0))(page)] as const),
        ...MAILBOX_FILTERS.map((filter) => [filter, () => mailboxes().search(allRowsOf(9), filter)(page)] as const),
        ...MAILBOX_FILTERS.slice(0, 2).map(
          (filter) => [filter, () => aliases().search(allRowsOf(9), filter)(page)] as const,
        ),
      ];
      for (const [filter, search] of searches) {
        const plans = (await plansOf(search)).filter(({ table }) => !table.startsWith('<') && table !== 'null');
        const wide = plans.filter(({ type, rows }) => type === 'ALL' || rows > ALIASES / 100);
        expect([filter, wide.filter(({ table }) => table !== 'e')]).toEqual([filter, []]);
      }
    },
  );

  it('filters of the lists of all partners read no whole table', async () => {
    const page = { after: 0, limit: 51 };
    const searches = [
      ...FILTERS.map((filter) => [filter, () => finder().domains('all', filter, new Date(0))(page)] as const),
      ...MAILBOX_FILTERS.map((filter) => [filter, () => mailboxes().search('all', filter)(page)] as const),
    ];
    for (const [filter, search] of searches) {
      const scans = (await plansOf(search)).filter(
        ({ type, rows, table }) => type === 'ALL' && rows > 300 && !table.startsWith('<'),
      );
      expect([filter, scans]).toEqual([filter, []]);
    }
  });

  it('the first steps of a partner, of some domains and of all partners read a few rows', async () => {
    const { database, url } = opened;
    await database.write('DELETE FROM outbound_partner_day WHERE partner_id = 11');
    await database.write('UPDATE domain SET mailbox_count = 3 WHERE partner_id = 11');
    await database.write('UPDATE outbound_counter SET sent_month = 0 WHERE domain_id = 9');
    const cost = await rowsOf(database, url ?? '');
    try {
      for (const scope of ['all', allRowsOf(11), { partnerId: 11, domainIds: [9] }] as const) {
        const read = await cost.of(() => new SqlFirstFactsReader(database).read(scope, undefined, MARCH_15));
        expect(read.result).toMatchObject({ hasSent: false, domain: {} });
        expect(read.cost).toBeLessThan(DOMAINS / 10);
      }
    } finally {
      await cost.close();
    }
  });

  it('a page of complete domains takes the same few statements, however many rows it has', async () => {
    const count = async (limit: number) => {
      const statements: string[] = [];
      const read = opened.database.read.bind(opened.database);
      opened.database.read = (sql: string, parameters: Parameter[]) => {
        statements.push(sql);
        return read(sql, parameters);
      };
      await finder().domains('all', { plan: 'absent' as never }, new Date(0))({ after: 0, limit });
      await finder().domains('all', {}, new Date(0))({ after: 0, limit });
      Object.assign(opened.database, { read });
      return statements.length;
    };
    expect(await count(500)).toBe(await count(1));
  });

  it('the domains that wait for a day are found without reading those that do not wait for it', async () => {
    const plans = [
      ...(await plansOf(() => domains().neverOpen(new Date(9), null, { after: 0, limit: 200 }))),
      ...(await plansOf(() => domains().withRetentionReminder(new Date(9), { after: 0, limit: 200 }))),
    ];
    expect(Math.max(...plans.map(({ rows }) => rows))).toBeLessThan(DOMAINS / 10);
  });

  it('read for the totals of partners the index of their domains’ counts, not the rows', async () => {
    const statements: string[] = [];
    const read = opened.database.read.bind(opened.database);
    opened.database.read = (sql: string, parameters: Parameter[]) => {
      statements.push(sql);
      return read(sql, parameters);
    };
    const { rows } = await new SqlPartnerFinder(opened.database).search({}, new Date(0)).next('', 100);
    Object.assign(opened.database, { read });
    expect(rows).toHaveLength(100);
    const ids = rows.map(({ id }) => id);
    const plan = await read(`EXPLAIN ${statements.find((sql) => sql.includes('AS sums'))}`, ids);
    const sums = plan.filter(({ table }) => table === 'd');
    expect(sums.map(({ key, Extra }) => [key, String(Extra).includes('Using index')])).toEqual([
      ['ix_domain_partner_counts', true],
    ]);
  });

  it.each<[string, () => Promise<unknown>, number]>([
    ['the days of a partner', () => new SqlOutboundReader(opened.database).partnerDays(9, MARCH_15), 30],
    ['what a partner sent', () => new SqlOutboundReader(opened.database).partnerSent(9, MARCH_15), 40],
    [
      'a page of bounces',
      () => new TypeormBounceLog(opened.database).page({ id: 9, partnerId: 2 }, { before: 9e9, limit: 100 }),
      400,
    ],
  ])('read for %s no rows of others', async (_, work, most) => {
    const plans = await plansOf(work);
    expect(plans.filter(({ table, rows }) => !table.startsWith('<') && rows > most)).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a page of a partner’s mailboxes', () => mailboxes().search(allRowsOf(9), {})({ after: 0, limit: 100 })],
    [
      'what a partner created lately',
      () => new SqlUsageReader(opened.database).mailboxes(allRowsOf(9), new Date(0))({ after: 0, limit: 100 }),
    ],
  ])('read for %s only rows of the partner', async (_, work) => {
    const plans = await plansOf(work);
    expect(Math.max(...plans.filter(({ table }) => !table.startsWith('<')).map(({ rows }) => rows))).toBeLessThan(
      MAILBOXES / 4,
    );
  });
});
