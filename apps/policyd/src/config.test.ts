import { SettingsError } from '@mailstead/core/settings/read-settings';
import { readPolicydConfig } from './config.js';

const REQUIRED = { MAILSTEAD_URL: 'http://127.0.0.1:8080', POLICY_TOKEN: 'policy-token-0123456789' };

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readPolicydConfig(environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

describe('the settings of the policy daemon', () => {
  it('require the API’s URL and a token, and have defaults for all others', () => {
    expect(readPolicydConfig({ ...REQUIRED, POLICY_MTA: 'mx1' })).toEqual({
      mailsteadUrl: 'http://127.0.0.1:8080',
      policyToken: 'policy-token-0123456789',
      policyApi: [null],
      policyListen: [{ host: '127.0.0.1', port: 10_040 }],
      milterListen: { host: '127.0.0.1', port: 10_041 },
      loginsListen: { host: '127.0.0.1', port: 10_042 },
      loginsTrusted: [],
      policyFail: 'closed',
      policydDataDir: './policyd-data',
      policyMta: 'mx1',
      policyRelay: null,
      metricsListen: null,
      logLevel: 'info',
      deadlineFactor: 1,
      meterLog: null,
      meterState: null,
      meterDownloads: false,
      trailLog: null,
      trailSrsDomain: null,
    });
  });

  it('accept several addresses, unix sockets and IPv6', () => {
    const config = readPolicydConfig({
      ...REQUIRED,
      MAILSTEAD_URL: 'https://mail_api/v5',
      POLICY_LISTEN: '[::1]:10040, unix:/run/policyd',
      METRICS_LISTEN: 'localhost:9100',
    });
    expect(config.policyListen).toEqual([{ host: '::1', port: 10_040 }, { path: '/run/policyd' }]);
    expect(config.metricsListen).toEqual({ host: 'localhost', port: 9_100 });
    expect(readPolicydConfig({ ...REQUIRED, METRICS_LISTEN: 'off' }).metricsListen).toBeNull();
  });

  it.each(['http://api.example.com.:8080', 'http://10.1:8080', 'http://[::1]:8080', 'http://user:pass@api/'])(
    'take %s, which Node can call',
    (url) => expect(problemsOf({ ...REQUIRED, MAILSTEAD_URL: url })).toEqual([]),
  );

  it('list every invalid variable with its rule, and never show a token', () => {
    const problems = problemsOf({
      MAILSTEAD_URL: 'ftp://x',
      POLICY_TOKEN: 'short',
      POLICY_LISTEN: '127.0.0.1:10040,y',
      MILTER_LISTEN: 'off',
      POLICY_FAIL: 'maybe',
      POLICY_MTA: 'a b',
      POLICY_RELAY: 'postmark',
      METRICS_LISTEN: '127.0.0.1:99999',
      LOG_LEVEL: 'loud',
      METER_LOG: 'dovecot.log',
    });
    expect(problems.toSorted()).toEqual([
      'LOG_LEVEL: must be one of error, warn, info, debug',
      'MAILSTEAD_URL: must be the URL of the API, such as http://127.0.0.1:8080, or several separated by commas',
      'METER_LOG: must be an absolute path',
      'METRICS_LISTEN: must be host:port or unix:/path',
      'MILTER_LISTEN: must be host:port or unix:/path',
      'POLICY_FAIL: must be closed or open',
      'POLICY_LISTEN: must be host:port or unix:/path',
      'POLICY_MTA: must have 1 to 64 of A-Z a-z 0-9 . _ -',
      'POLICY_RELAY: must be ses, or not set',
      'POLICY_TOKEN: must be an operator token of scope policy',
    ]);
  });

  it.each([
    ['MAILSTEAD_URL', 'api:8080'],
    ['MAILSTEAD_URL', 'http:api'],
    ['MAILSTEAD_URL', 'http://api:99999'],
    ['MAILSTEAD_URL', 'http://api:abc'],
    ['MAILSTEAD_URL', 'http://api/?token=secret'],
    ['MAILSTEAD_URL', 'http://api:8080,'],
    ['MAILSTEAD_URL', 'http://api:8080,,http://other:8080'],
    ['MAILSTEAD_URL', 'http://api:8080;http://other:8080'],
    ['MAILSTEAD_URL', 'http://api:8080 http://other:8080'],
    ['POLICY_TOKEN', 'secret with blanks'],
    ['POLICY_API', '0.0.0.0:10044'],
    ['POLICY_LISTEN', 'inet:127.0.0.1'],
    ['POLICY_LISTEN', 'http://127.0.0.1:10040'],
    ['MILTER_LISTEN', '127.0.0.1:99999'],
    ['LOGINS_LISTEN', 'unix:relative'],
    ['LOGINS_TRUSTED', '192.0.2.0/24'],
    ['LOGINS_TRUSTED', '192.0.2.7 192.0.2.8'],
    ['LOGINS_TRUSTED', 'webmail.example.net'],
    ['LOGINS_TRUSTED', 'fe80::1%eth0'],
    ['METRICS_LISTEN', '9100'],
    ['POLICY_MTA', 'mx 1'],
    ['POLICY_RELAY', 'postmark'],
    ['POLICY_FAIL', 'ajar'],
    ['POLICYD_DATA_DIR', '"/var/lib/policyd"'],
    ['LOG_LEVEL', 'loud'],
    ['DEADLINE_FACTOR', 'double'],
    ['METER_LOG', 'dovecot.log'],
    ['METER_DOWNLOADS', 'maybe'],
    ['TRAIL_LOG', 'postfix.log'],
    ['TRAIL_SRS_DOMAIN', 'SRS.example.net'],
  ])('refuse %s=%s by its name, and do not show it', (name, text) => {
    const problems = problemsOf({ ...REQUIRED, [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
    expect(problems[0]).not.toContain(text);
  });

  it('take several trusted hosts by their addresses', () => {
    const { loginsTrusted } = readPolicydConfig({ ...REQUIRED, LOGINS_TRUSTED: '192.0.2.7, 2001:db8::7' });
    expect(loginsTrusted).toEqual(['192.0.2.7', '2001:db8::7']);
  });

  it('take the addresses for frames of this machine only, in the order of the APIs', () => {
    const two = { ...REQUIRED, MAILSTEAD_URL: 'http://127.0.0.1:8080,http://10.0.0.2:8080' };
    expect(readPolicydConfig({ ...two, POLICY_API: 'off, unix:/run/api.sock' }).policyApi).toEqual([
      null,
      { path: '/run/api.sock' },
    ]);
    expect(readPolicydConfig({ ...two, POLICY_API: '[::1]:10044' }).policyApi).toEqual([{ host: '::1', port: 10_044 }]);
    for (const address of ['10.0.0.2:10044', '0.0.0.0:10044', '127.evil.example:1', 'api:10044', 'https://127.0.0.1']) {
      expect(problemsOf({ ...two, POLICY_API: address })).toEqual([
        'POLICY_API: must be unix:/path, or host:port with localhost, 127.0.0.1 or [::1], or off',
      ]);
    }
    expect(problemsOf({ ...REQUIRED, POLICY_API: '127.0.0.1:1,127.0.0.1:2' })).toEqual([
      'POLICY_API: has more entries than MAILSTEAD_URL',
    ]);
  });

  it('for the delivery meter are two absolute paths; the second has a default', () => {
    const meter = { METER_LOG: '/var/log/dovecot.log', METER_STATE: '/var/lib/x' };
    expect(readPolicydConfig({ ...REQUIRED, ...meter })).toMatchObject({
      meterLog: '/var/log/dovecot.log',
      meterState: '/var/lib/x',
    });
    expect(problemsOf({ ...REQUIRED, METER_LOG: meter.METER_LOG })).toEqual([]);
    expect(problemsOf({ ...REQUIRED, METER_STATE: meter.METER_STATE })).toEqual(['METER_STATE: needs METER_LOG']);
    expect(problemsOf({ ...REQUIRED, ...meter, METER_LOG: 'dovecot.log' }).join()).toContain('METER_LOG');
  });
});
