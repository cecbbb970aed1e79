import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { copyRow } from '../testing/copied-rows.js';
import { type CreatedKey, codeOf, fieldsOf, KeyWorld } from '../testing/key-world.js';

const TOKEN = /^ms_[A-Za-z0-9_-]{43}$/;

onHttpDatabase((kind) => {
  let api: TestApi;
  let world: KeyWorld;

  beforeAll(async () => {
    api = await startTestApi(kind);
    world = new KeyWorld(api);
  });
  afterAll(() => api.close());

  it('makes a key whose token is shown once and is stored and logged nowhere', async () => {
    const first = await world.partner({ domains_allowed: 3, mailboxes_per_domain: 2, aliases_per_mailbox: 7 });
    const { body } = await api
      .as(first.token)
      .post('/me/keys', { name: 'Läden', expires_at: world.iso(HOUR_MS) })
      .expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(TOKEN),
      partner_ref: first.ref,
      domains_allowed: 3,
      domains_used: 0,
      mailboxes_per_domain: 2,
      aliases_per_mailbox: 7,
      active: true,
      expires_at: world.iso(HOUR_MS),
      created_at: expect.any(String),
      last_used_at: null,
      name: 'Läden',
      scope: 'manage',
      domains: null,
      made_by: first.id,
      revision: 1,
    });
    const masked = { ...body, token: `${body.token.slice(0, 4)}…${body.token.slice(-4)}` };
    expect((await api.as(first.token).get('/me/keys').expect(200)).body).toEqual([masked]);
    expect((await api.as(MASTER).get(`/api-keys/${body.token}`).expect(200)).body).toEqual(body);
    expect((await api.as(MASTER).get(`/api-keys/${body.id}`).expect(200)).body).toEqual(masked);
    expect((await api.as(body.token).get('/me').expect(200)).body).toMatchObject({ key_id: body.id, domains: null });
    const tables = await Promise.all(
      ['api_key', 'audit_log', 'idempotency'].map((table) => api.database.read(`SELECT * FROM ${table}`)),
    );
    expect(JSON.stringify([tables, api.log.lines])).not.toContain(body.token);
  });

  it.each([
    [{ name: 'x'.repeat(129) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ scope: 'all' }, 'scope'],
    [{ scope: null }, 'scope'],
    [{ domains: [] }, 'domains'],
    [{ domains: 'a.example' }, 'domains'],
    [{ domains: ['no name'] }, 'domains'],
    [{ domains: Array.from({ length: 91 }, (_, index) => `d${index}.example`) }, 'domains'],
    [{ expires_at: 'soon' }, 'expires_at'],
    [{ domains_allowed: 5 }, 'domains_allowed'],
    [{ token: 'a-token-of-my-own-choice' }, 'token'],
  ])('refuses a wrong value, case %#', async (body, field) => {
    const { token } = await world.partner();
    expect(fieldsOf(await api.as(token).post('/me/keys', body).expect(422))).toEqual([field]);
  });

  it('refuses an unknown domain and that of another partner in the same words, at every place', async () => {
    const [one, other] = [await world.partner(), await world.partner()];
    const foreign = await world.domain(other.token, 'foreign-list.example');
    const made = await world.create(one.token);
    const withName = async (name: string) => {
      const answers = [
        await api.as(one.token).post('/me/keys', { domains: [name] }),
        await api.as(one.token).put(`/me/keys/${made.id}`, { domains: [name] }),
        await api.as(MASTER).put(`/api-keys/${one.id}`, { domains: [name] }),
        await api
          .as(MASTER)
          .post('/api-keys/', { token: 'a-token-for-nobody-123', partner_ref: one.ref, domains: [name] }),
      ];
      return answers.map(({ status, body }) => [status, body.detail.replaceAll(name, 'NAME'), body.errors[0].field]);
    };
    const answers = await withName(foreign);
    expect(answers).toEqual(answers.map(() => [422, expect.stringContaining('NAME'), 'domains']));
    expect(await withName('absent-list.example')).toEqual(answers);
  });

  it('names the first 20 unknown domains of a list and how many more', async () => {
    const { token } = await world.partner();
    const domains = Array.from({ length: 25 }, (_, index) => `absent${index}.example`);
    const { body } = await api.as(token).post('/me/keys', { domains }).expect(422);
    expect(body.errors[0].message).toMatch(/ absent0\.example, .*, absent19\.example and 5 more$/);
  });

  it('only keys with the scope manage and without a list of domains make keys; nobody else sees them', async () => {
    const first = await world.partner();
    const name = await world.domain(first.token, 'limited-maker.example');
    const read = await world.create(first.token, { scope: 'read' });
    const limited = await world.create(first.token, { domains: [name] });
    const requests = (token: string) => [
      api.as(token).get('/me/keys'),
      api.as(token).post('/me/keys'),
      api.as(token).put(`/me/keys/${read.id}`),
      api.as(token).delete(`/me/keys/${read.id}`),
      api.as(token).post(`/me/keys/${read.id}/rotate`),
    ];
    for (const [token, expected] of [
      [read.token, 'key_read_only'],
      [limited.token, 'key_limited_to_domains'],
      [MASTER, 'client_token_required'],
      [READ, 'client_token_required'],
      [BILLING, 'client_token_required'],
      [POLICY, 'client_token_required'],
    ] as const) {
      const answers = await Promise.all(requests(token));
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [403, expected]));
    }
    await api.as(read.token).post('/domains/', { name: 'read-only.example' }).expect(403);
    await api.as(read.token).get(`/domains/${name}`).expect(200);
  });

  it('reaches the keys below alone: not itself, a sibling, its maker or a stranger', async () => {
    const [first, stranger] = [await world.partner(), await world.partner()];
    const second = await world.create(first.token);
    const sibling = await world.create(first.token);
    const third = await world.create(second.token);
    const ids = async (token: string) =>
      (await api.as(token).get('/me/keys').expect(200)).body.map(({ id }: CreatedKey) => id);
    expect(await ids(first.token)).toEqual([second.id, sibling.id, third.id]);
    expect(await ids(second.token)).toEqual([third.id]);
    expect(await ids(third.token)).toEqual([]);
    expect(await ids(stranger.token)).toEqual([]);
    const outside: [string, CreatedKey][] = [
      [first.token, first],
      [second.token, second],
      [second.token, sibling],
      [second.token, first],
      [third.token, second],
      [stranger.token, second],
      [first.token, stranger],
    ];
    for (const [token, { id, token: target }] of outside) {
      for (const handle of [id, target]) {
        expect(codeOf(await api.as(token).put(`/me/keys/${handle}`, { active: false }).expect(404))).toBe(
          'api_key_not_found',
        );
        await api.as(token).delete(`/me/keys/${handle}`).expect(404);
        await api.as(token).post(`/me/keys/${handle}/rotate`).expect(404);
      }
    }
    await api.as(first.token).put(`/me/keys/${third.id}`, { name: 'of the second' }).expect(200);
    await api.as(first.token).delete(`/me/keys/${third.id}`).expect(204);
  });

  it('a client only narrows, and says so for every field; the operator undoes it', async () => {
    const first = await world.partner();
    const [a, b] = [
      await world.domain(first.token, 'narrow-a.example'),
      await world.domain(first.token, 'narrow-b.example'),
    ];
    const made = await world.create(first.token, { domains: [a, b], expires_at: world.iso(HOUR_MS) });
    const put = (body: object) => api.as(first.token).put(`/me/keys/${made.id}`, body);
    await put({ active: true, scope: 'manage', domains: [b, a], expires_at: world.iso(HOUR_MS), name: null }).expect(
      200,
    );
    const narrow = { active: false, scope: 'read', domains: [a], expires_at: world.iso(HOUR_MS - 1), name: 'narrow' };
    const { body } = await put(narrow).expect(200);
    expect(body).toMatchObject(narrow);
    const wide = { active: true, scope: 'manage', domains: [a, b], expires_at: world.iso(HOUR_MS) };
    expect(fieldsOf(await put(wide).expect(422)).sort()).toEqual(['active', 'domains', 'expires_at', 'scope']);
    expect(fieldsOf(await put({ domains: null, expires_at: null }).expect(422)).sort()).toEqual([
      'domains',
      'expires_at',
    ]);
    expect(fieldsOf(await put({ domains: [] }).expect(422))).toEqual(['domains']);
    expect((await put({}).expect(200)).body).toEqual(body);
    const back = { active: true, scope: 'manage', domains: null, expires_at: null, name: null };
    expect((await api.as(MASTER).put(`/api-keys/${made.id}`, back).expect(200)).body).toMatchObject(back);
  });

  it('a made key has the limits of the key that an operator made, as they are now', async () => {
    const first = await world.partner({ domains_allowed: 1 });
    const third = await world.create((await world.create(first.token)).token);
    await world.domain(third.token, 'its-limit.example');
    const refused = await api.as(third.token).post('/domains/', { name: 'its-limit-2.example' }).expect(403);
    expect(refused.body).toMatchObject({ code: 'domain_quota_exceeded', limit: 1, used: 1 });
    await api.as(MASTER).put(`/api-keys/${first.token}`, { domains_allowed: 2 }).expect(200);
    await world.domain(third.token, 'its-limit-2.example');
    expect(await world.recordOf(third)).toMatchObject({ domains_allowed: 2, domains_used: 2 });
    expect((await api.as(third.token).get('/me').expect(200)).body.limits.domains_allowed).toBe(2);
    expect((await api.as(MASTER).get(`/api-keys/${third.id}/usage`).expect(200)).body.domains_allowed).toBe(2);
    for (const field of ['domains_allowed', 'mailboxes_per_domain', 'aliases_per_mailbox']) {
      expect(
        fieldsOf(
          await api
            .as(MASTER)
            .put(`/api-keys/${third.id}`, { [field]: 5 })
            .expect(422),
        ),
      ).toEqual([field]);
      await api
        .as(BILLING)
        .put(`/api-keys/${third.id}`, { [field]: 5 })
        .expect(422);
    }
    await api.as(BILLING).put(`/api-keys/${third.id}`, { active: false }).expect(200);
    for (const body of [{ name: 'x' }, { scope: 'read' }, { domains: null }]) {
      await api.as(BILLING).put(`/api-keys/${third.id}`, body).expect(403);
    }
  });

  it('a chain has three keys, and a partner fifty that keys made; expired ones make room', async () => {
    const first = await world.partner();
    const second = await world.create(first.token);
    const third = await world.create(second.token);
    expect(codeOf(await api.as(third.token).post('/me/keys').expect(409))).toBe('too_many_keys');
    const expiring = await world.create(first.token, { expires_at: world.iso(1) });
    const below = await world.create(expiring.token);
    const { id } = await world.create(first.token);
    await copyRow(api.database, { table: 'api_key', id, unique: 'token_hash' }, 45);
    expect(codeOf(await api.as(first.token).post('/me/keys').expect(409))).toBe('too_many_keys');
    await api.as(first.token).put(`/me/keys/${second.id}`, { active: false }).expect(200);
    await api.as(first.token).post('/me/keys').expect(409);
    api.clock.advance(1);
    await world.create(first.token);
    for (const { id } of [expiring, below]) await api.as(MASTER).get(`/api-keys/${id}`).expect(404);
    await world.create(first.token);
    await api.as(first.token).post('/me/keys').expect(409);
    await world.create((await world.partner()).token);
  });

  it('a repeated creation with an idempotency key makes one key, and shows its token masked', async () => {
    const first = await world.partner();
    const post = (body: object, path = '/me/keys') =>
      api.as(first.token).post(path, body).set('Idempotency-Key', 'once');
    const { body } = await post({ name: 'x' }).expect(201);
    const again = await post({ name: 'x' }).expect(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual({ ...body, token: `ms_${body.token[3]}…${body.token.slice(-4)}` });
    expect(codeOf(await post({ name: 'y' }).expect(422))).toBe('idempotency_key_reused');
    expect((await api.as(first.token).get('/me/keys').expect(200)).body).toHaveLength(1);
    await api.as(first.token).delete(`/me/keys/${body.id}`).expect(204);
    const anew = await post({ name: 'x' }).expect(201);
    expect(anew.body.token).toMatch(TOKEN);
    expect(anew.body.id).not.toBe(body.id);
    const [left, right] = [await world.create(first.token), await world.create(first.token)];
    const rotate = ({ id }: CreatedKey) =>
      api.as(first.token).post(`/me/keys/${id}/rotate`).set('Idempotency-Key', 'rotation');
    const successor = await rotate(left).expect(201);
    expect((await rotate(left).expect(201)).body.id).toBe(successor.body.id);
    expect(codeOf(await rotate(right).expect(422))).toBe('idempotency_key_reused');
  });

  it('a key ends with its maker to the millisecond, whatever its own expiry', async () => {
    const first = await world.partner();
    const second = await world.create(first.token, { expires_at: world.iso(5) });
    const third = await world.create(second.token, { expires_at: world.iso(HOUR_MS) });
    api.clock.advance(4);
    await api.as(third.token).get('/me').expect(200);
    api.clock.advance(1);
    expect((await api.as(third.token).get('/me').expect(401)).body.detail).toBe('API key has expired');
    await api.as(MASTER).put(`/api-keys/${second.id}`, { expires_at: null }).expect(200);
    await api.as(third.token).get('/me').expect(200);
    await api.as(MASTER).put(`/api-keys/${first.id}`, { active: false }).expect(200);
    expect((await api.as(third.token).get('/me').expect(401)).body.detail).toBe('API key is inactive');
    await api.as(MASTER).put(`/api-keys/${first.id}`, { active: true }).expect(200);
    await api.as(third.token).get('/me').expect(200);
  });

  it('what the operator takes from a key is taken from the keys below, and given back with it', async () => {
    const first = await world.partner();
    const [a, b] = [
      await world.domain(first.token, 'taken-a.example'),
      await world.domain(first.token, 'taken-b.example'),
    ];
    const all = await world.create(first.token);
    const ofB = await world.create(first.token, { domains: [b] });
    await api
      .as(MASTER)
      .put(`/api-keys/${first.id}`, { domains: [a], scope: 'read' })
      .expect(200);
    await api.as(all.token).get(`/domains/${a}`).expect(200);
    await api.as(all.token).get(`/domains/${b}`).expect(404);
    expect((await api.as(ofB.token).get('/domains/').expect(200)).body).toEqual([]);
    expect(codeOf(await api.as(all.token).put(`/domains/${a}/outbound`, { daily_limit: 1 }).expect(403))).toBe(
      'key_read_only',
    );
    await api.as(MASTER).put(`/api-keys/${first.id}`, { domains: null, scope: 'manage' }).expect(200);
    await api.as(all.token).get(`/domains/${b}`).expect(200);
    await api.as(ofB.token).get(`/domains/${b}`).expect(200);
  });

  it('a list of domains is of rows: a deleted, moved or remade domain is not in it, and an emptied list is none', async () => {
    const first = await world.partner();
    const [a, b] = [await world.domain(first.token, 'row-a.example'), await world.domain(first.token, 'row-b.example')];
    const made = await world.create(first.token, { domains: [a, b] });
    const names = async () => (await api.as(made.token).get('/domains/').expect(200)).body.map(byName);
    const byName = ({ name }: { name: string }) => name;
    expect(await names()).toEqual([a, b]);
    await api.as(first.token).delete(`/domains/${a}`).expect(204);
    await world.domain(first.token, a);
    expect(await names()).toEqual([b]);
    expect((await world.recordOf(made)).domains).toEqual([b]);
    for (const ref of ['another', first.ref]) {
      await api.as(MASTER).put(`/domains/${b}/partner`, { partner_ref: ref }).expect(200);
    }
    await api.as(first.token).get(`/domains/${b}`).expect(200);
    expect(await names()).toEqual([]);
    expect((await world.recordOf(made)).domains).toEqual([]);
    expect((await api.as(made.token).get('/me').expect(200)).body).toMatchObject({ domains: [], domains_used: null });
    await api.as(first.token).put(`/me/keys/${made.id}`, { domains: null }).expect(422);
    await api
      .as(MASTER)
      .put(`/api-keys/${made.id}`, { domains: [b] })
      .expect(200);
    expect(await names()).toEqual([b]);
  });
});
