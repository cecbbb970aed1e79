import { SettingsError, variableOf } from '@mailstead/core/settings/read-settings';
import { forgottenPlaces } from '@mailstead/core/testing/setting-places';
import { type BillingConfig, readBillingConfig } from './config.js';

const REQUIRED = {
  STRIPE_API_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  MAILSTEAD_URL: 'http://127.0.0.1:8080',
  BILLING_TOKEN: 'a-token-of-scope-billing',
};
const SET_BY_COMPOSE = {
  MAILSTEAD_URL: 'the API is the service api',
  STRIPE_API_KEY: 'empty without the profile billing',
  STRIPE_WEBHOOK_SECRET: 'empty without the profile billing',
  BILLING_TOKEN: 'empty without the profile billing',
  BILLING_DATA_DIR: 'a folder of the volume',
  BILLING_PORT: 'the published port leads to 8090',
  HOST: 'the image sets it',
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readBillingConfig({ ...REQUIRED, ...environment });
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

describe('every setting of the billing process', () => {
  const config = readBillingConfig(REQUIRED);
  const properties = new Map((Object.keys(config) as (keyof BillingConfig)[]).map((name) => [variableOf(name), name]));
  const defaults = Object.fromEntries(
    [...properties].map(([variable, name]) => [variable, variable in REQUIRED ? null : config[name]]),
  );

  it('reaches the container of docker-compose.yml and has its row in docs/billing.md, with its default', () => {
    const read = (variable: string, text: string) =>
      readBillingConfig({ ...REQUIRED, [variable]: text })[properties.get(variable) ?? 'logLevel'];
    const places = { defaults, read, services: ['billing'], setByCompose: SET_BY_COMPOSE, document: 'docs/billing.md' };
    expect(forgottenPlaces(places)).toEqual([]);
  });

  it('sends the key of Stripe over https, or to this machine only', () => {
    for (const base of ['https://api.stripe.com', 'http://127.0.0.1:12111', 'http://localhost:1', 'http://[::1]:1']) {
      expect(problemsOf({ STRIPE_API_BASE: base })).toEqual([]);
    }
    for (const base of [
      'http://api.stripe.com',
      'http://10.0.0.1',
      'http://127.0.0.1.evil.example',
      'https://x/v1',
      'x',
    ]) {
      expect(problemsOf({ STRIPE_API_BASE: base })).toEqual([expect.stringMatching(/^STRIPE_API_BASE: /)]);
    }
  });

  it('keeps the metrics from the port that Stripe reaches', () => {
    expect(problemsOf({ METRICS_LISTEN: '127.0.0.1:8090' })).toEqual([expect.stringMatching(/^METRICS_LISTEN: /)]);
    expect(problemsOf({ METRICS_LISTEN: '127.0.0.1:9102' })).toEqual([]);
  });

  it('lists every wrong one, and never shows a secret', () => {
    const problems = problemsOf({
      STRIPE_API_KEY: 'pk_live_hidden',
      STRIPE_WEBHOOK_SECRET: 'hidden',
      BILLING_TOKEN: 'hidden',
      BILLING_GRACE_DAYS: '7d',
      BILLING_RECONCILE_MINUTES: '0',
      BILLING_PORT: '-1',
    });
    expect(problems).toHaveLength(6);
    expect(problems.join()).not.toContain('hidden');
  });
});
