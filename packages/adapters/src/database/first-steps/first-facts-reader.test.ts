import { SilentMeters } from '@mailstead/core/meters';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { firstFactsContract } from '@mailstead/core/testing/first-facts-contract';
import { TypeormApiKeyRepository } from '../api-keys/api-key-repository.js';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { SqlFirstFactsReader } from './first-facts-reader.js';

const NOW = new Date('2026-03-15T12:00:00.000Z');

onEachDatabase((kind) => {
  let opened: TestDatabase;
  afterAll(() => opened.close());

  firstFactsContract(async () => {
    opened = await openTestDatabase(kind);
    const { database } = opened;
    return {
      ...outboundPorts(database),
      keys: new TypeormApiKeyRepository(database, new LastUsedStamps(database), new SilentMeters()),
      firstFacts: new SqlFirstFactsReader(database),
    };
  });

  it.each(['usage_month', 'usage_day'])(
    'a message is known from %s when the days of its partner are no longer kept',
    async (table) => {
      const { database } = opened;
      const partner = table === 'usage_month' ? 901 : 902;
      const columns: Record<string, string> = {
        usage_month:
          "month, position, partner_id, name, external_ref, billing_ref, first_day, last_day, days, mailboxes_max, mailbox_days, sent, bytes, bytes_in, bounces) VALUES ('2025-01', ?, ?, 'a.example', '', '', '2025-01-01', '2025-01-31', 31, 1, 31, ?, 0, 0, 0",
        usage_day:
          "month, day, partner_id, name, held, mailboxes, sent, bytes, bounces) VALUES ('2025-01', ?, ?, 'a.example', 1, 1, ?, 0, 0",
      };
      const hasSent = async () =>
        (await new SqlFirstFactsReader(database).read(allRowsOf(partner), undefined, NOW)).hasSent;
      await database.write(`INSERT INTO ${table} (${columns[table]})`, [1, partner, 0]);
      expect(await hasSent()).toBe(false);
      await database.write(`INSERT INTO ${table} (${columns[table]})`, [2, partner, 7]);
      expect(await hasSent()).toBe(true);
    },
  );
});
