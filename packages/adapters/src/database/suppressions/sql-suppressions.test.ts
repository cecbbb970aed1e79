import { suppressionsContract } from '@mailstead/core/testing/suppressions-contract';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  afterAll(() => opened.close());

  suppressionsContract(async () => {
    opened = await openTestDatabase(kind);
    return outboundPorts(opened.database);
  });
});
