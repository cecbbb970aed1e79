import { SettingsError } from '@mailstead/core/settings/read-settings';
import { readBillingConfig } from './config.js';

const REQUIRED = {
  STRIPE_API_KEY: 'rk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  MAILSTEAD_URL: 'http://127.0.0.1:8080',
  BILLING_TOKEN: 'billing-token-0123456789',
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readBillingConfig(environment);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

describe('the settings of billing', () => {
  it('are four, and others have defaults', () => {
    expect(problemsOf(REQUIRED)).toEqual([]);
    expect(problemsOf({})).toHaveLength(4);
  });

  it.each([
    ['STRIPE_API_KEY', 'pk_live_0123456789'],
    ['STRIPE_WEBHOOK_SECRET', '0123456789'],
    ['STRIPE_API_BASE', 'http://api.example.com'],
    ['STRIPE_API_BASE', 'https://u:secret@api.example.com'],
    ['STRIPE_API_BASE', 'https://api.example.com:abc'],
    ['MAILSTEAD_URL', 'api:8080'],
    ['MAILSTEAD_URL', 'http://api:99999'],
    ['MAILSTEAD_URL', 'http://api:8080,,http://other:8080'],
    ['BILLING_TOKEN', 'secret with blanks'],
    ['HOST', 'http://127.0.0.1'],
    ['BILLING_PORT', '65536'],
    ['BILLING_DATA_DIR', '"/var/lib/billing"'],
    ['BILLING_DATA_DIR', `/${'long'.repeat(20)}`],
    ['BILLING_GRACE_DAYS', 'a week'],
    ['BILLING_RECONCILE_MINUTES', 'hourly'],
    ['METRICS_LISTEN', 'metrics'],
    ['LOG_LEVEL', 'loud'],
  ])('refuse %s=%s by its name, and do not show it', (name, text) => {
    const problems = problemsOf({ ...REQUIRED, [name]: text });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name}: `));
    expect(problems[0]).not.toContain(text);
  });
});
