import { SilentMeters } from '@mailstead/core/meters';
import { aliasRepositoryContract } from '@mailstead/core/testing/alias-repository-contract';
import { apiKeyRepositoryContract } from '@mailstead/core/testing/api-key-repository-contract';
import { brandRepositoryContract } from '@mailstead/core/testing/brand-repository-contract';
import { domainRepositoryContract } from '@mailstead/core/testing/domain-repository-contract';
import { mailboxRepositoryContract } from '@mailstead/core/testing/mailbox-repository-contract';
import { partnerRepositoryContract } from '@mailstead/core/testing/partner-repository-contract';
import type { RepositoryPorts } from '@mailstead/core/testing/repository-world';
import { TypeormApiKeyRepository } from '../api-keys/api-key-repository.js';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import { TypeormBrandRepository } from '../brands/brand-repository.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { outboundPorts } from '../testing/outbound-ports.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  afterAll(() => opened.close());

  const open = async (): Promise<RepositoryPorts> => {
    opened ??= await openTestDatabase(kind);
    const { database } = opened;
    const keys = new TypeormApiKeyRepository(database, new LastUsedStamps(database), new SilentMeters());
    return { ...outboundPorts(database), keys };
  };

  partnerRepositoryContract(open);
  brandRepositoryContract(async () => ({ ...(await open()), brands: new TypeormBrandRepository(opened.database) }));
  domainRepositoryContract(open);
  mailboxRepositoryContract(open);
  aliasRepositoryContract(open);
  apiKeyRepositoryContract(open);
});
