import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readConfig } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { DatabaseCheck, DatabaseWriteCheck } from '@mailstead/adapters/database/health/database-checks';
import { LastUsedStamps } from '@mailstead/adapters/database/last-used-stamps';
import { type DatabaseKind, openTestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { createLogger } from '@mailstead/adapters/logger';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { replace } from '@mailstead/adapters/testing/replace';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { ScriptedDns } from '@mailstead/core/testing/scripted-dns';
import { ScriptedRelayProvider } from '@mailstead/core/testing/scripted-relay-provider';
import type { Container } from 'inversify';
import supertest from 'supertest';
import { type RequestLine, RequestLog } from '../http/request-log.js';
import type { Route } from '../http/route.js';
import { createService } from '../service.js';

export const MASTER = 'master-token-of-the-tests-0123456789';
export const POLICY = 'policy-token-of-the-tests-0123456789';
export const BILLING = 'billing-token-of-the-tests-012345678';
export const READ = 'reading-token-of-the-tests-012345678';

/** Keeps the log lines and defects in memory. */
export class RememberedLog extends RequestLog {
  readonly lines: RequestLine[] = [];
  readonly defects: unknown[] = [];

  override request(line: RequestLine): void {
    this.lines.push(line);
  }

  override defect(error: unknown): void {
    this.defects.push(error);
  }
}

export interface TestApi {
  server: Server;
  url: string;
  routes: Route[];
  clock: FixedClock;
  jobs: IdleJobQueue;
  relay: ScriptedRelayProvider;
  dns: ScriptedDns;
  log: RememberedLog;
  database: Database;
  container: Container;
  /** Returns functions that send requests with the token. */
  as(token: string): Caller;
  /** Creates an API key of a partner and returns its token. */
  key(partnerRef: string, limits?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

interface Caller {
  get(path: string): supertest.Test;
  post(path: string, body?: unknown): supertest.Test;
  put(path: string, body?: unknown): supertest.Test;
  delete(path: string): supertest.Test;
}

/** Starts the application on its own new database. The clock is fixed; jobs, the relay provider and DNS are fakes. */
export async function startTestApi(
  kind: DatabaseKind,
  environment: Record<string, string> = {},
  options: { listMaxWaitMs?: number } = {},
): Promise<TestApi> {
  const { database, url: databaseUrl, dataDir, close: closeDatabase } = await openTestDatabase(kind);
  const config = readConfig({
    DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    MASTER_TOKEN: MASTER,
    OPERATOR_TOKENS: `policyd:policy:${POLICY},billing:billing:${BILLING},reader:read:${READ}`,
    SECRET_KEY: 'a-secret-key-of-the-tests-0123456789',
    BCRYPT_COST: '4',
    ...environment,
  });
  const clock = new FixedClock();
  const log = new RememberedLog();
  const jobs = new IdleJobQueue();
  const relay = new ScriptedRelayProvider();
  const dns = new ScriptedDns();
  const container = createContainer(config, {
    name: 'api',
    database,
    installationId: 'test',
    clock,
    waker: new InProcessWaker(clock),
    jobLog: new LoggedJobs(createLogger('error')),
    createRateLimiter: (rules) => new InProcessRateLimiter(rules),
    share: 'interactive',
  });
  replace(container, JobQueue, jobs);
  replace(container, RelayProvider, relay);
  replace(container, DnsResolver, dns);
  const checks = [container.get(DatabaseCheck), container.get(DatabaseWriteCheck)];
  const { app, routes } = createService(container, config, checks, log, options.listMaxWaitMs);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const as = (token: string): Caller => {
    const signed = (test: supertest.Test) => test.set('Authorization', `Bearer ${token}`);
    return {
      get: (path) => signed(supertest(url).get(path)),
      post: (path, body) => signed(supertest(url).post(path)).send(body as object),
      put: (path, body) => signed(supertest(url).put(path)).send(body as object),
      delete: (path) => signed(supertest(url).delete(path)),
    };
  };
  let keys = 0;
  return {
    server,
    url,
    routes,
    clock,
    jobs,
    relay,
    dns,
    log,
    database,
    container,
    as,
    key: async (partnerRef, limits = {}) => {
      keys += 1;
      const token = `client-token-${partnerRef.replaceAll(/[^A-Za-z0-9]/g, '')}-${keys}-0123456789`;
      await as(MASTER)
        .post('/api-keys/', {
          token,
          partner_ref: partnerRef,
          mailboxes_per_domain: 0,
          aliases_per_mailbox: 0,
          ...limits,
        })
        .expect(201);
      return token;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await container.get(LastUsedStamps).flush();
      await closeDatabase();
    },
  };
}
