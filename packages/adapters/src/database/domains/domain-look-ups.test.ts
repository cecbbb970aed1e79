import type { DomainName } from '@mailstead/core/domains/domain-name';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import type { Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { fillManyDomains, LARGE_PARTNER } from '../testing/many-domains.js';
import { rowsOf } from '../testing/read-cost.js';
import { TypeormDomainRepository } from './domain-repository.js';

const DOMAINS = 40;
/** Its row, and those of its partner, its verification and its reasons, and what comes after the last of these. */
const ROWS_OF_A_DOMAIN = 8;

onEachDatabase((kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    await fillManyDomains(database, DOMAINS);
    await database.write('DELETE FROM domain_attention WHERE domain_id IN (2, 3, 4)');
    // The child 9 and the domain 10, which has no parent, have several.
    await database.write(
      `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
       VALUES (9, 'suspended', 2, ''), (9, 'daily_limit', 2, 'past'), (10, 'suspended', 2, ''), (10, 'daily_limit', 2, 'past')`,
    );
  });
  afterAll(() => opened.close());

  const nameOf = (id: number) => `d${id}.example` as DomainName;

  it('callers who ask for different domains at the same time get each its own, once, with its parent and whether it has reasons', async () => {
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
    const found = await Promise.all(
      [2, 9, 10, 11, 10, 99].map((id) => domains.findWithParent(allRowsOf(LARGE_PARTNER), nameOf(id))),
    );
    Object.assign(database, { read });
    const seen = found.map((each) =>
      each === null
        ? null
        : [each.domain.id, each.verification.domainId, each.parent?.domain.id ?? null, each.hasReasons],
    );
    // The domain 11 belongs to another partner, and no domain has the number 99.
    expect(seen).toEqual([
      [2, 2, null, false],
      [9, 9, 1, true],
      [10, 10, null, true],
      null,
      [10, 10, null, true],
      null,
    ]);
    // One for all, and one for those with a parent.
    expect(statements).toHaveLength(2);
  });

  if (kind === 'mariadb') {
    it('the look-up of a domain reads its own rows only', async () => {
      const cost = await rowsOf(opened.database, opened.url ?? '');
      const domains = new TypeormDomainRepository(opened.database);
      const read = [];
      for (const id of [2, 10, 40]) read.push(await cost.of(() => domains.findWithParent('all', nameOf(id))));
      await cost.close();
      expect(read.map(({ result }) => result?.domain.id)).toEqual([2, 10, 40]);
      for (const { cost: rows } of read) expect(rows).toBeLessThanOrEqual(ROWS_OF_A_DOMAIN);
    });
  }
});
