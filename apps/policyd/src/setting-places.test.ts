import { hostname } from 'node:os';
import { variableOf } from '@mailstead/core/settings/read-settings';
import { forgottenPlaces } from '@mailstead/core/testing/setting-places';
import { type PolicydConfig, readPolicydConfig } from './config.js';

const REQUIRED = { MAILSTEAD_URL: 'http://127.0.0.1:8080', POLICY_TOKEN: 'a-token-of-scope-policy' };
const SET_BY_COMPOSE = {
  MAILSTEAD_URL: 'the API is the service api',
  POLICY_TOKEN: 'empty without the profile policyd',
  POLICY_LISTEN: 'the published port leads to 10040 on all addresses of the container',
  MILTER_LISTEN: 'the published port leads to 10041 on all addresses of the container',
  LOGINS_LISTEN: 'the published port leads to 10042 on all addresses of the container',
  POLICYD_DATA_DIR: 'a folder of the volume',
};

describe('every setting of the policy daemon', () => {
  const config = readPolicydConfig(REQUIRED);
  const properties = new Map((Object.keys(config) as (keyof PolicydConfig)[]).map((name) => [variableOf(name), name]));
  const defaults = Object.fromEntries(
    [...properties].map(([variable, name]) => [variable, variable in REQUIRED ? null : config[name]]),
  );

  it('reaches the container of docker-compose.yml and has its row in docs/mail-stack.md, with its default', () => {
    const read = (variable: string, text: string) => {
      const shown = text === 'the host name' ? hostname() : text;
      return readPolicydConfig({ ...REQUIRED, [variable]: shown })[properties.get(variable) ?? 'logLevel'];
    };
    const document = 'docs/mail-stack.md';
    const services = ['policyd'];
    expect(forgottenPlaces({ defaults, read, services, setByCompose: SET_BY_COMPOSE, document })).toEqual([]);
  });
});
