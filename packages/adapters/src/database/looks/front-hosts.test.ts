import type { FrontHosts } from '@mailstead/core/relay/front-hosts';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { PartnerWorld } from '../testing/partner-world.js';
import { SqlFrontHosts } from './sql-front-hosts.js';

const SAID_AT = new Date('2026-03-15T12:00:00.123Z');
/** As many and as long as they may be. */
const MOST = Array.from({ length: 20 }, (_, index) => `${String(index).padStart(2, '0')}${'.abcdefghi'.repeat(25)}x`);

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let frontHosts: SqlFrontHosts;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    frontHosts = new SqlFrontHosts(opened.database);
  });
  afterAll(() => opened.close());

  it('what was said of a domain is replaced, withdrawn, and ends with the domain; of others it stays', async () => {
    const world = new PartnerWorld(opened.database);
    const [domain, other] = [await world.createDomain('acme'), await world.createDomain('acme')];
    const unitOfWork = new SqlUnitOfWork(opened.database);
    const save = (said: FrontHosts | null, { id } = domain) => unitOfWork.run(() => frontHosts.save(id, said));
    const few = { hosts: ['a.filter.example', 'b.filter.example'], saidAt: SAID_AT };
    expect(await frontHosts.find(domain.id)).toBeNull();
    await save(null);
    await save(few, other);
    for (const said of [few, { hosts: MOST, saidAt: new Date(0) }, few, null, few]) {
      await save(said);
      expect(await frontHosts.find(domain.id)).toEqual(said);
    }
    await world.deleteDomain(domain);
    expect([await frontHosts.find(domain.id), await frontHosts.find(other.id)]).toEqual([null, few]);
  });
});
