import { LastUsedStamps } from '@mailstead/adapters/database/api-keys/last-used-stamps';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const TOKEN = 'abcd-the-token-of-the-key-wxyz';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  const code = (response: { body: { code: string } }) => response.body.code;

  it('POST returns the key with the full token and the defaults', async () => {
    const { body } = await api.as(MASTER).post('/api-keys/', { token: TOKEN, partner_ref: 'Acme:1' }).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      token: TOKEN,
      partner_ref: 'Acme:1',
      domains_allowed: 0,
      domains_used: 0,
      mailboxes_per_domain: 1,
      aliases_per_mailbox: 5,
      active: true,
      expires_at: null,
      created_at: expect.any(String),
      last_used_at: null,
      name: null,
      scope: 'manage',
      domains: null,
      made_by: null,
      revision: 1,
    });
    expect((await api.as(MASTER).get(`/api-keys/${TOKEN}`).expect(200)).body.token).toBe(TOKEN);
    expect((await api.as(MASTER).get(`/api-keys/${body.id}`).expect(200)).body.token).toBe('abcd…wxyz');
    expect((await api.as(MASTER).get('/api-keys?partner_ref=Acme:1').expect(200)).body).toMatchObject([
      { token: 'abcd…wxyz' },
    ]);
  });

  it('GET finds with q the beginning of a name or of a partner’s reference, exactly and for operators alone', async () => {
    for (const [partner_ref, name] of [
      ['quay:1', 'Billing of the quay'],
      ['harbour', 'quay 2'],
      ['harbour', 'Quay 3'],
      ['harbour', null],
    ] as const)
      await api.key(partner_ref, { name });
    const found = async (query: string) => {
      const { body } = await api.as(MASTER).get(`/api-keys/?${query}`).expect(200);
      return (body as { name: string }[]).map(({ name }) => name).toSorted();
    };
    expect(await found('q=quay')).toEqual(['Billing of the quay', 'quay 2']);
    expect(await found('q=quay&partner_ref=harbour')).toEqual(['quay 2']);
    expect(await found('q=quay:')).toEqual(['Billing of the quay']);
    expect(await found('q=uay')).toEqual([]);
    expect(await found('q=%25')).toEqual([]);
  });

  it('never stores or logs a full token', async () => {
    const rows = await api.database.read('SELECT * FROM api_key');
    const audit = await api.database.read('SELECT * FROM audit_log');
    expect(JSON.stringify([rows, audit, api.log.lines.map(({ path }) => path)])).not.toContain(TOKEN);
    expect(api.log.lines.map(({ path }) => path)).toContain('/api-keys/:token');
  });

  it.each([
    [{ partner_ref: 'a' }, 'token'],
    [{ token: 'short', partner_ref: 'a' }, 'token'],
    [{ token: '12345678901234567', partner_ref: 'a' }, 'token'],
    [{ token: 'has spaces in it, really', partner_ref: 'a' }, 'token'],
    [{ token: 'a'.repeat(16), partner_ref: 'a' }, 'token'],
    [{ token: 'abcdefgabcdefgabcdefg', partner_ref: 'a' }, 'token'],
    [{ token: 'x'.repeat(256), partner_ref: 'a' }, 'token'],
    [{ token: 'a-good-token-of-length', partner_ref: '' }, 'partner_ref'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a b' }, 'partner_ref'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', domains_allowed: 1_000_001 }, 'domains_allowed'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', active: 1 }, 'active'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', expires_at: '2026-02-30' }, 'expires_at'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', expires_at: '2024-W01' }, 'expires_at'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', expires_at: '+010000-01-01T00:00:00Z' }, 'expires_at'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', expires_at: '9999-12-31T23:59:59-00:01' }, 'expires_at'],
    [{ token: 'a-good-token-of-length', partner_ref: 'a', expires_at: '0000-01-01T00:00:00+00:01' }, 'expires_at'],
  ])('refuses %j and names %s', async (body, field) => {
    const answer = await api.as(MASTER).post('/api-keys/', body).expect(422);
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  it('refuses a token that is in use by another key or an operator', async () => {
    expect(code(await api.as(MASTER).post('/api-keys/', { token: TOKEN, partner_ref: 'b' }).expect(400))).toBe(
      'api_key_exists',
    );
    expect(code(await api.as(MASTER).post('/api-keys/', { token: MASTER, partner_ref: 'b' }).expect(400))).toBe(
      'api_key_exists',
    );
  });

  it.each([
    ['2026-03-20', '2026-03-20T00:00:00.000'],
    ['2026-03-20T10:00:00Z', '2026-03-20T10:00:00.000'],
    ['2026-03-20T10:00:00.5+02:00', '2026-03-20T08:00:00.500'],
    ['2020-01-01T00:00', '2020-01-01T00:00:00.000'],
    ['9999-12-31T23:59:59.999+00:00', '9999-12-31T23:59:59.999'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999'],
    ['0000-01-01', '0000-01-01T00:00:00.000'],
  ])('reads the expiry %s as %s in UTC', async (given, shown) => {
    expect((await api.as(MASTER).put(`/api-keys/${TOKEN}`, { expires_at: given }).expect(200)).body.expires_at).toBe(
      shown,
    );
    expect(
      (await api.as(MASTER).put(`/api-keys/${TOKEN}`, { expires_at: null }).expect(200)).body.expires_at,
    ).toBeNull();
  });

  it('refuses the next request after a key is deactivated, deleted or expired, to the millisecond', async () => {
    const token = await api.key('swift');
    await api.as(token).get('/me').expect(200);
    await api.as(BILLING).put(`/api-keys/${token}`, { active: false }).expect(200);
    const inactive = await api.as(token).get('/me').expect(401);
    expect(inactive.body.detail).toBe('API key is inactive');
    expect(inactive.headers['www-authenticate']).toBe('Bearer');
    await api
      .as(MASTER)
      .put(`/api-keys/${token}`, { active: true, expires_at: new Date(api.clock.now().getTime() + 1).toISOString() })
      .expect(200);
    await api.as(token).get('/me').expect(200);
    api.clock.advance(1);
    expect((await api.as(token).get('/me').expect(401)).body.detail).toBe('API key has expired');
    await api.as(MASTER).delete(`/api-keys/${token}`).expect(204);
    expect((await api.as(token).get('/me').expect(401)).body.detail).toBe('Invalid token');
    await api.as(MASTER).delete(`/api-keys/${token}`).expect(404);
  });

  it('leaves fields that are not given as they are; billing may not set the expiry', async () => {
    const { body } = await api.as(MASTER).put(`/api-keys/${TOKEN}`, { domains_allowed: 3 }).expect(200);
    expect(body).toMatchObject({ domains_allowed: 3, mailboxes_per_domain: 1, aliases_per_mailbox: 5, active: true });
    await api.as(BILLING).put(`/api-keys/${TOKEN}`, { expires_at: null }).expect(403);
    await api.as(MASTER).put(`/api-keys/${TOKEN}`, { domains_allowed: null }).expect(422);
    await api.as(MASTER).put('/api-keys/absent-token-absent', { domains_allowed: 3 }).expect(404);
  });

  it('keys of one partner share quota, resources and usage; after the last key is deleted master still sees everything', async () => {
    const first = await api.key('pool', { domains_allowed: 1 });
    const second = await api.key('pool', { domains_allowed: 2 });
    await api.as(first).post('/domains/', { name: 'pool.example' }).expect(201);
    await api.as(second).get('/domains/pool.example').expect(200);
    await api.as(first).post('/domains/', { name: 'pool2.example' }).expect(403);
    await api.as(second).post('/domains/', { name: 'pool2.example' }).expect(201);
    expect((await api.as(MASTER).get(`/api-keys/${first}`).expect(200)).body.domains_used).toBe(2);
    for (const token of [first, second]) await api.as(MASTER).delete(`/api-keys/${token}`).expect(204);
    expect((await api.as(MASTER).get('/domains/pool.example').expect(200)).body.partner_ref).toBe('pool');
    const third = await api.key('pool');
    expect((await api.as(third).get('/domains/').expect(200)).body).toHaveLength(2);
  });

  it('usage lists everything, or what was created after a time, without missing a row', async () => {
    const token = await api.key('user', { domains_allowed: 9 });
    await api.as(token).post('/domains/', { name: 'usage.example' }).expect(201);
    const mailbox = await api.as(token).post('/users/', { email: 'a@usage.example', password_hash: HASH }).expect(201);
    const alias = await api
      .as(token)
      .post('/aliases/', { address: 'b@usage.example', destination: 'a@usage.example' })
      .expect(201);
    const all = (await api.as(MASTER).get(`/api-keys/${token}/usage`).expect(200)).body;
    expect(all).toEqual({
      domains_allowed: 9,
      domains_used: 1,
      mailboxes_per_domain: 0,
      aliases_per_mailbox: 0,
      domains_created_since: [{ name: 'usage.example', created_at: expect.any(String) }],
      mailboxes_created_since: [{ email: 'a@usage.example', created_at: mailbox.body.created_at }],
      aliases_created_since: [
        { address: 'b@usage.example', destination: 'a@usage.example', created_at: alias.body.created_at },
      ],
    });
    const since = (await api.as(MASTER).get(`/api-keys/${token}/usage?since=${mailbox.body.created_at}`).expect(200))
      .body;
    expect(since).toMatchObject({
      domains_created_since: [],
      mailboxes_created_since: [],
      aliases_created_since: all.aliases_created_since,
    });
    await api.as(MASTER).get(`/api-keys/${token}/usage?since=yesterday`).expect(422);
    await api.as(token).get(`/api-keys/${token}/usage`).expect(403);
  });

  it('last_used_at is null until the first use, and is written after the response', async () => {
    const token = await api.key('late');
    expect((await api.as(MASTER).get(`/api-keys/${token}`).expect(200)).body.last_used_at).toBeNull();
    await api.as(token).get('/me').expect(200);
    await api.container.get(LastUsedStamps).flush();
    expect((await api.as(MASTER).get(`/api-keys/${token}`).expect(200)).body.last_used_at).toBe(
      api.clock.now().toISOString().slice(0, -1),
    );
  });

  it('/me returns the caller for each kind of token', async () => {
    const token = await api.key('me-partner', { domains_allowed: 4 });
    expect((await api.as(token).get('/me').expect(200)).body).toEqual({
      kind: 'client',
      name: null,
      scope: 'manage',
      partner_ref: 'me-partner',
      partner_stage: null,
      key_id: expect.any(Number),
      link: null,
      domains: null,
      brand: null,
      limits: { domains_allowed: 4, mailboxes_per_domain: 0, aliases_per_mailbox: 0 },
      partners: null,
      domains_used: 0,
      mailboxes: 0,
      aliases: 0,
      sent_today: 0,
      sent_this_month: 0,
      may: expect.arrayContaining(['getMe', 'postDomains']),
    });
    expect((await api.as(BILLING).get('/me').expect(200)).body).toEqual({
      kind: 'operator',
      name: 'billing',
      scope: 'billing',
      partner_ref: null,
      partner_stage: null,
      key_id: null,
      link: null,
      domains: null,
      brand: null,
      limits: null,
      partners: null,
      domains_used: null,
      mailboxes: null,
      aliases: null,
      sent_today: null,
      sent_this_month: null,
      may: expect.arrayContaining(['getMe', 'postDomains']),
    });
    expect((await api.as(MASTER).get('/me').expect(200)).body).toMatchObject({ kind: 'master', name: 'master' });
  });

  it('partners are listed by reference with their usage, and exist as long as a key or a domain refers to them', async () => {
    const list = (await api.as(MASTER).get('/partners').expect(200)).body;
    const refs: string[] = list.map(({ partner_ref: ref }: { partner_ref: string }) => ref);
    expect(refs).toEqual([...refs].sort((left, right) => (left < right ? -1 : 1)));
    expect((await api.as(MASTER).get('/partners/user').expect(200)).body).toEqual({
      partner_ref: 'user',
      domains_used: 1,
      mailboxes: 1,
      aliases: 1,
      keys: 1,
      external_ref: null,
      name: null,
      status: 'active',
      stage: null,
      suspension_causes: [],
      state: 'active',
      revision: 1,
    });
    await api.as(MASTER).get('/partners/swift').expect(404);
    await api.as(MASTER).get('/partners/User').expect(404);
  });

  it('every change is in the audit log, with the actor and the values before and after', async () => {
    const { body } = await api.as(MASTER).get('/audit?partner_ref=Acme:1').expect(200);
    expect(body[0]).toMatchObject({
      action: 'api_key.create',
      actor_kind: 'master',
      actor: 'master',
      subject: 'abcd…wxyz',
      before: null,
    });
    expect(body.at(-1)).toMatchObject({
      action: 'api_key.update',
      before: { domains_allowed: 0 },
      after: { domains_allowed: 3 },
      request_id: expect.any(String),
    });
  });

  it('a quota error has the limit of the key and how many exist, also below a lowered limit', async () => {
    const token = await api.key('quotas', { domains_allowed: 2, mailboxes_per_domain: 2, aliases_per_mailbox: 2 });
    const acme = api.as(token);
    for (const name of ['one.example', 'two.example']) await acme.post('/domains/', { name }).expect(201);
    for (const box of ['a', 'b'])
      await acme.post('/users/', { email: `${box}@one.example`, password_hash: HASH }).expect(201);
    for (const alias of ['x', 'y']) {
      await acme.post('/aliases/', { address: `${alias}@one.example`, destination: 'a@one.example' }).expect(201);
    }
    const limits = { domains_allowed: 1, mailboxes_per_domain: 1, aliases_per_mailbox: 1 };
    await api.as(MASTER).put(`/api-keys/${token}`, limits).expect(200);
    const refused = [
      await acme.post('/domains/', { name: 'three.example' }).expect(403),
      await acme.post('/users/', { email: 'c@one.example', password_hash: HASH }).expect(403),
      await acme.post('/aliases/', { address: 'z@one.example', destination: 'a@one.example' }).expect(403),
    ];
    expect(refused.map(({ body: { code, limit, used } }) => ({ code, limit, used }))).toEqual([
      { code: 'domain_quota_exceeded', limit: 1, used: 2 },
      { code: 'mailbox_quota_exceeded', limit: 1, used: 2 },
      { code: 'alias_quota_exceeded', limit: 1, used: 2 },
    ]);
  });
});
