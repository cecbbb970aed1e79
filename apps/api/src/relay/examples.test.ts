import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Check {
  record: string;
  required: boolean;
  expected: string[];
  records: { value: string }[];
  example?: boolean;
  detail: string;
}

describe('a service on trial, without mail servers in its settings', () => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    acme = await api.key('acme');
    const { body } = await api.as(acme).post('/domains/', { name: 'first.example' }).expect(201);
    api.relay.says('first.example', 'verified');
    await api.container.get(CheckVerification).execute(body.id);
  });
  afterAll(() => api.close());

  const checks = async (): Promise<Check[]> =>
    (await api.as(acme).get('/domains/first.example/dns-check').expect(200)).body.checks;

  it('shows examples of MX and SPF records, which nobody is required to publish', async () => {
    const examples = (await checks()).filter(({ example }) => example === true);
    expect(examples.map(({ record, required, expected }) => ({ record, required, expected }))).toEqual([
      { record: 'mx', required: false, expected: [] },
      { record: 'spf', required: false, expected: [] },
    ]);
    expect(examples.flatMap(({ records }) => records.map(({ value }) => value))).toEqual([
      'mx1.mailstead.example',
      'mx2.mailstead.example',
      'v=spf1 include:spf.mailstead.example ~all',
    ]);
  });

  it('has no member `example` in the other checks', async () => {
    const others = (await checks()).filter(({ record }) => record !== 'mx' && record !== 'spf');
    expect(others.length).toBeGreaterThan(3);
    for (const check of others) expect(check).not.toHaveProperty('example');
  });

  it('verifies a domain without them', async () => {
    const { body } = await api.as(acme).get('/domains/first.example').expect(200);
    expect(body).toMatchObject({ verification_status: 'verified' });
  });

  it('names no setting to a partner, in no sentence', async () => {
    for (const { detail } of await checks()) expect(detail).not.toMatch(/[A-Z]+_[A-Z]+/);
  });

  it('shows examples of servers for mail programs, and the settings to set to master alone', async () => {
    const server = (port: number) => ({ host: 'mail.mailstead.example', port, security: 'tls' });
    const shown = { imap: server(993), pop3: server(995), submission: server(465), example: true };
    expect((await api.as(acme).get('/mail-settings').expect(200)).body).toEqual(shown);
    expect((await api.as(MASTER).get('/mail-settings').expect(200)).body).toEqual({
      ...shown,
      unset: ['MX_HOSTS', 'SPF_INCLUDE', 'MAIL_IMAP', 'MAIL_POP3', 'MAIL_SUBMISSION'],
    });
  });
});
