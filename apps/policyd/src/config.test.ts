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
      policyListen: [{ host: '127.0.0.1', port: 10_040 }],
      milterListen: { host: '127.0.0.1', port: 10_041 },
      loginsListen: { host: '127.0.0.1', port: 10_042 },
      policyFail: 'closed',
      policydDataDir: './policyd-data',
      policyMta: 'mx1',
      policyRelay: null,
      metricsListen: null,
      logLevel: 'info',
      meterLog: null,
      meterState: null,
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
      'MAILSTEAD_URL: must be the URL of the API, such as http://127.0.0.1:8080',
      'METER_LOG and METER_STATE: set both or none',
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

  it('for the delivery meter are two absolute paths, or both empty', () => {
    const meter = { METER_LOG: '/var/log/dovecot.log', METER_STATE: '/var/lib/x' };
    expect(readPolicydConfig({ ...REQUIRED, ...meter })).toMatchObject({
      meterLog: '/var/log/dovecot.log',
      meterState: '/var/lib/x',
    });
    expect(problemsOf({ ...REQUIRED, METER_LOG: meter.METER_LOG }).join()).toContain('METER_STATE');
    expect(problemsOf({ ...REQUIRED, METER_STATE: meter.METER_STATE }).join()).toContain('METER_LOG');
    expect(problemsOf({ ...REQUIRED, ...meter, METER_LOG: 'dovecot.log' }).join()).toContain('METER_LOG');
  });
});
