import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { DomainOptions } from '@mailstead/core/domains/domain-options';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { Container } from 'inversify';
import { openDatabase } from './database/driver/open-database.js';
import { openProcess } from './service-process.js';

describe('the start of a process without two bindings', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-start-'));
    process.env.DATA_DIR = dataDir;
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    delete process.env.DATA_DIR;
    await rm(dataDir, { recursive: true });
  });

  it('fails with both of them, and has not migrated the database', async () => {
    const bind = Reflect.get(Container.prototype, 'bind');
    const elsewhere = new Container();
    jest.spyOn(Container.prototype, 'bind').mockImplementation(function (this: Container, token) {
      const isMissing = token === DomainOptions || token === JobStore;
      return bind.call(isMissing ? elsewhere : this, token);
    });
    const failure = await openProcess('api').catch(String);
    expect(failure).toMatch(/Nothing is bound for .*\bDomainOptions \(for .*\bPurgeRetention\b/);
    expect(failure).toMatch(/\bJobStore \(for .*\bJobRunner\b/);
    const database = await openDatabase({ url: null, dataDir, poolSize: 2 });
    expect(await database.read("SELECT name FROM sqlite_master WHERE type = 'table'")).toEqual([]);
    await database.close();
  });
});
