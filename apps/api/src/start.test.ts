import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { type Config, readConfig } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import { openTestDatabase, type TestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { createLogger } from '@mailstead/adapters/logger';
import type { Token } from '@mailstead/adapters/provide';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { resolveParts } from '@mailstead/adapters/service-process';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { Container } from 'inversify';
import { createService } from './service.js';
import { RememberedLog } from './testing/api-fixture.js';

const SOURCE = fileURLToPath(new URL('.', import.meta.url));
/** Bound always, but used only on a Galera cluster. */
const CLUSTER_ONLY = ['SeveralWritersCheck'];

/** Settings, and the bindings that are not used with them. */
const SETTINGS: [string, Record<string, string>, string[]][] = [
  ['the embedded defaults', {}, CLUSTER_ONLY],
  [
    'SES, Dovecot and notifications',
    {
      RELAY_PROVIDER: 'ses',
      AWS_REGION: 'eu-central-1',
      SNS_TOPIC_ARNS: 'arn:aws:sns:eu-central-1:123456789012:events',
      SES_CONFIGURATION_SET: 'mailstead',
      MAIL_STORE: 'dovecot',
      DOVEADM_URL: 'http://127.0.0.1:2180/doveadm/v1',
      DOVEADM_API_KEY: 'doveadm-key-of-the-tests',
      NOTIFY_WEBHOOK_URL: 'https://hooks.example/',
      NOTIFY_WEBHOOK_SECRET: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgc3RhcnQgdGVzdHM=',
    },
    CLUSTER_ONLY,
  ],
  [
    'a signed sandbox and a Maildir',
    {
      RELAY_WEBHOOK_SECRET: 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN0YXJ0IHRlc3Rz',
      MAIL_STORE: 'maildir',
      MAILDIR_ROOT: '/srv/mail',
    },
    CLUSTER_ONLY,
  ],
];

describe.each(SETTINGS)('the start of a process that runs everything, with %s', (_, settings, unused) => {
  let database: TestDatabase;
  let config: Readonly<Config>;
  const logger = createLogger('error');
  const bind = Reflect.get(Container.prototype, 'bind');

  beforeAll(async () => {
    database = await openTestDatabase('sqlite');
    config = readConfig({
      DATA_DIR: database.dataDir,
      MASTER_TOKEN: 'master-token-of-the-tests-0123456789',
      ...settings,
    });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => database.close());

  function start(): void {
    const clock = new FixedClock();
    const waker = new InProcessWaker(clock);
    const container = createContainer(config, {
      name: 'api',
      database: database.database,
      installationId: 'test',
      clock,
      waker,
      jobLog: new LoggedJobs(logger),
      createRateLimiter: (rules) => new InProcessRateLimiter(rules),
      share: 'background',
    });
    const { checks } = resolveParts(container, 'api', config, null, waker);
    createService(container, config, checks, new RememberedLog());
  }

  /** Returns every token that a start binds. */
  function boundTokens(): Token<unknown>[] {
    const spy = jest.spyOn(Container.prototype, 'bind');
    start();
    const tokens = spy.mock.calls.map(([token]) => token as Token<unknown>);
    spy.mockRestore();
    return tokens;
  }

  it('succeeds: no binding is missing, circular or bound twice', () => {
    expect(start).not.toThrow();
    expect(new Set(boundTokens()).size).toBe(boundTokens().length);
  });

  it('fails when any binding is missing, and names it', () => {
    const tokens = boundTokens();
    expect(tokens.length).toBeGreaterThan(80);
    const started = tokens.filter((missing) => {
      const elsewhere = new Container();
      jest.spyOn(Container.prototype, 'bind').mockImplementation(function (this: Container, token) {
        return bind.call(token === missing ? elsewhere : this, token);
      });
      try {
        start();
        return true;
      } catch (error) {
        expect(String(error)).toContain(`No bindings found for service: "${missing.name}"`);
        return false;
      }
    });
    expect(new Set(started.map(({ name }) => name))).toEqual(new Set(unused));
  });
});

describe('the table of controllers', () => {
  it('contains every controller', () => {
    const table = readFileSync(`${SOURCE}controllers.ts`, 'utf8') + readFileSync(`${SOURCE}service.ts`, 'utf8');
    const classes = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('-controller.ts'))
      .flatMap((file) => [...readFileSync(SOURCE + file, 'utf8').matchAll(/^export class (\w+Controller)\b/gm)])
      .map((match) => match[1] ?? '');
    expect(classes.length).toBeGreaterThan(10);
    const listed = new Set(
      [...table.matchAll(/(?:provideSelf\(\s*container,\s*|new )(\w+)/g)].map((match) => match[1] ?? ''),
    );
    expect(classes.filter((name) => !listed.has(name))).toEqual([]);
  });
});
