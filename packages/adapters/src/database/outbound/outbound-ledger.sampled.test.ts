import { outboundLedgerContract } from '@mailstead/core/testing/outbound-ledger-contract';
import { outboundPeriodsContract } from '@mailstead/core/testing/outbound-periods-contract';
import { outboundRecipientsContract } from '@mailstead/core/testing/outbound-recipients-contract';
import { outboundSendersContract } from '@mailstead/core/testing/outbound-senders-contract';
import { outboundSessionsContract } from '@mailstead/core/testing/outbound-sessions-contract';
import { outboundSuppressedContract } from '@mailstead/core/testing/outbound-suppressed-contract';
import { relayFieldsContract } from '@mailstead/core/testing/relay-fields-contract';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';
import { openReusedDatabase, type ReusedDatabase } from '../testing/reused-database.js';

onEachDatabase((kind) => {
  let reused: ReusedDatabase;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());

  describe.each([
    ['counting', outboundLedgerContract],
    ['closing', outboundPeriodsContract],
    ['counting by recipients', outboundRecipientsContract],
    ['counting by senders', outboundSendersContract],
    ['sessions', outboundSessionsContract],
    ['the relay fields', relayFieldsContract],
    ['suppressed recipients', outboundSuppressedContract],
  ])('%s', (_, contract) => {
    let main: TestDatabase;
    const others: Database[] = [];
    let first: ReturnType<typeof outboundPorts> | undefined;

    beforeAll(async () => {
      main = await reused.asNew();
      await main.database.write("INSERT INTO installation (name, value) VALUES ('forwarding', 'on')");
    });

    afterAll(async () => {
      for (const database of others) await database.close();
    });

    /** On MariaDB, each call opens another process with its own pool. The embedded database has one process. */
    async function open(): Promise<ReturnType<typeof outboundPorts>> {
      const isFirst = first === undefined;
      first ??= outboundPorts(main.database);
      if (isFirst || main.url === null) return first;
      const another = await openDatabase({ url: main.url, dataDir: main.dataDir, poolSize: 10 });
      others.push(another);
      return outboundPorts(another);
    }

    contract(open);
  });
});
