import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { AttentionList } from '@mailstead/core/attention/attention-list';
import { HOUR_MS } from '@mailstead/core/clock';
import { StoredCopies } from '@mailstead/core/counts/stored-copies';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { LinkWorld } from '../testing/link-world.js';

onHttpDatabase((kind) => {
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
  const correct = () => api.container.get(StoredCopies).correct({ of: 1, remainder: 0 }, api.clock.now());
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

  describe('by reason', () => {
    const needing = async (token: string, query = ''): Promise<[string, number, boolean, string[]][]> => {
      const { body } = await api.as(token).get(`/me/attention${query}`).expect(200);
      return shown(body);
    };
    const shown = (body: { reason: string; count: number; more: boolean; first: { name: string }[] }[]) =>
      body.map(({ reason, count, more, first }): [string, number, boolean, string[]] => [
        reason,
        count,
        more,
        first.map(({ name }) => name),
      ]);
    const listed = async (token: string, reason: string, query = ''): Promise<string[]> =>
      (
        (await api.as(token).get(`/domains/?attention_reason=${reason}${query}`).expect(200)).body as { name: string }[]
      ).map(({ name }) => name);
    /** A partner with a suspended, a blocked, and a suspended and blocked domain. */
    const world = async (ref: string) => {
      const token = await api.key(ref);
      const names = [await create(token), await create(token), await create(token), await create(token)];
      for (const name of names) await setVerification(name, 'verified');
      const [suspended = '', blocked = '', both = '', well = ''] = names;
      for (const name of [suspended, both]) await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
      for (const name of [blocked, both])
        await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_status: 'blocked' }).expect(200);
      return { token, names, suspended, blocked, both, well };
    };

    it('counts what the list of the reason has, in the order of severity, for all who read domains', async () => {
      const { token, suspended, blocked, both } = await world('counted');
      const expected = [
        ['suspended', 2, false, [suspended, both]],
        ['blocked', 2, false, [blocked, both]],
      ];
      expect(await needing(token)).toEqual(expected);
      for (const operator of [MASTER, READ, BILLING]) {
        expect(await needing(operator, '?partner_ref=counted')).toEqual(expected);
        const all = new Map((await needing(operator)).map(([reason, count]) => [reason, count]));
        for (const [reason, count] of all) expect(await listed(operator, reason)).toHaveLength(count);
      }
      await api.as(POLICY).get('/me/attention').expect(403);
      expect(await listed(token, 'suspended')).toEqual([suspended, both]);
      expect(await listed(token, 'suspended', '&outbound_status=blocked&view=full')).toEqual([both]);
      expect(await listed(token, 'dns_at_risk')).toEqual([]);
      await api.as(token).get('/domains/?attention_reason=verified').expect(422);
      const { body } = await api.as(token).get('/me/attention').expect(200);
      const record = await api.as(token).get(`/domains/${both}`).expect(200);
      expect(body[0].first[1]).toEqual(record.body);
      expect(await needing(rival, '?partner_ref=counted')).toEqual([]);
      expect((await needing(rival)).flatMap(([, , , first]) => first)).not.toContain(suspended);
    });

    it('shows a limited key and a link what is in their domains alone', async () => {
      const { token, both, blocked, well } = await world('limited');
      const ofBoth = [
        ['suspended', 1, false, [both]],
        ['blocked', 1, false, [both]],
      ];
      expect(await needing(await api.key('limited', { domains: [both, well] }))).toEqual(ofBoth);
      expect(await needing(await api.key('limited', { domains: [well] }))).toEqual([]);
      const links = new LinkWorld(api);
      const guest = await links.enter(await links.create(token, { domain: blocked, scope: 'manage' }));
      const { status, body } = await guest.send('get', '/me/attention');
      expect([status, shown(body)]).toEqual([200, [['blocked', 1, false, [blocked]]]]);
      const stranger = await links.enter(await links.create(token, { domain: blocked, scope: 'dns' }));
      expect((await stranger.send('get', '/me/attention')).status).toBe(403);
    });

    it('tells of a suspended partner in each of its domains, with one domain of each partner, and stores nothing', async () => {
      const { token, names, both, well } = await world('debtor');
      const other = await world('debtor-2');
      const rows = () => api.database.read('SELECT domain_id, reason FROM domain_attention ORDER BY domain_id, reason');
      const before = await rows();
      await api.as(MASTER).put('/partners/debtor/suspend', { stage: 'changes' }).expect(200);
      await api.as(MASTER).put('/partners/debtor-2/suspend').expect(200);
      expect(await rows()).toEqual(before);
      expect(await reasons(well)).toEqual(['partner_suspended']);
      expect(await reasons(both)).toEqual(['suspended', 'partner_suspended', 'blocked']);
      expect(await listed(token, 'partner_suspended')).toEqual(names);
      expect(await listed(MASTER, 'partner_suspended')).toEqual([...names, ...other.names]);
      expect((await needing(token))[1]).toEqual(['partner_suspended', 4, false, names.slice(0, 1)]);
      expect((await needing(MASTER))[1]).toEqual(['partner_suspended', 8, false, [names[0], other.names[0]]]);
      const limited = await api.key('debtor', { domains: [well] });
      expect(await needing(limited)).toEqual([['partner_suspended', 1, false, [well]]]);
      for (const ref of ['debtor', 'debtor-2']) await api.as(MASTER).put(`/partners/${ref}/activate`).expect(200);
      expect(await reasons(well)).toEqual([]);
      expect((await needing(MASTER)).map(([reason]) => reason)).not.toContain('partner_suspended');
    });

    it('a record tells why its domain is blocked', async () => {
      const { token, blocked, well } = await world('blocker');
      const reasonOf = async (name: string) =>
        (await api.as(token).get(`/domains/${name}`).expect(200)).body.blocked_reason;
      expect([await reasonOf(blocked), await reasonOf(well)]).toEqual(['operator', null]);
      await api.database.write("UPDATE domain SET blocked_reason = 'bounce_rate' WHERE name = ?", [blocked], []);
      expect(await reasonOf(blocked)).toBe('bounce_rate');
    });
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
    await correct();
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
    expect(await correct()).toBeGreaterThanOrEqual(4);
    expect(await reasons(suspended)).toEqual(['suspended']);
    expect((await api.as(acme).get(`/domains/?q=${suspended}`).expect(200)).body).toHaveLength(1);
    expect((await api.as(rival).get(`/domains/?q=${moved}`).expect(200)).body).toHaveLength(1);
    expect(await correct()).toBe(0);
    await sweep();
    expect(await sweep()).toBe(0);
    await database.write(
      "INSERT INTO domain_attention (domain_id, reason, partner_id, period) VALUES (999999, 'suspended', 1, '')",
    );
    expect(await sweep()).toBe(1);
  });
});
