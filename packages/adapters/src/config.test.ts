import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, operatorTokensOf, readConfig } from './config.js';
import { masterTokenFile, withEmbeddedSecrets } from './embedded-secrets.js';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : [String(error)];
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
    });
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
      'NOTIFY_WEBHOOK_SECRET',
    ]) {
      expect(problems.join('\n')).toContain(variable);
    }
    expect(problems.join('\n')).not.toContain('too-short-a-secret');
    expect(problems.join('\n')).not.toContain(TOKEN);
  });

  it.each([
    [{ REDIS_URL: 'redis://x' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'mysql://u:p@h/db', SECRET_KEY: TOKEN }, 'MASTER_TOKEN'],
    [{ MAIL_STORE: 'maildir' }, 'MAILDIR_ROOT'],
    [{ MAIL_STORE: 'dovecot' }, 'DOVEADM_URL'],
    [{ NOTIFY_SMTP_URL: 'smtp://h' }, 'NOTIFY_EMAIL_FROM'],
    [{ MASTER_TOKEN: `${TOKEN},${TOKEN}` }, 'differ'],
  ])('%j lack %s', (environment, word) => {
    expect(problemsOf(environment as Record<string, string>).join('\n')).toContain(word);
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

  it('fail with the name of a folder that cannot be used', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(() => withEmbeddedSecrets(readConfig({ DATA_DIR: join(file, 'data') }))).toThrow(/DATA_DIR: cannot be used/);
  });
});
