import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const FOUR_DAYS = 4 * 86_400;

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const create = async (token = acme): Promise<string> => {
    made += 1;
    const name = `q${made}.example`;
    await api.as(token).post('/domains/', { name }).expect(201);
    return name;
  };
  const look = async (...domains: string[]): Promise<unknown> =>
    (await api.as(POLICY).post('/mail-queue/looks', { domains }).expect(200)).body;
  const report = async (domain: string, waitingSeconds: number): Promise<boolean> => {
    const items = [{ domain, messages: 2, waiting_seconds: waitingSeconds }];
    const { body } = await api.as(POLICY).post('/mail-queue/waiting', { items }).expect(200);
    expect(body).toEqual([{ domain, attention: expect.any(Boolean) }]);
    return body[0].attention;
  };
  const attention = async (name: string): Promise<string[]> =>
    (await api.as(MASTER).get(`/domains/${name}`).expect(200)).body.attention;
  const events = (name: string) =>
    api.database.read("SELECT action FROM audit_log WHERE action = 'domain.mail_waiting' AND domain = ?", [name]);
  const sweep = () => api.container.get(AttentionList).sweep({ of: 1, remainder: 0 }, api.clock.now());

  it('a mail server learns whose mail waits: of a suspended domain, of a partner by its stage, of a child by abuse', async () => {
    const rival = await api.key('rival');
    const [open, suspended, byPartner] = [await create(), await create(), await create(rival)];
    await api.as(MASTER).put(`/domains/${suspended}/inbound`, { inbound: 'open' }).expect(200);
    await api.as(acme).put(`/domains/${suspended}/suspend`).expect(200);
    await api.as(MASTER).put('/partners/rival/suspend', { stage: 'changes' }).expect(200);
    const no = { hosted: false, sending_waits: false, receiving_waits: false };
    expect(await look(open, suspended.toUpperCase(), byPartner, 'not a name', 'absent.example')).toEqual([
      { ...no, domain: open },
      { domain: suspended.toUpperCase(), hosted: true, sending_waits: true, receiving_waits: true },
      { ...no, domain: byPartner, sending_waits: true },
      { ...no, domain: 'not a name' },
      { ...no, domain: 'absent.example' },
    ]);
    await api.as(MASTER).put('/partners/rival/suspend', { stage: 'all' }).expect(200);
    expect(await look(byPartner)).toMatchObject([{ sending_waits: true, receiving_waits: true }]);
    await api.as(acme).put(`/domains/${open}/parent`).expect(403);
    await api.as(MASTER).put(`/domains/${open}/parent`, { wildcard_mode: 'any' }).expect(200);
    const child = `child.${open}`;
    await api.as(acme).post('/domains/', { name: child }).expect(201);
    await api.as(MASTER).put(`/domains/${open}/suspend`).expect(200);
    expect(await look(child)).toMatchObject([{ sending_waits: false, receiving_waits: false }]);
    await api.as(MASTER).put(`/domains/${open}/suspend`, { cause: 'abuse' }).expect(200);
    expect(await look(child)).toMatchObject([{ sending_waits: true, receiving_waits: true }]);
  });

  it('mail that waited for four days is one event of a suspension and a reason for attention until it ends', async () => {
    const name = await create();
    expect(await report(name, FOUR_DAYS)).toBe(false);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    expect(await report(name, FOUR_DAYS - 1)).toBe(false);
    expect(await attention(name)).toEqual(['suspended']);
    expect(await Promise.all([report(name, FOUR_DAYS), report(name, FOUR_DAYS + 60)])).toEqual([true, true]);
    expect(await report(name, FOUR_DAYS + 120)).toBe(true);
    expect(await attention(name)).toEqual(['suspended', 'mail_waiting']);
    expect(await events(name)).toHaveLength(1);
    const counted = (await api.as(acme).get('/me/attention').expect(200)).body;
    expect(counted).toContainEqual(expect.objectContaining({ reason: 'mail_waiting', count: 1 }));
    await api.as(acme).put(`/domains/${name}/activate`).expect(200);
    expect(await attention(name)).toEqual([]);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    expect(await attention(name)).toEqual(['suspended']);
    expect(await report(name, FOUR_DAYS)).toBe(true);
    expect(await events(name)).toHaveLength(2);
  });

  it('the reason ends with the suspension of the partner, and the sweep removes it', async () => {
    const beta = await api.key('beta');
    const name = await create(beta);
    await api.as(MASTER).put('/partners/beta/suspend').expect(200);
    expect(await report(name, FOUR_DAYS)).toBe(true);
    expect(await attention(name)).toEqual(['partner_suspended', 'mail_waiting']);
    await api.as(MASTER).put('/partners/beta/activate').expect(200);
    expect(await attention(name)).toEqual([]);
    expect((await api.as(beta).get('/domains/?attention_reason=mail_waiting').expect(200)).body).toEqual([]);
    await sweep();
    expect(
      await api.database.read(
        "SELECT 1 AS found FROM domain_attention WHERE reason = 'mail_waiting' AND partner_id = (SELECT id FROM partner WHERE ref = 'beta')",
        [],
      ),
    ).toEqual([]);
  });

  it('a domain takes outside senders until it refuses them, and one change of both settings is one row of the audit', async () => {
    const name = await create();
    const put = (body: object) => api.as(acme).put(`/domains/${name}`, body);
    expect((await api.as(acme).get(`/domains/${name}`).expect(200)).body).toMatchObject({ external_senders: 'allow' });
    for (const body of [{}, { external_senders: 'never' }, { external_senders: null }]) await put(body).expect(422);
    const { body } = await put({ external_senders: 'refuse', external_ref: 'r-1' }).expect(200);
    expect(body).toMatchObject({ external_senders: 'refuse', external_ref: 'r-1' });
    expect((await put({ external_ref: null }).expect(200)).body).toMatchObject({ external_senders: 'refuse' });
    await put({ external_senders: 'refuse' }).expect(200);
    await api.as(MASTER).put(`/domains/${name}`, { external_senders: 'allow' }).expect(200);
    const rows = (await api.as(MASTER).get(`/audit?domain=${name}&action=domain.update`).expect(200)).body;
    expect(rows.map(({ before, after }: Record<string, unknown>) => [before, after])).toEqual([
      [
        { external_ref: null, external_senders: 'allow' },
        { external_ref: 'r-1', external_senders: 'refuse' },
      ],
      [{ external_ref: 'r-1' }, { external_ref: null }],
      [{ external_senders: 'refuse' }, { external_senders: 'allow' }],
    ]);
  });
});
