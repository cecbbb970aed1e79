import { variableOf } from '@mailstead/core/settings/read-settings';
import { forgottenPlaces, unusedInExample } from '@mailstead/core/testing/setting-places';
import { type Config, readConfig } from './config.js';

/** A change of these would break the container or its connections. */
const SET_BY_COMPOSE = {
  HOST: 'the image listens on all addresses of its container',
  PORT: 'the published port leads to 8080; API_PORT is the one on the machine',
  DATA_DIR: 'the image has the folder of its volume',
  DATABASE_URL: 'made from MARIADB_PASSWORD',
  REDIS_URL: 'made from REDIS_PASSWORD',
  MASTER_TOKEN: 'required, so that a start without it fails',
  SECRET_KEY: 'required, so that a start without it fails',
};

describe('every setting of the API and the worker', () => {
  const config = readConfig({});
  const properties = new Map((Object.keys(config) as (keyof Config)[]).map((name) => [variableOf(name), name]));
  const defaults = Object.fromEntries([...properties].map(([variable, name]) => [variable, config[name]]));

  it('reaches the containers of docker-compose.yml and has its row in docs/operations.md, with its default', () => {
    const read = (variable: string, text: string) =>
      readConfig({ [variable]: text })[properties.get(variable) ?? 'port'];
    const document = 'docs/operations.md';
    const services = ['api', 'worker'];
    expect(forgottenPlaces({ defaults, read, services, setByCompose: SET_BY_COMPOSE, document })).toEqual([]);
  });

  it('that .env.example names is used by docker-compose.yml', () => {
    expect(unusedInExample()).toEqual([]);
  });
});
