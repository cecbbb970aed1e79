import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { DomainOptions } from '@mailstead/core/domains/domain-options';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { Container } from 'inversify';
import { openDatabase } from './database/driver/open-database.js';
import { openTestDatabase } from './database/testing/database-fixture.js';
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

describe('the warning of sessions that nobody ends', () => {
  const before = { ...process.env };
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailstead-start-'));
    Object.assign(process.env, { DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  });
  afterEach(async () => {
    process.env = { ...before };
    await rm(dataDir, { recursive: true });
  });

  /** What the check says; undefined when this process does not have it. */
  const warning = async (): Promise<string | null | undefined> => {
    const service = await openProcess('api');
    const found = await service.checks.find(({ name }) => name === 'mail_sessions')?.problem();
    await service.close();
    return found;
  };

  it('is not there on the embedded database, which no mail server reads', async () => {
    expect(await warning()).toBeUndefined();
  });

  it('is there on MariaDB until DOVEADM_URL is set', async () => {
    const opened = await openTestDatabase('mariadb');
    const secret = 'a-secret-of-the-tests-0123456789abcd';
    Object.assign(process.env, { DATABASE_URL: opened.url, MASTER_TOKEN: secret, SECRET_KEY: `${secret}-key` });
    expect(await warning()).toContain('DOVEADM_URL');
    Object.assign(process.env, { DOVEADM_URL: 'http://127.0.0.1:9/doveadm/v1', DOVEADM_API_KEY: secret });
    expect(await warning()).toBeNull();
    await opened.close();
  });
});
