import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, zonelessTime } from '@mailstead/core/clock';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, complaintOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

interface Row {
  address: string;
  domain: string | null;
  reason: string;
  since: string;
  expires_at: string | null;
}

onHttpDatabase((kind) => {
  let api: TestApi;
  let key: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    key = await api.key('acme');
  });
  afterAll(() => api.close());

  const newDomain = async (token = key): Promise<string> => {
    made += 1;
    const name = `sender${made}.example`;
    await api.as(token).post('/domains/', { name }).expect(201);
    api.clock.advance(1_000);
    return name;
  };
  const report = async (...events: object[]) => {
    for (const event of events) expect(await postSigned(api.url, event, { at: api.clock.now() })).toBe(200);
    await api.container.get(ProcessRelayEvents).execute();
  };
  const bounce = (domain: string, recipients: [address: string, status: string][], fields: object = {}) => {
    const event = bounceOf(domain, [], { at: api.clock.now() });
    const bouncedRecipients = recipients.map(([emailAddress, status]) => ({ emailAddress, status }));
    return { ...event, bounce: { ...event.bounce, bouncedRecipients, ...fields } };
  };
  const listed = async (domain: string, token = key) =>
    (await api.as(token).get(`/suppressions?domain=${domain}`).expect(200)).body as Row[];
  const addresses = async (domain: string) => (await listed(domain)).map(({ address }) => address);

  it('a bounce of an address that does not exist suppresses it for 90 days, for the sending domain alone', async () => {
    const [domain, other] = [await newDomain(), await newDomain()];
    const at = api.clock.now();
    await report(bounce(domain, [['Gone@Out.example', '5.1.1']]));
    expect(await listed(domain)).toMatchObject([
      {
        address: 'gone@out.example',
        domain,
        reason: 'bounce',
        since: zonelessTime(at),
        expires_at: zonelessTime(new Date(at.getTime() + 90 * DAY_MS)),
      },
    ]);
    expect(await listed(other)).toEqual([]);
    const { body } = await api.as(key).get('/suppressions').expect(200);
    expect((body as Row[]).filter((row) => row.domain === null)).toEqual([]);
  });

  it('a complaint suppresses for a year, and makes a bounce a complaint', async () => {
    const domain = await newDomain();
    await report(bounce(domain, [['both@out.example', '5.1.1']]));
    const at = api.clock.now();
    await report(complaintOf(domain, ['both@out.example'], { at }), complaintOf(domain, ['new@out.example'], { at }));
    const year = zonelessTime(new Date(at.getTime() + 365 * DAY_MS));
    expect(await listed(domain)).toMatchObject([
      { address: 'both@out.example', reason: 'complaint', expires_at: year },
      { address: 'new@out.example', reason: 'complaint', expires_at: year },
    ]);
  });

  it('a complaint that names more than one possible complainer suppresses none, and leaves a bounce what it is', async () => {
    const domain = await newDomain();
    await report(bounce(domain, [['both@out.example', '5.1.1']]));
    await report(complaintOf(domain, ['both@out.example', 'new@out.example'], { at: api.clock.now() }));
    expect(await listed(domain)).toMatchObject([{ address: 'both@out.example', reason: 'bounce' }]);
  });

  it('nothing else suppresses: policy, full mailboxes, transient, never attempted, withdrawn', async () => {
    const domain = await newDomain();
    const at = api.clock.now();
    await report(
      bounce(domain, [
        ['policy@out.example', '5.7.1'],
        ['full@out.example', '5.2.2'],
      ]),
      bounce(domain, [['late@out.example', '5.1.1']], { bounceType: 'Transient' }),
      bounce(domain, [['listed@out.example', '5.1.1']], { bounceSubType: 'OnAccountSuppressionList' }),
      complaintOf(domain, ['fine@out.example'], { at, feedback: 'not-spam' }),
    );
    expect(await addresses(domain)).toEqual([]);
    await report(bounce(domain, [['none@out.example', '5.0.0']], { bounceSubType: 'NoEmail' }));
    expect(await addresses(domain)).toEqual(['none@out.example']);
  });

  it.each([
    'OnAccountSuppressionList',
    'OnTenantSuppressionList',
    'EmailValidationSuppressed',
    'UnsubscribedRecipient',
  ])('what was never attempted (%s) is listed with that word, and suppresses and counts nothing', async (subtype) => {
    const domain = await newDomain();
    const complaint = complaintOf(domain, ['complained@out.example'], { at: api.clock.now() });
    await report(bounce(domain, [['gone@out.example', '5.1.1']], { bounceSubType: subtype }), {
      ...complaint,
      complaint: { ...complaint.complaint, complaintSubType: subtype },
    });
    expect(await addresses(domain)).toEqual([]);
    const { body } = await api.as(key).get(`/domains/${domain}/bounces`).expect(200);
    expect(body).toMatchObject([{ subtype }, { subtype }]);
    const { body: state } = await api.as(key).get(`/domains/${domain}/outbound`).expect(200);
    expect(state).toMatchObject({ bounces: 0, complaints: 0 });
  });

  it('a recipient on the platform is never suppressed', async () => {
    const [domain, hosted] = [await newDomain(), await newDomain()];
    await api.as(MASTER).put(`/domains/${hosted}/inbound`, { inbound: 'open' }).expect(200);
    await report(
      bounce(domain, [
        [`nobody@${hosted}`, '5.1.1'],
        ['nobody@out.example', '5.1.1'],
      ]),
    );
    expect(await addresses(domain)).toEqual(['nobody@out.example']);
  });

  it('a repeat changes nothing, also after the suppression was lifted', async () => {
    const domain = await newDomain();
    const event = bounce(domain, [['once@out.example', '5.1.1']]);
    await report(event, event);
    const { body } = await api.as(key).get(`/suppressions?domain=${domain}`).expect(200);
    await api
      .as(key)
      .delete(`/suppressions/${(body as { id: number }[])[0]?.id}`)
      .expect(204);
    await report(event);
    expect(await addresses(domain)).toEqual([]);
    await report(bounce(domain, [['once@out.example', '5.1.1']]));
    expect(await addresses(domain)).toEqual(['once@out.example']);
  });

  it('what the former partner sent suppresses nothing for the present one', async () => {
    const domain = await newDomain();
    const event = bounce(domain, [['former@out.example', '5.1.1']]);
    api.clock.advance(60_000);
    const rival = await api.key('rival');
    await api.as(MASTER).put(`/domains/${domain}/partner`, { partner_ref: 'rival' }).expect(200);
    await report(event);
    expect(await listed(domain, rival)).toEqual([]);
    await report(bounce(domain, [['present@out.example', '5.1.1']]));
    expect(await listed(domain, rival)).toMatchObject([{ address: 'present@out.example' }]);
  });

  it('is no event and no audit row', async () => {
    const domain = await newDomain();
    await report(bounce(domain, [['silent@out.example', '5.1.1']]));
    const { body } = await api.as(MASTER).get(`/audit?domain=${domain}&action=suppression.create`).expect(200);
    expect(body).toEqual([]);
  });
});
