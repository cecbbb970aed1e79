import { parseRecipient } from '@mailstead/core/outbound/recipients';
import { anIncrement, OutboundWorld } from '@mailstead/core/testing/outbound-world';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

const DOMAINS = 100;
const ROUNDS = 1_000;
const MOST_BYTES = 200;

onEachDatabase((kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());

  /** On MariaDB the size of the table with its indexes, on SQLite that of the database. */
  async function bytes(): Promise<number> {
    const { database } = opened;
    if (kind === 'sqlite') {
      const [file] = await database.read(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
      );
      return Number(file?.bytes);
    }
    await database.read('ANALYZE TABLE outbound_counted_id');
    const [table] = await database.read(
      "SELECT data_length + index_length AS bytes FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'outbound_counted_id'",
    );
    return Number(table?.bytes);
  }

  it('a counted id takes at most 200 bytes, among 100,000 as the policy daemon sends them', async () => {
    const world = new OutboundWorld(outboundPorts(opened.database));
    const domains = [];
    for (let index = 0; index < DOMAINS; index += 1) domains.push(await world.domain({ outboundTier: 'unlimited' }));
    const before = await bytes();
    for (let round = 0; round < ROUNDS; round += 1) {
      world.clock.advance(20);
      const items = domains.map((domain, index) =>
        anIncrement(domain, {
          id: `message:mx1.hosting.example:4fXyZ${(round * DOMAINS + index).toString(36)}z`,
          bytes: 40_000,
          recipients: [parseRecipient(`r${index}@out.example`)],
          fingerprint: (round * DOMAINS + index).toString(16).padStart(32, '0'),
        }),
      );
      await world.countOutbound.executeAll(items);
    }
    const each = ((await bytes()) - before) / (DOMAINS * ROUNDS);
    process.stderr.write(`${kind}: ${each.toFixed(0)} bytes a counted id\n`);
    expect(each).toBeLessThanOrEqual(MOST_BYTES);
  });
});
