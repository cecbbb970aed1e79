import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { HOUR_MS } from '@mailstead/core/clock';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
  });
  afterAll(() => api.close());

  const create = async (token = acme): Promise<string> => {
    made += 1;
    const name = `a${made}.example`;
    await api.as(token).post('/domains/', { name }).expect(201);
    return name;
  };
  const reasons = async (name: string): Promise<string[]> => {
    const { body } = await api.as(MASTER).get(`/domains/${name}`).expect(200);
    const full = await api.as(MASTER).get(`/domains/?view=full&q=${name}`).expect(200);
    expect(full.body).toEqual([body]);
    const listed = (await list(MASTER)).includes(name);
    expect(listed).toBe(body.attention.length > 0);
    return body.attention;
  };
  const list = async (token: string, query = ''): Promise<string[]> =>
    ((await api.as(token).get(`/domains/?attention=true${query}`).expect(200)).body as { name: string }[]).map(
      ({ name }) => name,
    );
  const setVerification = (name: string, status: string) =>
    api.database.write(
      'UPDATE verification SET status = ? WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
      [status, name],
      [],
    );
  const sweep = () => api.container.get(AttentionList).sweep({ of: 1, remainder: 0 }, api.clock.now());
  const mend = () => api.container.get(StoredCopies).mend({ of: 1, remainder: 0 }, api.clock.now());
  const sent = (name: string, count: number) =>
    api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count, record: true }).expect(200);

  it('lists a domain from its suspension until its activation, whoever lifts the last cause', async () => {
    const name = await create();
    expect(await reasons(name)).toEqual([]);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    await api.as(MASTER).put(`/domains/${name}/suspend`, { cause: 'abuse' }).expect(200);
    expect(await reasons(name)).toEqual(['suspended']);
    await api.as(MASTER).put(`/domains/${name}/activate`, { cause: 'abuse' }).expect(200);
    expect(await reasons(name)).toEqual(['suspended']);
    await api.as(acme).put(`/domains/${name}/activate`).expect(200);
    expect(await reasons(name)).toEqual([]);
  });

  it('lists a domain while it is blocked, and each reason once', async () => {
    const name = await create();
    await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_status: 'blocked' }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
    expect(await reasons(name)).toEqual(['suspended', 'blocked']);
    expect((await list(MASTER)).filter((each) => each === name)).toHaveLength(1);
    await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_status: 'active' }).expect(200);
    expect(await reasons(name)).toEqual(['suspended']);
  });

  it('lists a domain that is not verified for 24 hours, from the sweep on, until it is verified', async () => {
    const [name, verified] = [await create(), await create()];
    await setVerification(verified, 'verified');
    api.clock.advance(24 * HOUR_MS - 1);
    await sweep();
    expect(await reasons(name)).toEqual([]);
    // The creation times of a partner increase strictly, so they may be some milliseconds ahead of the clock.
    api.clock.advance(1_000);
    await sweep();
    await sweep();
    expect(await reasons(name)).toEqual(['unverified']);
    expect(await reasons(verified)).toEqual([]);
    await setVerification(name, 'verified');
    expect(await reasons(name)).toEqual([]);
    await sweep();
    const rows = await api.database.read(
      'SELECT reason FROM domain_attention WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
      [name],
    );
    expect(rows).toEqual([]);
  });

  it('lists a domain that used 80 % of a limit, until the period ends, is reset, or the limit is raised', async () => {
    const [name, byReset, raised] = [await create(), await create(), await create()];
    for (const each of [name, byReset, raised]) {
      await setVerification(each, 'verified');
      await api.as(MASTER).put(`/domains/${each}/outbound`, { daily_limit: 10, monthly_limit: 1_000 }).expect(200);
      await sent(each, 7);
      expect(await reasons(each)).toEqual([]);
      await sent(each, 1);
      expect(await reasons(each)).toEqual(['daily_limit']);
    }
    await api.as(MASTER).put(`/domains/${raised}/outbound`, { daily_limit: 100 }).expect(200);
    expect(await reasons(raised)).toEqual([]);
    await api.as(MASTER).put(`/domains/${raised}/outbound`, { monthly_limit: 9 }).expect(200);
    expect(await reasons(raised)).toEqual(['monthly_limit']);
    await api.as(MASTER).post('/outbound/reset-daily').expect(200);
    expect(await reasons(byReset)).toEqual([]);
    await sent(byReset, 9);
    expect(await reasons(byReset)).toEqual(['daily_limit']);
    api.clock.advance(24 * HOUR_MS);
    expect(await reasons(byReset)).toEqual([]);
    expect(await reasons(raised)).toEqual(['monthly_limit']);
    await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
    expect(await reasons(raised)).toEqual([]);
  });

  it('shows a partner only its own domains, combines with other filters, and follows a move', async () => {
    const [own, foreign] = [await create(acme), await create(rival)];
    for (const name of [own, foreign]) await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
    expect(await list(acme)).toContain(own);
    expect(await list(acme)).not.toContain(foreign);
    expect(await list(MASTER, `&q=${own}`)).toEqual([own]);
    expect(await list(acme, `&outbound_status=blocked&q=${own}`)).toEqual([]);
    await api.as(MASTER).put(`/domains/${own}/partner`, { partner_ref: 'rival' }).expect(200);
    expect(await list(acme)).not.toContain(own);
    expect(await list(rival)).toEqual(expect.arrayContaining([own, foreign]));
    const ascending = await list(MASTER);
    expect(await list(MASTER, '&order=desc')).toEqual(ascending.toReversed());
    await api.as(MASTER).get('/domains/?attention=false').expect(422);
  });

  it('forgets a deleted domain, and a restored one is listed again for what still holds', async () => {
    const name = await create();
    await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
    await api.as(acme).delete(`/domains/${name}`).expect(204);
    const rows = () =>
      api.database.read('SELECT domain_id FROM domain_attention WHERE domain_id NOT IN (SELECT id FROM domain)');
    expect(await rows()).toEqual([]);
    const { body } = await api.as(acme).get(`/deleted/?domain=${name}`).expect(200);
    await api.as(acme).post(`/deleted/${body[0].id}/restore`).expect(200);
    expect(await reasons(name)).toEqual(['suspended']);
  });

  it('what a process of the former release wrote is corrected, and nothing changes when all is right', async () => {
    const [suspended, moved] = [await create(), await create()];
    await mend();
    const { database } = api;
    await database.write("UPDATE domain SET suspension_causes = 'abuse' WHERE name = ?", [suspended], []);
    await database.write('DELETE FROM domain_suffix WHERE domain_id = (SELECT id FROM domain WHERE name = ?)', [
      suspended,
    ]);
    await database.write(
      "UPDATE domain SET partner_id = (SELECT id FROM partner WHERE ref = 'rival') WHERE name = ?",
      [moved],
      [],
    );
    await database.write(
      'UPDATE verification SET partner_id = NULL WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
      [suspended],
    );
    expect((await api.as(acme).get(`/domains/?q=${suspended}`).expect(200)).body).toEqual([]);
    expect(await mend()).toBeGreaterThanOrEqual(4);
    expect(await reasons(suspended)).toEqual(['suspended']);
    expect((await api.as(acme).get(`/domains/?q=${suspended}`).expect(200)).body).toHaveLength(1);
    expect((await api.as(rival).get(`/domains/?q=${moved}`).expect(200)).body).toHaveLength(1);
    expect(await mend()).toBe(0);
    await sweep();
    expect(await sweep()).toBe(0);
    await database.write(
      "INSERT INTO domain_attention (domain_id, reason, partner_id, period) VALUES (999999, 'suspended', 1, '')",
    );
    expect(await sweep()).toBe(1);
  });
});
