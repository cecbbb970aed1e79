import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { Address } from '@mailstead/core/mailboxes/address';
import { SilentMeters } from '@mailstead/core/meters';
import { parseRecipient } from '@mailstead/core/outbound/recipients';
import { TypeormAliasRepository } from './alias-repository.js';
import { TypeormApiKeyRepository } from './api-key-repository.js';
import { TypeormDomainRepository } from './domain-repository.js';
import type { Parameter } from './driver/database.js';
import { TypeormUnitOfWork } from './driver/typeorm-unit-of-work.js';
import { LastUsedStamps } from './last-used-stamps.js';
import { TypeormMailboxRepository } from './mailbox-repository.js';
import { TypeormOutboundLedger } from './outbound/outbound-ledger.js';
import { TypeormSenderLogins } from './outbound/sender-logins.js';
import { TypeormRelayEventInbox } from './relay-event-inbox.js';
import { openTestDatabase, type TestDatabase } from './testing/database-fixture.js';
import { TypeormUsageReader } from './usage-reader.js';

const DOMAINS = 2_000;
const MAILBOXES = 6_000;
const ALIASES = 60_000;

/** On a database large enough for realistic query plans. Statements of every request must not read a whole table. */
describe('the statements of hot paths', () => {
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
    );
    await database.write(
      `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
       SELECT id, 'verified', '', 0, 't', 0 FROM domain`,
    );
    await database.write(
      `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT 1 + (seq MOD ${DOMAINS}), CONCAT('m', seq, '@d', 1 + (seq MOD ${DOMAINS}), '.example'), CONCAT('m', seq), 'x', 1, 0, 1, 'h', seq FROM seq_1_to_${MAILBOXES}`,
    );
    await database.write(
      `INSERT INTO relay_event (provider_id, event, received_at, processed_at, next_attempt_at)
       SELECT CONCAT('e', seq), '{}', seq, IF(seq MOD 100 = 0, NULL, seq), IF(seq MOD 300 = 0, NULL, seq MOD 2) FROM seq_1_to_${MAILBOXES}`,
    );
    await database.write(
      `INSERT INTO alias (domain_id, address, destination, created_at)
       SELECT 1 + (seq MOD ${DOMAINS}), CONCAT('a', seq, '@d', 1 + (seq MOD ${DOMAINS}), '.example'), CONCAT('r', seq, '@out', seq, '.example'), seq FROM seq_1_to_${ALIASES}`,
    );
    await database.write('ANALYZE TABLE partner, domain, verification, mailbox, alias, api_key, relay_event');
  });
  afterAll(() => opened.close());

  /** Runs the work. @returns the query plans of all its reads */
  async function plansOf(work: () => Promise<unknown>): Promise<{ table: string; type: string; rows: number }[]> {
    const { database } = opened;
    const read = database.read.bind(database);
    const together = database.together.bind(database);
    const statements: [string, Parameter[]][] = [];
    database.read = (sql: string, parameters: Parameter[]) => {
      statements.push([sql, parameters]);
      return read(sql, parameters);
    };
    database.together = (several) => {
      for (const statement of several) if (statement !== null) statements.push([statement.sql, statement.parameters]);
      return together(several);
    };
    await work();
    Object.assign(database, { read, together });
    expect(statements.length).toBeGreaterThan(0);
    const plans = await Promise.all(statements.map(([sql, parameters]) => read(`EXPLAIN ${sql}`, parameters)));
    return plans.flat().map((row) => ({ table: String(row.table), type: String(row.type), rows: Number(row.rows) }));
  }

  const domains = () => new TypeormDomainRepository(opened.database);
  const mailboxes = () => new TypeormMailboxRepository(opened.database);

  const look = (recipients: number, localPart: string) =>
    new TypeormUnitOfWork(opened.database).run(() =>
      new TypeormOutboundLedger(opened.database).read(
        Array.from({ length: recipients }, (_, index) => ({
          domain: `d${1 + index}.example` as DomainName,
          sender: null,
          id: null,
          recipients: [parseRecipient(`${localPart}${index}@d${1 + index}.example`)],
        })),
        new Date(),
      ),
    );

  it('do not read recipients when none are given', async () => {
    const together = opened.database.together.bind(opened.database);
    const statements: string[] = [];
    opened.database.together = (several) => {
      for (const statement of several) if (statement !== null) statements.push(statement.sql);
      return together(several);
    };
    const plain = { domain: 'd1.example' as DomainName, sender: null, id: null };
    await new TypeormUnitOfWork(opened.database).run(() =>
      new TypeormOutboundLedger(opened.database).read([plain], new Date()),
    );
    Object.assign(opened.database, { together });
    expect(statements.filter((sql) => /\balias\b/.test(sql))).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'a token',
      () =>
        new TypeormApiKeyRepository(
          opened.database,
          new LastUsedStamps(opened.database),
          new SilentMeters(),
        ).findByHash('a'.repeat(64)),
    ],
    ['a domain', () => domains().findWithParent('all', 'd7.example' as DomainName)],
    ['a page of a partner’s domains', () => domains().page(9, {}, { after: 0, limit: 100 })],
    ['the ancestors of a name', () => domains().ancestors(['d7.example', 'd8.example'] as DomainName[])],
    ['a mailbox', () => mailboxes().find('all', 'm8@d9.example' as Address)],
    [
      'a page of a domain’s mailboxes',
      () => mailboxes().list('all', { domain: 'd9.example' as DomainName })({ after: 0, limit: 100 }),
    ],
    [
      'who may send as an address',
      () => new TypeormSenderLogins(opened.database).ofAddresses(['m8@d9.example', 'x@d9.example', '@d9.example']),
    ],
    [
      'who may send as a thousand addresses',
      () =>
        new TypeormSenderLogins(opened.database).ofAddresses(
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
    ['the aliases of an address', () => new TypeormAliasRepository(opened.database).ofAddress('all', 'x@d9.example')],
  ])('find %s by an index', async (_, work) => {
    const plans = await plansOf(work);
    const scans = plans.filter(
      ({ type, table, rows }) =>
        (type === 'ALL' || type === 'index') && !table.startsWith('<') && table !== 'null' && rows > 300,
    );
    expect(scans).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a page of a partner’s mailboxes', () => mailboxes().list(9, {})({ after: 0, limit: 100 })],
    [
      'what a partner created lately',
      () => new TypeormUsageReader(opened.database).mailboxes(9, new Date(0))({ after: 0, limit: 100 }),
    ],
  ])('read for %s only rows of the partner', async (_, work) => {
    const plans = await plansOf(work);
    expect(Math.max(...plans.filter(({ table }) => !table.startsWith('<')).map(({ rows }) => rows))).toBeLessThan(
      MAILBOXES / 4,
    );
  });
});
