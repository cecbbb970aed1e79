import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, readConfig } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import { LastUsedStamps } from '@mailstead/adapters/database/api-keys/last-used-stamps';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { DatabaseCheck, DatabaseWriteCheck } from '@mailstead/adapters/database/health/database-checks';
import { SchemaCheck } from '@mailstead/adapters/database/health/schema-check';
import { RelayTrafficStamps } from '@mailstead/adapters/database/relay/relay-traffic-stamps';
import {
  type DatabaseKind,
  openTestDatabase,
  type TestDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { createLogger } from '@mailstead/adapters/logger';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { replace } from '@mailstead/adapters/testing/replace';
import { DatabaseClock } from '@mailstead/core/clock';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { LooksCheck } from '@mailstead/core/relay/looks/looks-check';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { MailStore } from '@mailstead/core/retention/mail-store';
import { PurgeBrakeCheck } from '@mailstead/core/retention/purge-brake-check';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { ScriptedDns } from '@mailstead/core/testing/scripted-dns';
import { ScriptedRelayProvider } from '@mailstead/core/testing/scripted-relay-provider';
import { currentTraceId } from '@mailstead/core/trace';
import type { Container } from 'inversify';
import supertest from 'supertest';
import type { FrameServer } from '../frames/frame-server.js';
import { type RequestLine, RequestLog } from '../http/request-log.js';
import type { Route } from '../http/route.js';
import { createService, type ServiceTimes } from '../service.js';
import type { ApiDocument } from './api-document.js';
import { DocumentedResponses } from './documented-responses.js';
import { KEPT_CONNECTIONS } from './kept-connections.js';

export const MASTER = 'master-token-of-the-tests-0123456789';
export const POLICY = 'policy-token-of-the-tests-0123456789';
export const BILLING = 'billing-token-of-the-tests-012345678';
export const READ = 'reading-token-of-the-tests-012345678';

/** Keeps the log lines and defects in memory. */
export class RememberedLog extends RequestLog {
  readonly lines: RequestLine[] = [];
  /** The trace of each line. */
  readonly traces: (string | null)[] = [];
  readonly defects: unknown[] = [];
  readonly warnings: string[] = [];

  override request(line: RequestLine): void {
    this.lines.push(line);
    this.traces.push(currentTraceId());
  }

  override warning(message: string): void {
    this.warnings.push(message);
  }

  override defect(error: unknown): void {
    this.defects.push(error);
  }
}

export interface TestApi {
  server: Server;
  url: string;
  /** Does not listen yet. */
  frames: FrameServer;
  routes: Route[];
  document: ApiDocument;
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
  /** Starts a second process on the same database: it shares no memory, but on SQLite the connection. */
  startReplica(environment?: Record<string, string>): Promise<{ url: string; close: () => Promise<void> }>;
  /** Writes when keys and sessions were used. */
  flushStamps(): Promise<void>;
  /** @throws Error when a response was not as the OpenAPI document says. */
  close(): Promise<void>;
}

interface Caller {
  get(path: string): supertest.Test;
  post(path: string, body?: unknown): supertest.Test;
  put(path: string, body?: unknown): supertest.Test;
  delete(path: string): supertest.Test;
}

/**
 * Starts two processes of the application on one database; on SQLite, which has one process, they share the connection.
 */
export async function startTwoReplicas(kind: DatabaseKind): Promise<[TestApi, TestApi]> {
  const opened = await openTestDatabase(kind);
  const first = await startTestApi(kind, {}, {}, null, opened);
  if (opened.url === null) return [first, await startTestApi(kind, {}, {}, null, { ...opened, close: async () => {} })];
  const database = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 8 });
  return [first, await startTestApi(kind, {}, {}, null, { ...opened, database, close: () => database.close() })];
}

/**
 * Starts the application on its own new database, or on the one given. The clock is fixed; jobs, the relay provider and
 * DNS are fakes.
 */
export async function startTestApi(
  kind: DatabaseKind,
  environment: Record<string, string> = {},
  times: ServiceTimes = {},
  mailStore: MailStore | null = null,
  opened?: TestDatabase,
): Promise<TestApi> {
  const { database, url: databaseUrl, dataDir, close: closeDatabase } = opened ?? (await openTestDatabase(kind));
  const configWith = (changed: Record<string, string>) =>
    readConfig({
      DATA_DIR: dataDir,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      MASTER_TOKEN: MASTER,
      OPERATOR_TOKENS: `policyd:policy:${POLICY},billing:billing:${BILLING},reader:read:${READ}`,
      SECRET_KEY: 'a-secret-key-of-the-tests-0123456789',
      BCRYPT_COST: '4',
      // Tests send many requests and wrong tokens.
      RATE_LIMIT: '0',
      AUTH_FAILURES_PER_MINUTE: '0',
      ...environment,
      ...changed,
    });
  const config = configWith({});
  const clock = new FixedClock();
  const log = new RememberedLog();
  const jobs = new IdleJobQueue();
  const relay = new ScriptedRelayProvider();
  const dns = new ScriptedDns();
  const containerOf = (used: Database, settings: Readonly<Config>) => {
    const created = createContainer(settings, {
      name: 'api',
      database: used,
      clock,
      waker: new InProcessWaker(clock),
      jobLog: new LoggedJobs(createLogger('error')),
      createRateLimiter: (rules) => new InProcessRateLimiter(rules),
      share: 'interactive',
    });
    replace(created, DatabaseClock, clock);
    replace(created, JobGate, new OpenGate(clock));
    return created;
  };
  const container = containerOf(database, config);
  replace(container, JobQueue, jobs);
  replace(container, RelayProvider, relay);
  replace(container, DnsResolver, dns);
  if (mailStore !== null) replace(container, MailStore, mailStore);
  const checks = [
    container.get(ShutdownCheck),
    container.get(DatabaseCheck),
    container.get(DatabaseWriteCheck),
    container.get(SchemaCheck),
    container.get(PurgeBrakeCheck),
    container.get(LooksCheck),
  ];
  const { server, frames, routes } = createService(container, checks, log, {
    // A test that calls every route waits for the end of each response.
    streams: { longestMs: 0 },
    // What a test has just changed is in the next answer.
    readinessMs: 0,
    ...times,
  });
  const documented = new DocumentedResponses(routes);
  documented.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const urlOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const url = urlOf(server);
  const as = (token: string): Caller => {
    const signed = (test: supertest.Test) => test.agent(KEPT_CONNECTIONS).set('Authorization', `Bearer ${token}`);
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
    frames,
    routes,
    get document() {
      return documented.document;
    },
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
    startReplica: async (changed = {}) => {
      const changedConfig = configWith(changed);
      const own = databaseUrl === null ? null : await openDatabase({ url: databaseUrl, dataDir, poolSize: 5 });
      const itsContainer = containerOf(own ?? database, changedConfig);
      const other = createService(itsContainer, [], log).server;
      other.listen(0, '127.0.0.1');
      await once(other, 'listening');
      return {
        url: urlOf(other),
        close: async () => {
          other.closeAllConnections();
          other.close();
          await flushAll(itsContainer);
          await own?.close();
        },
      };
    },
    flushStamps: () => container.get(LastUsedStamps).flush(),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await flushAll(container);
      await closeDatabase();
      documented.end();
    },
  };
}

/** Writes what a process collected. A write after the database is closed would end the test process. */
async function flushAll(container: Container): Promise<void> {
  await container.get(LastUsedStamps).flush();
  await container.get(RelayTrafficStamps).flush();
}
