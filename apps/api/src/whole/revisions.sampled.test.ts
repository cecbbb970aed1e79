import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { isRevised } from '../http/revision.js';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const UNTIL = '2031-01-01T00:00:00.000Z';

/** A PUT of something with a revision: two changes of it, which follow each other. */
interface Put {
  path: string;
  bodies: [object, object];
  token?: string;
}

interface Thing {
  /** Where its revision is read. */
  path: string;
  puts: Put[];
}

onHttpDatabase((kind) => {
  let api: TestApi;
  let partners = 0;
  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  const revisionAt = async (path: string): Promise<number> => {
    const { body, headers } = await api.as(MASTER).get(path).expect(200);
    const { revision } = body as { revision: number };
    expect(headers.etag).toBe(`"${revision}"`);
    return revision;
  };

  /** A partner with a domain, a mailbox, a key, and a key that it made. */
  const aWorld = async () => {
    partners += 1;
    const [ref, name] = [`revised${partners}`, `revised${partners}.example`];
    const key = await api.key(ref);
    const keyId = ((await api.as(MASTER).get(`/api-keys/${key}`).expect(200)).body as { id: number }).id;
    const own = (await api.as(key).post('/me/keys', {}).expect(201)).body as { id: number };
    await api.as(key).post('/domains/', { name }).expect(201);
    await api
      .as(key)
      .post('/domains/', { name: `sub.${name}` })
      .expect(201);
    await api
      .as(key)
      .post('/users/', { email: `a@${name}`, password_hash: HASH })
      .expect(201);
    return { ref, name, key, keyId, ownId: own.id };
  };
  type World = Awaited<ReturnType<typeof aWorld>>;

  const THINGS: Record<string, (world: World) => Thing> = {
    domain: ({ name, key, ref }) => ({
      path: `/domains/${name}`,
      puts: [
        { path: '', bodies: [{ external_ref: 'a' }, { external_senders: 'refuse' }], token: key },
        { path: '/plan', bodies: [{ plan: 'starter' }, { plan: 'business' }], token: BILLING },
        { path: '/retention', bodies: [{ retention_days: 7 }, { retention_days: 8 }], token: BILLING },
        { path: '/transfer', bodies: [{ transfer_monthly_mb: 7 }, { transfer_monthly_mb: 8 }] },
        { path: '/outbound', bodies: [{ daily_limit: 7 }, { monthly_limit: 8 }], token: key },
        { path: '/outbound', bodies: [{ outbound_tier: 'high' }, { daily_limit: 99, until: UNTIL }] },
        { path: '/outbound', bodies: [{ outbound_status: 'blocked' }, { outbound_status: 'active' }] },
        { path: '/suspend', bodies: [{}, { cause: 'abuse' }] },
        { path: '/activate', bodies: [{ cause: 'abuse' }, {}] },
        { path: '/parent', bodies: [{ wildcard_mode: 'direct' }, { wildcard_mode: 'none' }] },
        { path: '/inbound', bodies: [{ inbound: 'open' }, { inbound: 'pending' }] },
        { path: '/front-hosts', bodies: [{ hosts: ['mx.filter.example'] }, { hosts: [] }], token: key },
        { path: '/partner', bodies: [{ partner_ref: `${ref}x` }, { partner_ref: ref }] },
      ],
    }),
    mailbox: ({ name, key }) => ({
      path: `/users/a@${name}`,
      puts: [
        { path: '', bodies: [{ name: 'Anna' }, { active: false, external_ref: 'p' }], token: key },
        {
          path: '',
          bodies: [{ password: 'correct horse battery' }, { password: 'another horse battery' }],
          token: key,
        },
        { path: '/quota', bodies: [{ quota_mb: 77 }, { quota_mb: 78 }], token: BILLING },
      ],
    }),
    key: ({ keyId, name }) => ({
      path: `/api-keys/${keyId}`,
      puts: [
        { path: '', bodies: [{ name: 'shop' }, { mailboxes_per_domain: 7 }] },
        { path: '', bodies: [{ domains: [name] }, { domains: null, expires_at: UNTIL }] },
      ],
    }),
    'key of a key': ({ ownId, key, name }) => ({
      path: `/api-keys/${ownId}`,
      puts: [
        { path: `/me/keys/${ownId}`, bodies: [{ name: 'shop' }, { domains: [name] }], token: key },
        { path: `/me/keys/${ownId}`, bodies: [{ scope: 'read' }, { active: false }], token: key },
      ],
    }),
    partner: ({ ref, key }) => ({
      path: `/partners/${ref}`,
      puts: [
        { path: '', bodies: [{ name: 'Acme' }, { external_ref: 'c7' }] },
        { path: '/suspend', bodies: [{ stage: 'changes' }, { stage: 'all' }], token: BILLING },
        { path: '/activate', bodies: [{}, {}], token: BILLING },
        { path: '/suppressions', bodies: [{ mode: 'refuse' }, { mode: 'list' }] },
        { path: '/me/suppressions', bodies: [{ mode: 'refuse' }, { mode: 'list' }], token: key },
      ],
    }),
    brand: ({ ref, key }) => ({
      path: `/partners/${ref}/brand`,
      puts: [
        { path: '/me/brand', bodies: [{ name: 'Juniper' }, { name: null }], token: key },
        { path: '', bodies: [{ colour: '#1f5f8b' }, { locked: true }] },
      ],
    }),
  };

  it.each(Object.keys(THINGS))(
    'of a %s begins at 1, is raised by each PUT, and by none that changes nothing',
    async (of) => {
      const thing = THINGS[of]?.(await aWorld());
      if (thing === undefined) return;
      let revision = await revisionAt(thing.path);
      expect(revision).toBe(1);
      for (const put of thing.puts) {
        const path = pathOf(thing, put);
        for (const body of put.bodies) {
          const first = await api
            .as(put.token ?? MASTER)
            .put(path, body)
            .set('If-Match', `"${revision}"`);
          expect([path, body, first.body]).toMatchObject([path, body, { revision: expect.any(Number) }]);
          expect(first.headers.etag).toBe(`"${(first.body as { revision: number }).revision}"`);
          const after = await revisionAt(thing.path);
          // The second lift of a suspension changes nothing.
          const isSame = path.endsWith('/activate') && of === 'partner' && body === put.bodies[1];
          expect([path, body, after]).toEqual([path, body, isSame ? revision : revision + 1]);
          revision = after;
          // Repeated after a lost answer.
          const again = await api
            .as(put.token ?? MASTER)
            .put(path, body)
            .set('If-Match', '"999"');
          expect([path, body, again.status]).toEqual([path, body, first.status]);
          expect(await revisionAt(thing.path)).toBe(revision);
        }
      }
    },
  );

  it.each(Object.keys(THINGS))(
    'another one in If-Match of a PUT of a %s is 412 with the present one, and nothing changes',
    async (of) => {
      const thing = THINGS[of]?.(await aWorld());
      if (thing === undefined) return;
      for (const [index, put] of thing.puts.entries()) {
        const path = pathOf(thing, put);
        for (const body of put.bodies) {
          const caller = api.as(put.token ?? MASTER);
          const before = await api.as(MASTER).get(thing.path).expect(200);
          const tags = ['"999"', `W/"${before.body.revision}"`, '"0", "x"'];
          for (const tag of sampled(tags, 1, SEED + index)) {
            const refused = await caller.put(path, body).set('If-Match', tag);
            if (path.endsWith('/activate') && refused.status === 200) continue;
            expect([path, body, refused.status]).toEqual([path, body, 412]);
            expect(refused.body).toMatchObject({ code: 'changed_meanwhile', revision: before.body.revision });
          }
          const { last_used_at: _, ...same } = before.body;
          expect((await api.as(MASTER).get(thing.path).expect(200)).body).toMatchObject(same);
          await caller.put(path, body).set('If-Match', `"998", ${before.headers.etag}`).expect(200);
          await caller.put(path, body).set('If-Match', '*').expect(200);
        }
      }
    },
  );

  it('comes after the 404 and before duplicates, quota and permission', async () => {
    const { name, key, ref } = await aWorld();
    const old = (put: ReturnType<ReturnType<TestApi['as']>['put']>) => put.set('If-Match', '"999"');
    await old(api.as(key).put('/domains/absent.example', { external_ref: 'x' })).expect(404);
    await old(api.as(key).put(`/users/b@${name}`, { name: 'x' })).expect(404);
    await old(api.as(key).put(`/domains/${name}`, { external_ref: 7 })).expect(422);
    await old(api.as(key).put(`/domains/${name}/retention`, { retention_days: 1 })).expect(403);
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'starter', billing_ref: 'sub_1' }).expect(200);
    const plan = { plan: 'starter', billing_ref: 'sub_2' };
    await api.as(MASTER).put(`/domains/${name}/plan`, plan).expect(409);
    await old(api.as(MASTER).put(`/domains/${name}/plan`, plan)).expect(412);
    await api.as(key).put(`/users/a@${name}`, { quota_mb: 0 }).expect(403);
    await old(api.as(key).put(`/users/a@${name}`, { quota_mb: 0 })).expect(412);
    await api.as(key).put(`/domains/${name}/outbound`, { daily_limit: 0 }).expect(403);
    await old(api.as(key).put(`/domains/${name}/outbound`, { daily_limit: 0 })).expect(412);
    await api
      .as(key)
      .post('/aliases/', { address: `c@sub.${name}`, destination: `a@${name}` })
      .expect(201);
    await api
      .as(MASTER)
      .put(`/domains/${name}/partner`, { partner_ref: `${ref}y` })
      .expect(400);
    await old(api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: `${ref}y` })).expect(412);
    await api.as(MASTER).put(`/partners/${ref}/brand`, { locked: true }).expect(200);
    await api.as(key).put('/me/brand', { name: 'x' }).expect(403);
    await old(api.as(key).put('/me/brand', { name: 'x' })).expect(412);
    await old(api.as(MASTER).put(`/partners/${ref}/relay`, { status: 'paused' })).expect(412);
  });

  it('a malformed If-Match is 422 that names it, and routes without a revision do not read it', async () => {
    const { name, key } = await aWorld();
    const { body } = await api.as(key).put(`/domains/${name}`, { external_ref: 'x' }).set('If-Match', '3').expect(422);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ field: 'If-Match' }] });
    await api
      .as(MASTER)
      .put('/outbound/tiers/high', { daily_limit: 7, monthly_limit: 8 })
      .set('If-Match', '3')
      .expect(200);
    await api.as(key).get(`/domains/${name}`).set('If-Match', '3').expect(200);
  });

  it('a read is never 304, and HEAD has the ETag too', async () => {
    const { name, key } = await aWorld();
    for (const path of [`/domains/${name}`, `/users/a@${name}`, '/me/brand']) {
      const { headers } = await api.as(key).get(path).expect(200);
      await api
        .as(key)
        .get(path)
        .set('If-None-Match', headers.etag ?? '')
        .expect(200);
      await api.as(key).get(path).set('If-None-Match', '*').expect(200);
    }
    const head = await fetch(`${api.url}/domains/${name}`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${key}`, 'If-None-Match': '"1"' },
    });
    expect([head.status, head.headers.get('etag')]).toEqual([200, '"1"']);
  });

  it('of neither a domain nor a mailbox is raised by counts, and that of a partner not by what it creates', async () => {
    const { name, key, ref } = await aWorld();
    const paths = [`/domains/${name}`, `/users/a@${name}`, `/partners/${ref}`];
    const revisions = () => Promise.all(paths.map(revisionAt));
    const before = await revisions();
    await api
      .as(key)
      .post('/users/', { email: `b@${name}`, password_hash: HASH })
      .expect(201);
    await api
      .as(key)
      .post('/aliases/', { address: `c@${name}`, destination: `a@${name}` })
      .expect(201);
    await api
      .as(POLICY)
      .post(`/domains/${name}/outbound/increment`, { sender: `a@${name}` })
      .expect(200);
    await api.as(key).delete(`/users/b@${name}`).expect(204);
    await api
      .as(key)
      .post('/domains/', { name: `more.${name}` })
      .expect(201);
    await api.as(key).delete(`/domains/more.${name}`).expect(204);
    expect(await revisions()).toEqual(before);
  });

  it('is raised by what else changes what PUTs set: plans, moves, rotations, a parent that goes, a restoration', async () => {
    const { name, key, keyId, ref } = await aWorld();
    const [mailbox, child] = [`/users/a@${name}`, `/domains/sub.${name}`];
    await api.as(key).put(mailbox, { external_ref: 'p' }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'business', override: true }).expect(200);
    expect(await revisionAt(mailbox)).toBe(3);
    await api
      .as(MASTER)
      .put(`/api-keys/${keyId}`, { domains: [name, `sub.${name}`] })
      .expect(200);
    await api.as(MASTER).put(`${child}/parent`, { parent: name }).expect(200);
    expect(await revisionAt(child)).toBe(2);
    await api
      .as(MASTER)
      .put(`/domains/${name}/partner`, { partner_ref: `${ref}z` })
      .expect(200);
    expect([await revisionAt(child), await revisionAt(mailbox), await revisionAt(`/api-keys/${keyId}`)]).toEqual([
      3, 4, 3,
    ]);
    await api.as(MASTER).delete(child).expect(204);
    expect(await revisionAt(`/api-keys/${keyId}`)).toBe(4);
    await api.as(MASTER).post(`/api-keys/${keyId}/rotate`, {}).expect(201);
    expect(await revisionAt(`/api-keys/${keyId}`)).toBe(5);
    const domain = await revisionAt(`/domains/${name}`);
    await api.as(MASTER).delete(`/domains/${name}`).expect(204);
    const deleted = await api.as(MASTER).get('/deleted/?limit=50').expect(200);
    const item = (deleted.body as { id: number; name: string }[]).find((row) => row.name === name);
    await api.as(MASTER).post(`/deleted/${item?.id}/restore`).expect(200);
    expect([await revisionAt(`/domains/${name}`), await revisionAt(mailbox)]).toEqual([domain + 1, 5]);
  });

  it('of a domain or a brand that was removed and created again does not begin anew', async () => {
    const { name, key, ref } = await aWorld();
    await api.as(key).put(`/domains/${name}`, { external_ref: 'a' }).expect(200);
    await api.as(key).delete(`/domains/${name}`).expect(204);
    await api.as(key).post('/domains/', { name }).expect(201);
    expect(await revisionAt(`/domains/${name}`)).toBe(3);
    await api.as(key).put('/me/brand', { name: 'a' }).expect(200);
    await api.as(key).delete('/me/brand').expect(204);
    expect(await revisionAt(`/partners/${ref}/brand`)).toBe(3);
  });

  it('is in the OpenAPI document of every PUT of a domain, mailbox, key, partner and brand: ETag, If-Match and 412', () => {
    const others = /^\/(?:aliases|webhook-endpoints|outbound\/tiers)\//;
    const puts = api.routes.filter(({ method }) => method === 'put');
    expect(puts.filter((route) => !isRevised(route)).map(({ path }) => path)).toEqual(
      puts.map(({ path }) => path).filter((path) => others.test(path)),
    );
  });
});

function pathOf({ path }: Thing, put: Put): string {
  return put.path.startsWith('/me/') ? put.path : `${path}${put.path}`;
}
