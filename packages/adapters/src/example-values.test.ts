import { readConfig } from './config.js';
import { exampleExpectations, examplesOf, unsetMailServers } from './example-values.js';
import { reservedNamesOf } from './reserved-names-of.js';

const WITH_DATABASE = {
  DATABASE_URL: 'mysql://mailstead:pw@127.0.0.1:3306/mailstead',
  MASTER_TOKEN: 'a-master-token-of-the-tests-0123456789',
  SECRET_KEY: 'a-secret-key-of-the-tests-0123456789',
};
const WITH_SES = {
  RELAY_PROVIDER: 'ses',
  AWS_REGION: 'eu-west-1',
  SNS_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:123456789012:events',
  SES_CONFIGURATION_SET: 'mailstead',
};

describe('examples of mail servers', () => {
  test('are below mailstead.example, and shown while an embedded service with the sandbox has none', () => {
    const examples = examplesOf(readConfig({}));
    const hosts = [
      ...(examples?.mxHosts ?? []),
      examples?.spfInclude,
      ...Object.values(examples?.mailSettings ?? {}).map(({ host }) => host),
    ];
    expect(hosts).toHaveLength(6);
    for (const host of hosts) expect(host).toMatch(/^[a-z0-9]+\.mailstead\.example$/);
  });

  test.each([
    { MX_HOSTS: 'mx.host.example' },
    { SPF_INCLUDE: 'spf.host.example' },
    { MAIL_IMAP: 'mail.host.example:993' },
    { MAIL_POP3: 'mail.host.example:995' },
    { MAIL_SUBMISSION: 'mail.host.example:465' },
    WITH_DATABASE,
    WITH_SES,
  ])('are not shown with %j', (environment) => {
    const config = readConfig({ ...environment });
    expect(examplesOf(config)).toBeNull();
    expect(exampleExpectations(config)).toBeNull();
  });

  test('reserve no names', () => {
    const reserved = reservedNamesOf(readConfig({}));
    for (const name of ['mailstead.example', 'mx1.mailstead.example'] as never[]) {
      expect(reserved.has(name)).toBe(false);
    }
  });
});

describe('the settings of mail servers to be set', () => {
  test('are all without any', () => {
    const all = ['MX_HOSTS', 'SPF_INCLUDE', 'MAIL_IMAP', 'MAIL_POP3', 'MAIL_SUBMISSION'];
    expect(unsetMailServers(readConfig({}))).toEqual(all);
    expect(unsetMailServers(readConfig(WITH_DATABASE))).toEqual(all);
  });

  test('do not include servers for mail programs when one of them is set', () => {
    expect(unsetMailServers(readConfig({ MAIL_IMAP: 'mail.host.example:993' }))).toEqual(['MX_HOSTS', 'SPF_INCLUDE']);
    const settings = { MX_HOSTS: 'mx.host.example', SPF_INCLUDE: 'spf.host.example' };
    expect(unsetMailServers(readConfig(settings))).toEqual(['MAIL_IMAP', 'MAIL_POP3', 'MAIL_SUBMISSION']);
    expect(unsetMailServers(readConfig({ ...settings, MAIL_SUBMISSION: 'mail.host.example:465' }))).toEqual([]);
  });
});
