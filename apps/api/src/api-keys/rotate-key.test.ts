import { LastUsedStamps } from '@mailstead/adapters/database/api-keys/last-used-stamps';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { HOUR_MS } from '@mailstead/core/clock';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
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

  it('a rotation makes a successor that has what the old one had and made; the old one ends after the overlap', async () => {
    const first = await world.partner({ domains_allowed: 4 });
    const name = await world.domain(first.token, 'rotated.example');
    const old = await world.create(first.token, { name: 'shop', expires_at: world.iso(100 * HOUR_MS) });
    const below = await world.create(old.token);
    await api.container.get(LastUsedStamps).flush();
    const before = await world.recordOf(old);
    await api.database.write(
      `INSERT INTO portal_link (code_hash, kind, domain_id, partner_id, key_id, created_at, expires_at)
       SELECT ?, 'dns', id, partner_id, ?, 0, 0 FROM domain WHERE name = ?`,
      ['c'.repeat(64), old.id, name],
    );
    const { body: successor } = await api.as(first.token).post(`/me/keys/${old.id}/rotate`).expect(201);
    expect(successor).toEqual({
      ...before,
      id: expect.any(Number),
      token: expect.stringMatching(TOKEN),
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect((await world.recordOf(old)).expires_at).toBe(world.iso(24 * HOUR_MS));
    expect((await world.recordOf(below)).made_by).toBe(successor.id);
    const links = await api.database.read('SELECT key_id FROM portal_link');
    expect(links.map((row) => Number(row.key_id))).toEqual([successor.id]);
    const late = await world.create(old.token);
    for (const { token } of [old, successor, below, late]) await api.as(token).get(`/domains/${name}`).expect(200);
    expect((await api.as(old.token).get('/me/keys').expect(200)).body.map(({ id }: CreatedKey) => id)).toEqual([
      late.id,
    ]);
    api.clock.advance(24 * HOUR_MS);
    for (const { token } of [old, late]) await api.as(token).get('/me').expect(401);
    for (const { token } of [successor, below]) await api.as(token).get('/me').expect(200);
    expect(codeOf(await api.as(first.token).post(`/me/keys/${old.id}/rotate`).expect(409))).toBe('api_key_ended');
    await api.as(first.token).put(`/me/keys/${successor.id}`, { active: false }).expect(200);
    expect(codeOf(await api.as(first.token).post(`/me/keys/${successor.id}/rotate`).expect(409))).toBe('api_key_ended');
  });

  it('master rotates every key; the old one never expires later than it would have, and may be rotated again', async () => {
    const first = await world.partner();
    await api
      .as(MASTER)
      .put(`/api-keys/${first.token}`, { expires_at: world.iso(HOUR_MS) })
      .expect(200);
    const below = await world.create(first.token);
    const rotate = (handle: string | number, body?: object) => api.as(MASTER).post(`/api-keys/${handle}/rotate`, body);
    const { body: second } = await rotate(first.token, { overlap_hours: 720 }).expect(201);
    expect(second).toMatchObject({ made_by: null, expires_at: world.iso(HOUR_MS) });
    expect((await world.recordOf(first)).expires_at).toBe(world.iso(HOUR_MS));
    const { body: third } = await rotate(first.id).expect(201);
    expect((await world.recordOf(below)).made_by).toBe(second.id);
    const { body: fourth } = await rotate(second.id, { overlap_hours: 0 }).expect(201);
    await api.as(second.token).get('/me').expect(401);
    for (const { token } of [first, third, fourth, below]) await api.as(token).get('/me').expect(200);
    expect(fieldsOf(await rotate(fourth.id, { overlap_hours: 721 }).expect(422))).toEqual(['overlap_hours']);
    await rotate('no-such-token-no-such').expect(404);
    await api.as(BILLING).post(`/api-keys/${fourth.id}/rotate`).expect(403);
    await api.as(first.token).post(`/api-keys/${fourth.id}/rotate`).expect(403);
  });

  it('every change of a key is an audit row and an event, with masked tokens', async () => {
    const first = await world.partner();
    const name = await world.domain(first.token, 'audited.example');
    const made = await world.create(first.token, { name: 'audited' });
    await api
      .as(first.token)
      .put(`/me/keys/${made.id}`, { domains: [name] })
      .expect(200);
    await api
      .as(first.token)
      .put(`/me/keys/${made.id}`, { domains: [name] })
      .expect(200);
    const { body: successor } = await api.as(first.token).post(`/me/keys/${made.id}/rotate`).expect(201);
    await api.as(first.token).delete(`/me/keys/${successor.id}`).expect(204);
    const rows = (await api.as(MASTER).get(`/audit?partner_ref=${first.ref}&actor=key:${first.id}`).expect(200)).body;
    const ofKeys = rows.filter(({ action }: { action: string }) => action.startsWith('api_key.'));
    expect(ofKeys.map(({ action, after }: { action: string; after: object }) => [action, after])).toEqual([
      ['api_key.create', expect.objectContaining({ name: 'audited', domains: null, made_by: first.id })],
      ['api_key.update', expect.objectContaining({ domains: [name] })],
      ['api_key.rotate', expect.objectContaining({ successor: successor.id })],
      ['api_key.delete', null],
    ]);
    expect(JSON.stringify(rows)).not.toContain(made.token.slice(4, -4));
    expect(JSON.stringify(rows)).not.toContain(successor.token.slice(4, -4));
  });
});
