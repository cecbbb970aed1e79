import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsError } from '@mailstead/core/settings/read-settings';
import { readConfig } from './config.js';
import { operatorTokensOf } from './config-lists.js';
import { masterTokenFile, withEmbeddedSecrets } from './embedded-secrets.js';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
};

describe('the settings', () => {
  it('have defaults for the embedded mode, without any variable', () => {
    expect(readConfig({})).toMatchObject({
      port: 8_080,
      host: '127.0.0.1',
      databaseUrl: null,
      redisUrl: null,
      relayProvider: 'sandbox',
      schedules: true,
      bcryptCost: 10,
    });
  });

  it('take addresses and networks as trusted proxies, and nothing else', () => {
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, 192.0.2.7,2001:db8::/32' }).trustProxy).toContain('2001:db8::/32');
    for (const wrong of ['proxy.example', '10.0.0.0/33', '10.0.0.0/8;192.0.2.1', 'true']) {
      expect(problemsOf({ TRUST_PROXY: wrong })).toEqual([expect.stringContaining('TRUST_PROXY')]);
    }
  });

  it('limit 100 requests per second and partner on each database, unless RATE_LIMIT says otherwise', () => {
    const database = { DATABASE_URL: 'mysql://u:p@db/mailstead', MASTER_TOKEN: TOKEN, SECRET_KEY: TOKEN };
    for (const environment of [{}, database]) {
      expect(readConfig(environment).rateLimit).toBe(100);
      expect(readConfig({ ...environment, RATE_LIMIT: '0' }).rateLimit).toBe(0);
      expect(readConfig({ ...environment, RATE_LIMIT: '5' }).rateLimit).toBe(5);
    }
  });

  it('take a bcrypt cost of 4 to 12', () => {
    for (const cost of [4, 12]) expect(readConfig({ BCRYPT_COST: String(cost) }).bcryptCost).toBe(cost);
    for (const cost of ['3', '13', '14']) {
      expect(problemsOf({ BCRYPT_COST: cost })).toEqual([expect.stringContaining('BCRYPT_COST')]);
    }
  });

  it('list all wrong variables at once, and never show a secret', () => {
    const problems = problemsOf({
      PORT: 'eighty',
      DATABASE_URL: 'postgres://x',
      LOG_LEVEL: 'loud',
      BCRYPT_COST: '3',
      SCHEDULES: 'maybe',
      MASTER_TOKEN: 'too-short-a-secret',
      OPERATOR_TOKENS: `p:policy:${TOKEN},q:root:${TOKEN}`,
      RELAY_PROVIDER: 'ses',
      NOTIFY_WEBHOOK_URL: 'https://example.org',
    });
    for (const variable of [
      'PORT',
      'DATABASE_URL',
      'LOG_LEVEL',
      'BCRYPT_COST',
      'SCHEDULES',
      'MASTER_TOKEN',
      'SECRET_KEY',
      'OPERATOR_TOKENS',
      'SNS_TOPIC_ARNS',
      'AWS_REGION',
      'SES_CONFIGURATION_SET',
      'NOTIFY_WEBHOOK_SECRET',
    ]) {
      expect(problems.join('\n')).toContain(variable);
    }
    expect(problems.join('\n')).not.toContain('too-short-a-secret');
    expect(problems.join('\n')).not.toContain(TOKEN);
  });

  it('name the rule of each wrong variable', () => {
    const wrong = {
      PORT: 'eighty',
      WORKER_PORT: '0',
      DRAIN_SECONDS: '61',
      KEEP_ALIVE_SECONDS: '0',
      AUDIT_DAYS: '-1',
      SESSION_IDLE_HOURS: '1.5',
      BCRYPT_COST: '13',
      BOUNCE_RATE_LIMIT: '101',
      SCHEDULES: 'maybe',
      LOG_LEVEL: 'loud',
      TRANSFER_CAP_SCOPE: 'inbound',
      AWS_REGION: 'EU',
      PUBLIC_URL: 'http://mail.example.com',
      MAILDIR_ROOT: 'mail',
    };
    expect(problemsOf(wrong).toSorted()).toEqual([
      'AUDIT_DAYS: must be whole days, 0 to 36500',
      'AWS_REGION: must be a region like eu-west-1, without the letter of a zone',
      'BCRYPT_COST: must be a whole number from 4 to 12',
      'BOUNCE_RATE_LIMIT: must be a number from 0.1 to 100',
      'DRAIN_SECONDS: must be whole seconds, 0 to 60',
      'KEEP_ALIVE_SECONDS: must be whole seconds, 1 to 7200',
      'LOG_LEVEL: must be one of error, warn, info, debug',
      'MAILDIR_ROOT: must be an absolute path',
      'PORT: must be a port, 0 to 65535',
      'PUBLIC_URL: must be an https origin like https://mail.example.com',
      'SCHEDULES: must be true or false',
      'SESSION_IDLE_HOURS: must be whole hours, 1 to 168',
      'TRANSFER_CAP_SCOPE: must be outbound or both',
      'WORKER_PORT: must be a port, 1 to 65535',
    ]);
  });

  it.each([
    [{ REDIS_URL: 'redis://x' }, 'DATABASE_URL'],
    [{ REDIS_URL: 'redis+sentinel://s1:26379,s2' }, 'REDIS_URL: the master name'],
    [{ DATABASE_URL: 'mysql://u:p@h/db', SECRET_KEY: TOKEN }, 'MASTER_TOKEN'],
    [{ MAIL_STORE: 'maildir' }, 'MAILDIR_ROOT'],
    [{ MAIL_STORE: 'dovecot' }, 'DOVEADM_URL'],
    [{ NOTIFY_SMTP_URL: 'smtp://h' }, 'NOTIFY_EMAIL_FROM'],
    [{ MASTER_TOKEN: `${TOKEN},${TOKEN}` }, 'differ'],
    [{ RESERVED_NAMES: 'gmail' }, 'RESERVED_NAMES'],
    [{ RESERVED_NAMES: 'none, gmail.com' }, 'RESERVED_NAMES'],
    [{ RESERVED_NAMES: '*.gmail.com' }, 'RESERVED_NAMES'],
  ])('%j lack %s', (environment, word) => {
    expect(problemsOf(environment as Record<string, string>).join('\n')).toContain(word);
  });

  const KEY_24 = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  it.each([
    [{ RELAY_WEBHOOK_SECRET: 'whsec_QQ==' }, 'RELAY_WEBHOOK_SECRET: must be a random key of at least 24 bytes'],
    [{ NOTIFY_WEBHOOK_SECRET: `whsec_${KEY_24.slice(4)}` }, 'NOTIFY_WEBHOOK_SECRET: must be a random key'],
    [{ RELAY_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` }, 'RELAY_WEBHOOK_SECRET: must be a random key'],
    [{ RELAY_WEBHOOK_SECRET: `whsec_${KEY_24}A` }, 'RELAY_WEBHOOK_SECRET: must be whsec_ and base64'],
    [{ NOTIFY_WEBHOOK_SECRET: `whsec_${KEY_24.slice(1)}-_` }, 'NOTIFY_WEBHOOK_SECRET: must be whsec_ and base64'],
    [{ NOTIFY_WEBHOOK_SECRET: KEY_24 }, 'NOTIFY_WEBHOOK_SECRET: must be whsec_ and base64'],
    [{ MASTER_TOKEN: 'm'.repeat(40) }, 'MASTER_TOKEN: each token must have at least 8 different characters'],
    [{ MASTER_TOKEN: `${TOKEN},short-token` }, 'MASTER_TOKEN: each token must have at least 32 characters'],
    [{ MASTER_TOKEN: `${TOKEN} with blanks` }, 'MASTER_TOKEN: each token may have only'],
    [{ MASTER_TOKEN: TOKEN.repeat(20) }, 'MASTER_TOKEN: each token must have at most 512 characters'],
    [
      { OPERATOR_TOKENS: 'p:policy:short-token' },
      'OPERATOR_TOKENS (entry 1): the token must have at least 32 characters',
    ],
    [
      { OPERATOR_TOKENS: `p:policy:${'ab'.repeat(20)}` },
      'OPERATOR_TOKENS (entry 1): the token must have at least 8 different',
    ],
    [{ SECRET_KEY: 'k'.repeat(40) }, 'SECRET_KEY: must have at least 8 different characters'],
    [{ SECRET_KEY: 'a-short-secret-key' }, 'SECRET_KEY: must have at least 32 characters'],
    [{ METRICS_TOKEN: 't'.repeat(40) }, 'METRICS_TOKEN: must have at least 8 different characters'],
    [{ METRICS_TOKEN: 'short-token' }, 'METRICS_TOKEN: must have'],
    [{ DOVEADM_API_KEY: 'short-key' }, 'DOVEADM_API_KEY: must have at least 16 characters'],
    [{ DOVEADM_API_KEY: 'd'.repeat(40) }, 'DOVEADM_API_KEY: must have at least 8 different characters'],
  ])('refuse the weak secret in %j', (environment, problem) => {
    const problems = problemsOf(environment as Record<string, string>).join('\n');
    expect(problems).toContain(problem);
    for (const secret of Object.values(environment)) expect(problems).not.toContain(secret);
  });

  it('accept secrets of the least length', () => {
    const environment = {
      RELAY_WEBHOOK_SECRET: `whsec_${KEY_24}`,
      NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from(`${KEY_24}x`).toString('base64').replace(/=+$/, '')}`,
      MASTER_TOKEN: TOKEN.slice(0, 32),
      OPERATOR_TOKENS: `p:policy:${TOKEN.slice(1, 33)}`,
      SECRET_KEY: TOKEN.slice(0, 32),
      METRICS_TOKEN: TOKEN.slice(0, 16),
      DOVEADM_API_KEY: TOKEN.slice(0, 16),
    };
    expect(problemsOf(environment)).toEqual([]);
  });

  it('give each token the caller that it authenticates', () => {
    const config = readConfig({ MASTER_TOKEN: `${TOKEN}-1,${TOKEN}-2`, OPERATOR_TOKENS: `pol:policy:${TOKEN}-3` });
    expect(operatorTokensOf(config).map(({ caller }) => caller)).toEqual([
      { kind: 'master', name: 'master' },
      { kind: 'master', name: 'master-2' },
      { kind: 'operator', name: 'pol', scope: 'policy' },
    ]);
  });
});

describe('the generated secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are generated once, readable only by the owner, and used again', () => {
    const first = withEmbeddedSecrets(readConfig({ DATA_DIR: join(folder, 'data') }));
    const second = withEmbeddedSecrets(readConfig({ DATA_DIR: join(folder, 'data') }));
    expect(first.masterToken).toMatch(/^[0-9a-f]{64}$/);
    expect([second.masterToken, second.secretKey]).toEqual([first.masterToken, first.secretKey]);
    const file = masterTokenFile(join(folder, 'data'));
    expect(readFileSync(file, 'utf8').trim()).toBe(first.masterToken);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
  });

  it('are not used when the settings contain secrets', () => {
    expect(withEmbeddedSecrets(readConfig({ DATA_DIR: folder, MASTER_TOKEN: TOKEN })).masterToken).toBe(TOKEN);
  });

  it.each(['', 'short', 'x'.repeat(64)])('are refused when their file contains %j', (text) => {
    const dataDir = mkdtempSync(join(folder, 'weak-'));
    writeFileSync(masterTokenFile(dataDir), `${text}\n`);
    expect(() => withEmbeddedSecrets(readConfig({ DATA_DIR: dataDir }))).toThrow(
      /the secret in .*master-token must have/,
    );
  });

  it('fail with the name of a folder that cannot be used', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(() => withEmbeddedSecrets(readConfig({ DATA_DIR: join(file, 'data') }))).toThrow(/DATA_DIR: cannot be used/);
  });
});
