import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
    const acme = api.as(await api.key('acme'));
    for (const name of ['acme.example', 'unverified.example']) await acme.post('/domains/', { name }).expect(201);
    await api.database.write(
      "UPDATE verification SET status = 'verified' WHERE domain_id = (SELECT id FROM domain WHERE name = 'acme.example')",
      [],
      [],
    );
  });
  afterAll(() => api.close());

  const relays = async () => {
    const items = ['acme.example', 'unverified.example', 'absent.example'].map((domain) => ({ domain }));
    const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(200);
    return (body as { relay?: object | null }[]).map(({ relay }) => relay);
  };
  const [named, none] = ['mailstead', null].map((configuration_set) => ({ configuration_set, tenant: null }));

  it('each verdict of many items names the configuration set of SES while the account has it and the identity does not', async () => {
    api.relay.configurationSet = 'mailstead';
    expect(await relays()).toEqual([none, none, undefined]);
    api.relay.report = { account: null, configurationSet: { name: 'mailstead', destinations: [] } };
    await api.container.get(CheckAccount).execute();
    expect(await relays()).toEqual([named, named, undefined]);
    await api.database.write("UPDATE verification SET configuration_set = 'mailstead'");
    expect(await relays()).toEqual([none, none, undefined]);
  });

  it('is null with a relay without configuration sets', async () => {
    api.relay.configurationSet = null;
    expect(await relays()).toEqual([null, null, undefined]);
  });
});
