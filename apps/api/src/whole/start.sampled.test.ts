import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { jest } from '@jest/globals';
import { createAll } from '@mailstead/adapters/bindings';
import { type Config, readConfig } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import { openTestDatabase, type TestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { createLogger } from '@mailstead/adapters/logger';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { resolveParts } from '@mailstead/adapters/service-process';
import { classesWithNeeds, type Token } from '@mailstead/core/needs';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { sampled } from '@mailstead/core/testing/sampled';
import { Container } from 'inversify';
import { CONTROLLERS } from '../controllers.js';
import { createService } from '../service.js';
import { RememberedLog } from '../testing/api-fixture.js';

const SOURCE = fileURLToPath(new URL('..', import.meta.url));
const SETTINGS: [[string, Record<string, string>], ...[string, Record<string, string>][]] = [
  ['the embedded defaults', {}],
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
  ],
  [
    'a signed sandbox and a Maildir',
    {
      RELAY_WEBHOOK_SECRET: 'whsec_YW5vdGhlciBzZWNyZXQgb2YgdGhlIHN0YXJ0IHRlc3Rz',
      MAIL_STORE: 'maildir',
      MAILDIR_ROOT: '/srv/mail',
    },
  ],
];
const [[, FIRST]] = SETTINGS;

describe.each(SETTINGS)('the start of a process that runs everything, with %s', (_, settings) => {
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
      clock,
      waker,
      jobLog: new LoggedJobs(logger),
      createRateLimiter: (rules) => new InProcessRateLimiter(rules),
      share: 'background',
    });
    createAll(container);
    const { checks } = resolveParts(container, 'api', config, null, waker);
    createService(container, checks, new RememberedLog());
  }

  it('succeeds: no binding is missing, circular or bound twice', () => {
    expect(start).not.toThrow();
  });

  it('fails when any binding is missing, and names it', () => {
    const spy = jest.spyOn(Container.prototype, 'bind');
    start();
    const listed = spy.mock.calls.map(([token]) => token as Token<object>).filter((token) => !saysItsNeeds(token));
    spy.mockRestore();
    expect(listed.length).toBeGreaterThan(80);
    // Most are needed whatever the settings are.
    for (const missing of sampled(listed, settings === FIRST ? 30 : 5)) {
      const elsewhere = new Container();
      jest.spyOn(Container.prototype, 'bind').mockImplementation(function (this: Container, token) {
        return bind.call(token === missing ? elsewhere : this, token);
      });
      expect(start).toThrow(new RegExp(`Nothing is bound for ${missing.name} \\(for \\w+`));
    }
  });
});

function saysItsNeeds(token: Token<object>): boolean {
  return [...classesWithNeeds().keys()].some((each) => each === token);
}

describe('the table of controllers', () => {
  it('contains every controller', () => {
    const classes = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('-controller.ts'))
      .flatMap((file) => [...readFileSync(SOURCE + file, 'utf8').matchAll(/^export class (\w+Controller)\b/gm)])
      .map((match) => match[1] ?? '');
    expect(classes.length).toBeGreaterThan(10);
    expect(CONTROLLERS.map(({ name }) => name).toSorted()).toEqual(classes.toSorted());
  });
});
