import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { jest } from '@jest/globals';
import { SettingsError, variableOf } from '@mailstead/core/settings/read-settings';
import { Config, readConfig } from './config.js';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const KEY = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const DATABASE = { DATABASE_URL: 'mysql://u:p@db/mailstead', MASTER_TOKEN: TOKEN, SECRET_KEY: TOKEN };
const MAIL = { NOTIFY_SMTP_URL: 'smtp://h', NOTIFY_EMAIL_FROM: 'a@b.example', NOTIFY_EMAIL_TO: 'c@d.example' };

const folder = mkdtempSync(join(tmpdir(), 'mailstead-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));
const AUTHORITIES = join(folder, 'authorities.pem');
writeFileSync(AUTHORITIES, rootCertificates.slice(0, 2).join('\n'));
const HALF = join(folder, 'half.pem');
writeFileSync(HALF, rootCertificates.slice(0, 2).join('\n').slice(0, -100));

/** Texts with which each setting could not work. */
const WRONG: Record<string, string[]> = {
  PORT: ['eighty', '65536', '-1'],
  HOST: ['http://127.0.0.1', 'two hosts', '127.0.0.1/8'],
  DRAIN_SECONDS: ['61', '1s'],
  KEEP_ALIVE_SECONDS: ['0', '7201', '1m'],
  DEADLINE_FACTOR: ['0', '21'],
  DATA_DIR: ['"./data"', "'/var/lib/mailstead'", '~/mailstead', '$HOME/mailstead', '${HOME}/mailstead'],
  DATABASE_URL: [
    'postgres://u:pass-w0rd@h/db',
    'mysql://u:pass/w0rd@h/db',
    'mysql://u:pass%w0rd@h/db',
    'mysql://u:pass#w0rd@h/db',
    'mysql://u:pass?w0rd@h/db',
    'mysql://u:pass w0rd@h/db',
    'mysql://u:p@h:abc/db',
    'mysql://u:p@h:0/db',
    'mysql://u:p@h:65536/db',
    'mysql://u:p@h:/db',
    'mysql://u:p@::1/db',
    'mysql://u:p@[::g]/db',
    'mysql://u:p@/db',
    'mysql://u:p@h',
    'mysql://u:p@h/',
    'mysql://u:p@h/db/more',
    'mysql://u:p@h/db?',
    'mysql://u:p@h/db?ssl=true',
    'mysql://u:p@h/db?ssl-mode=PREFERRED',
    'mysql://u:p@h/db?ssl-mode=required',
    'mysql://u:p@h/db?ssl-mode=REQUIRED&ssl-mode=REQUIRED',
    'mysql://u:p@h/db?ssl-mode=REQUIRED&connectionLimit=5',
    `mysql://u:p@h/db?ssl-mode=REQUIRED&ssl-ca=${AUTHORITIES}`,
    `mysql://u:p@h/db?ssl-ca=${AUTHORITIES}`,
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA',
    'mysql://u:p@h/db?ssl-mode=VERIFY_IDENTITY',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=package.json',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=/nowhere/authorities.pem',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=/tmp',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=/etc/hosts',
    'mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=/etc/%zz',
    `mysql://u:p@192.0.2.1/db?ssl-mode=VERIFY_IDENTITY&ssl-ca=${AUTHORITIES}`,
    `mysql://u:p@[::1]/db?ssl-mode=VERIFY_IDENTITY&ssl-ca=${AUTHORITIES}`,
    'mysql://u:p@h/db%20',
    'h:3306/db',
    'mysql://u:pass%00w0rd@h/db',
    'mysql://u:pass%0Aw0rd@h/db',
    'mysql://u:p@[fe80::1%25eth0]/db',
    'mysql://u:p@[fe80::1%eth0]/db',
    'mysql://u:p@db..example/db',
    'mysql://u:p@10.0.0.256/db',
    'mysql://u:p@10.0.0/db',
    'mysql://u:p@h1,h2/db',
    `mysql://u:p@h/db?ssl-mode=VERIFY_CA&ssl-ca=${HALF}`,
  ],
  DATABASE_POOL_SIZE: ['1', 'many'],
  REDIS_URL: [
    'redis://u:pass/w0rd@h:6379',
    'redis://u:pass%w0rd@h:6379',
    'redis://h:abc',
    'redis://h:65536',
    'redis://h/x',
    'redis://h?family=7',
    'redis://h?tls=true',
    'redis+sentinel://h',
    'http://h:6379',
    'h:6379',
    'redis://pass:1234#w0rd@h:6379',
    'redis://u:12#w0rd@h',
    'redis://h:6379/0#fragment',
    'redis://h1:6379,h2:6379',
    'redis://h1,h2',
    'redis://h:0',
    'redis://h:',
    'redis://10.0.0.256',
    'redis://redis..example',
    'redis://host%20name',
    'redis://two hosts',
    'redis://[fe80::1%25eth0]',
    'redis://:pass%00w0rd@h',
    'redis://h/0?db=1',
    'redis://h?db=1&db=2',
    'redis://h?family=4&family=6',
    'redis+sentinel://..../mymaster',
    'redis+sentinel://[::g]:1/mymaster',
    'redis+sentinel://s1/mymaster?sentinel_password=pass%w0rd',
  ],
  MASTER_TOKEN: ['short', `${TOKEN} blank`],
  OPERATOR_TOKENS: ['p:policy:short', `p:root:${TOKEN}`, TOKEN],
  SECRET_KEY: ['short'],
  LOG_LEVEL: ['loud'],
  BCRYPT_COST: ['3', '13'],
  ALLOW_EXTERNAL_FORWARD: ['maybe'],
  CLIENT_MAX_QUOTA_MB: ['0', '1 GB'],
  TRANSFER_CAP_SCOPE: ['inbound'],
  RETENTION_GRACE_HOURS: ['-1', 'a day'],
  PLAN_RETENTION_GRACE_DAYS: ['366'],
  PURGE_BRAKE: ['-1'],
  PENDING_DOMAIN_DAYS: ['never'],
  AUDIT_DAYS: ['-1'],
  EVENTS_DAYS: ['0'],
  TRAIL_DAYS: ['31'],
  DELETED_MAIL_GRACE_DAYS: ['7d'],
  BOUNCE_RATE_LIMIT: ['0', '3 %'],
  BOUNCE_MIN_SENT: ['0'],
  COMPLAINT_RATE_LIMIT: ['101', 'x'],
  SCHEDULES: ['maybe'],
  OWNERSHIP_REQUIRED: ['maybe'],
  RELAY_PROVIDER: ['postmark'],
  SANDBOX_VERIFY_AFTER: ['5s'],
  SES_ENDPOINT: [
    'https://host:0',
    'email.eu-central-1.amazonaws.com',
    'https://',
    'https://h:abc',
    'https://u:pass-w0rd@h',
    'ftp://h',
  ],
  AWS_REGION: ['EU (Ireland)', 'eu-west-1a', 'ireland'],
  SNS_TOPIC_ARNS: ['topic', 'arn:aws:sns:eu-west-1:1:topic'],
  SES_CONFIGURATION_SET: ['a set'],
  SES_TENANTS: ['maybe'],
  SES_TENANT_POLICY: ['gentle'],
  RELAY_WEBHOOK_SECRET: ['whsec_QQ==', TOKEN],
  NOTIFY_WEBHOOK_URL: [
    'hooks.example.org',
    'https://',
    'https://h:65536',
    'https://hook:0/',
    'https://u:pass-w0rd@h/x',
    'https://h h/',
    'http://10.0.0.1/hook',
    'http://127.0.0.1:8080/hook',
    'http://[::1]:8080/hook',
    'http://2130706433/hook',
  ],
  NOTIFY_WEBHOOK_SECRET: ['whsec_QQ==', TOKEN],
  NOTIFY_ALLOW_PRIVATE: ['maybe'],
  WEBHOOK_DENY: ['example.com', '10.0.0.0/33'],
  NOTIFY_SMTP_URL: [
    'smtp://u:pass/w0rd@h:587',
    'smtp://u:pass%w0rd@h:587',
    'smtp://u:pass#w0rd@h:587',
    'smtp://u:pass?w0rd@h:587',
    'smtp://h:abc',
    'smtp://h:99999',
    'smtp://h:587/path',
    'smtp://u:p@',
    'smtp://u:pass-w0rd@h:465',
    'smtps://u:pass-w0rd@h:587',
    'smtps://u:pass-w0rd@h:25',
    'https://h',
    'h:587',
    'smtp://user-only@h:587',
    'smtp://:pass-w0rd@h:587',
    'smtp://u:pass%00w0rd@h:587',
    'smtp://h?requireTls=true',
    'smtp://h?requireTLS=yes',
    'smtp://h?requireTLS=true&requireTLS=false',
    'smtp://h?secure=true',
    'smtp://h?service=gmail',
    'smtp://h?tls.servername=',
    'smtp://h?name=%zz',
  ],
  NOTIFY_EMAIL_FROM: [
    'Postmaster',
    'Postmaster <nobody>',
    'a@b.example, c@d.example',
    'a@b@c.example',
    "'a@b.example'",
  ],
  NOTIFY_EMAIL_TO: ['everybody', 'a@b.example; c@d.example', 'a@b.example,'],
  MX_HOSTS: ['10 mx1.example.com', '192.0.2.1', 'mx1.example.com; mx2.example.com', 'mx1', 'mx1.example.com:25'],
  RESERVED_NAMES: ['gmail', '*.gmail.com'],
  SPF_INCLUDE: ['include:spf.example.com', 'v=spf1 include:spf.example.com ~all', '192.0.2.1', 'spf'],
  DNS_SERVERS: ['dns.google', '1.1.1.1:99999', '1.1.1.1:0', '1.1.1.1:', '1.1.1', '[::1', '::1]:53', 'tls://1.1.1.1'],
  MAIL_IMAP: ['imap.example.com', 'imap.example.com:1993'],
  MAIL_POP3: ['mail.example.com:99999'],
  MAIL_SUBMISSION: ['smtp://mail.example.com:587'],
  METRICS_TOKEN: ['short'],
  WORKER_PORT: ['0'],
  POLICY_API_LISTEN: ['0.0.0.0:1', '127.0.0.2', 'http://127.0.0.1:1'],
  RATE_LIMIT: ['-1'],
  AUTH_FAILURES_PER_MINUTE: ['x'],
  TRUST_PROXY: ['proxy.example', '10.0.0.0/33'],
  PUBLIC_URL: [
    'http://mail.example.com',
    'https://mail.example.com/portal',
    'https://mail.example.com:abc',
    'https://mail.example.com:0',
    'https://*.example.com',
    'https://mail..example.com',
    'https://mail.example.com;https://mail.example.org',
  ],
  SESSION_IDLE_HOURS: ['0', '1.5'],
  MAIL_STORE: ['mbox'],
  MAILDIR_ROOT: ['mail'],
  DOVEADM_API_KEY: ['short'],
  DOVEADM_URL: [
    'http://127.0.0.3:2180',
    'http://127.0.0.3:2180/',
    '127.0.0.2:2180',
    'http://',
    'http://h:65536/doveadm/v1',
    'http://u:pass-w0rd@h/doveadm/v1',
    'http://mail1.example.com:2180/doveadm/v1,',
    'http://mail1.example.com:2180/doveadm/v1 http://mail2.example.com:2180/doveadm/v1',
    'http://127.0.0.3:2180/doveadm/v1,http://u:pass-w0rd@h/doveadm/v1',
  ],
};

/** Other settings, with which only the wrong one is a problem. */
const BESIDE: Record<string, Record<string, string>> = {
  DATABASE_URL: DATABASE,
  REDIS_URL: DATABASE,
  NOTIFY_SMTP_URL: MAIL,
  NOTIFY_EMAIL_FROM: MAIL,
  NOTIFY_EMAIL_TO: MAIL,
  NOTIFY_WEBHOOK_URL: { NOTIFY_WEBHOOK_SECRET: KEY },
  WORKER_PORT: { METRICS_TOKEN: TOKEN },
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [`not a SettingsError: ${String(error)}`];
  }
}

describe('a setting that cannot work', () => {
  it('has a line in this table, whichever it is', () => {
    const all = Object.keys(new Config()).map(variableOf);
    expect(Object.keys(WRONG).toSorted()).toEqual(all.toSorted());
  });

  it.each(Object.entries(WRONG).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
    '%s is refused at the start by its name, and what it was is not shown: %s',
    (name, text) => {
      const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
      const warned = jest.spyOn(process, 'emitWarning').mockReturnValue();
      const problems = problemsOf({ ...BESIDE[name], [name]: text });
      const said = [...written.mock.calls, ...warned.mock.calls];
      jest.restoreAllMocks();
      expect(problems).not.toEqual([]);
      for (const problem of problems) expect(problem).toMatch(new RegExp(`^${name}\\b`));
      expect(problems.join()).not.toContain('w0rd');
      // A text of a few letters may be in the form that is shown.
      if (text.length > 8) expect(problems.join()).not.toContain(text);
      expect(said).toEqual([]);
    },
  );

  it.each([
    ['DATABASE_URL', 'mysql://u:p%2Fw%25@[::1]:3307/mailstead'],
    ['DATABASE_URL', 'mariadb://u:p@w:x@db_1/mail-stead'],
    ['DATABASE_URL', 'mysql://db/mailstead'],
    ['DATABASE_URL', 'mysql://db/mailstead?ssl-mode=REQUIRED'],
    ['DATABASE_URL', `mysql://192.0.2.1/mailstead?ssl-mode=VERIFY_CA&ssl-ca=${AUTHORITIES}`],
    ['DATABASE_URL', `mysql://db/mailstead?ssl-ca=${AUTHORITIES.replaceAll('/', '%2F')}&ssl-mode=VERIFY_IDENTITY`],
    ['REDIS_URL', 'redis://u:p%2Fw@[::1]:6379/1'],
    ['NOTIFY_SMTP_URL', 'smtp://AKIA:p%2Fw%2B@email-smtp.eu-west-1.amazonaws.com:587'],
    ['NOTIFY_SMTP_URL', 'smtps://[::1]/?tls.rejectUnauthorized=false'],
    ['NOTIFY_EMAIL_FROM', '"Mail, stead" <mailstead@example.com>'],
    ['NOTIFY_EMAIL_TO', '"A, B" <a@example.com>, c@example.com'],
    ['NOTIFY_WEBHOOK_URL', 'http://hooks.example.com:8080/hook?token=1'],
    ['MX_HOSTS', 'mx1.example.com., MX2.example.com'],
    ['SPF_INCLUDE', '_spf.example.com.'],
    ['DNS_SERVERS', '192.0.2.53, 192.0.2.53:5353, 2001:db8::53, [2001:db8::53], [2001:db8::53]:53'],
    ['PUBLIC_URL', 'https://mail.example.com:8443/'],
    ['PUBLIC_URL', 'https://bücher.example'],
    ['PUBLIC_URL', 'https://192.0.2.1'],
    ['AWS_REGION', 'us-gov-west-1'],
    ['NOTIFY_SMTP_URL', 'smtps://u:p@h:465'],
    ['NOTIFY_SMTP_URL', 'smtps://u:p@h'],
    ['DOVEADM_URL', 'https://mail.example.com/dovecot/doveadm/v1'],
    ['DOVEADM_URL', 'http://mail1.example.com:2180/doveadm/v1, http://[::1]:2180/doveadm/v1'],
    ['HOST', '::'],
    ['NOTIFY_SMTP_URL', 'smtp://h:587?requireTLS=true&tls.servername=mail.example.com&name=me'],
    ['NOTIFY_WEBHOOK_URL', 'https://192.0.3.1/hook'],
    ['REDIS_URL', 'redis://:p@w:x@h'],
    ['REDIS_URL', 'rediss://redis.example.com.:6380/?family=4&db=2'],
  ])('is not %s=%s', (name, text) => {
    expect(problemsOf({ ...BESIDE[name], [name]: text })).toEqual([]);
  });
});
