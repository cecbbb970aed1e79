import type { DomainName } from '@mailstead/core/domains/domain-name';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import type { Statement } from '../driver/database.js';
import { SqlOutboundLedger } from '../outbound/outbound-ledger.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillManyDomains, LARGE_PARTNER } from '../testing/many-domains.js';
import { SqlDomainRecords } from './domain-records.js';
import { TypeormDomainRepository } from './domain-repository.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');
const DOMAINS = 40;
/** A domain of another partner, which has a tenant at the relay provider and suppressions. */
const FOREIGN = 11;
/** A domain with the parent 1. */
const CHILD = 9;
const WITHOUT_COUNTER = 10;

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let records: SqlDomainRecords;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await fillManyDomains(database, DOMAINS);
    await database.write(`DELETE FROM outbound_counter WHERE domain_id = ${WITHOUT_COUNTER}`);
    await database.write(
      "INSERT INTO relay_tenant (partner_id, name, status, status_since, is_asked) VALUES (3, 't3', 'paused', 9, 0)",
    );
    await database.write("UPDATE partner SET suppression_mode = 'refuse', suppression_count = 4 WHERE id = 3", [], []);
    records = new SqlDomainRecords(database, new SqlOutboundLedger(database));
  });
  afterAll(() => opened.close());

  const nameOf = (id: number) => `d${id}.example` as DomainName;

  it.each([2, 1, CHILD, WITHOUT_COUNTER, FOREIGN])(
    'the record of the domain %i is the domain as the repository finds it, with the facts of its preview',
    async (id) => {
      const record = await records.find('all', nameOf(id), NOW);
      const ledger = new SqlOutboundLedger(opened.database);
      const { domains, byId, period, tiers, mailboxes, logins } = await ledger.read(
        [{ domain: nameOf(id), sender: null, id: null }],
        NOW,
      );
      expect(record?.found).toEqual(
        await new TypeormDomainRepository(opened.database).findWithParent('all', nameOf(id)),
      );
      expect(record?.facts).toEqual({ domains, byId, period, tiers, mailboxes, logins });
      expect(byId.get(id)?.counter.sentTodayIn(period)).toBe(id === WITHOUT_COUNTER ? 0 : 1);
      expect(byId.get(id)?.tenant?.name).toBe(id === FOREIGN ? 't3' : undefined);
      expect(byId.has(1)).toBe(id === 1 || id === CHILD);
    },
  );

  it('callers who ask at the same time get each its own, in two statements and four more for all that have a parent', async () => {
    const { database } = opened;
    const [read, readTogether] = [database.read.bind(database), database.readTogether.bind(database)];
    const calls: number[] = [];
    Object.assign(database, {
      read: (sql: string, parameters: never[]) => {
        calls.push(1);
        return read(sql, parameters);
      },
      readTogether: (several: readonly (Statement | null)[]) => {
        calls.push(several.length);
        return readTogether(several);
      },
    });
    const asked = [2, CHILD, 18, WITHOUT_COUNTER, FOREIGN, 2, 99];
    const found = await Promise.all(asked.map((id) => records.find(allRowsOf(LARGE_PARTNER), nameOf(id), NOW)));
    Object.assign(database, { read, readTogether });
    // The domain 11 belongs to another partner, and no domain has the number 99.
    expect(found.map((record) => record?.found.domain.id ?? null)).toEqual([2, CHILD, 18, 10, null, 2, null]);
    expect(found.map((record) => record?.found.parent?.domain.id ?? null)).toEqual([
      null,
      1,
      1,
      null,
      null,
      null,
      null,
    ]);
    for (const record of found) {
      if (record !== null) expect(record.facts.byId.has(record.found.domain.id)).toBe(true);
    }
    expect(calls).toEqual([2, 1, 3]);
  });

  it('a parent that the caller may not see counts, and is not visible', async () => {
    const scope = { partnerId: LARGE_PARTNER, domainIds: [CHILD] };
    const record = await records.find(scope, nameOf(CHILD), NOW);
    expect(record?.found.parent?.isVisible).toBe(false);
    expect(record?.facts.byId.get(1)?.name).toBe(nameOf(1));
  });
});
