import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { verifyDomain } from '../testing/verify-domain.js';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { MX_HOSTS: 'mx1.mail.platform.co.uk, MX2.Platform.co.uk., mx.other-host.net' });
  });
  afterAll(() => api.close());

  let acme: string;
  let rival: string;

  beforeAll(async () => {
    acme = await api.key('acme');
    rival = await api.key('rival');
  });

  const code = (response: { body: { code: string } }) => response.body.code;

  describe('POST /domains/', () => {
    it('returns exactly id, name and created_at, with the name in lower case', async () => {
      const { body } = await api.as(acme).post('/domains/', { name: 'Shop.Example.' }).expect(201);
      expect(body).toEqual({
        id: expect.any(Number),
        name: 'shop.example',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}$/),
      });
      expect(api.jobs.jobs).toContainEqual(
        expect.objectContaining({ name: 'domain.verify', payload: { domainId: body.id } }),
      );
    });

    it('refuses a taken name, and returns its id only to its own partner', async () => {
      const made = await api.as(acme).post('/domains/', { name: 'taken.example' }).expect(201);
      const own = await api.as(acme).post('/domains/', { name: 'TAKEN.example' }).expect(400);
      expect(own.body).toMatchObject({
        detail: 'Domain already exists',
        code: 'domain_exists',
        existing: { id: made.body.id },
      });
      const foreign = await api.as(rival).post('/domains', { name: 'taken.example' }).expect(400);
      expect(foreign.body.detail).toBe('Domain already exists');
      expect(foreign.body).not.toHaveProperty('existing');
    });

    it('refuses a text that is not a domain name, and names the field', async () => {
      for (const name of ['com', 'co.uk', '127.0.0.1', 'a b.example', 7, null, undefined]) {
        const { body } = await api.as(acme).post('/domains/', { name }).expect(422);
        expect(body.errors).toEqual([{ field: 'name', message: expect.any(String) }]);
      }
    });

    it('refuses an unknown field', async () => {
      const { body } = await api.as(acme).post('/domains/', { name: 'x.example', retention: 3 }).expect(422);
      expect(body.errors).toContainEqual({ field: 'retention', message: 'is not a known field' });
      await api.as(acme).get('/domains/x.example').expect(404);
    });

    it('accepts partner_ref from operators, not from clients', async () => {
      expect(
        code(await api.as(acme).post('/domains/', { name: 'given.example', partner_ref: 'acme' }).expect(403)),
      ).toBe('master_token_required');
      await api.as(BILLING).post('/domains/', { name: 'given.example', partner_ref: 'acme' }).expect(201);
      expect((await api.as(acme).get('/domains/given.example').expect(200)).body.partner_ref).toBe('acme');
    });

    it('refuses a subdomain of a verified domain of another partner', async () => {
      await verifyDomain(api, acme, 'bank.example');
      const { body } = await api.as(rival).post('/domains/', { name: 'mail.bank.example' }).expect(403);
      expect(body.detail).toBe('Parent domain belongs to another partner');
      await api.as(MASTER).post('/domains/', { name: 'mail.bank.example', partner_ref: 'rival' }).expect(201);
    });
  });

  describe('GET /domains/{name}', () => {
    it('returns the domain with all fields, for any case and encoding of the name', async () => {
      await api.as(acme).post('/domains/', { name: 'whole.example' }).expect(201);
      const { body } = await api.as(acme).get('/domains/WHOLE%2Eexample').expect(200);
      expect(body).toEqual({
        id: expect.any(Number),
        name: 'whole.example',
        created_at: expect.any(String),
        partner_ref: 'acme',
        status: 'active',
        suspension_causes: [],
        partner_stage: null,
        plan: null,
        retention_days: 0,
        transfer_monthly_mb: 0,
        outbound_tier: 'basic',
        outbound_enforcement: 'enforce',
        outbound_status: 'active',
        blocked_reason: null,
        parent: null,
        wildcard_mode: 'none',
        verification_status: 'unverified',
        inbound: 'pending',
        external_ref: null,
        external_senders: 'allow',
        billing_ref: null,
        revision: 1,
        mailboxes: 0,
        aliases: 0,
        attention: [],
        state: { sends: 'pending', receives: 'pending', reason: 'not_verified', until: null },
        missing_dns: [],
      });
    });

    it('responds to another partner as if the domain were absent', async () => {
      const foreign = await api.as(rival).get('/domains/whole.example').expect(404);
      const absent = await api.as(rival).get('/domains/absent.example').expect(404);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    });
  });

  describe('GET /domains/', () => {
    it("lists only the caller's domains, oldest first, in pages with a link to the next page", async () => {
      const token = await api.key('pager');
      for (const name of ['c.example', 'a.example', 'b.example'])
        await api
          .as(token)
          .post('/domains/', { name: `pager-${name}` })
          .expect(201);
      const names = (list: { name: string }[]) => list.map(({ name }) => name);
      expect(names((await api.as(token).get('/domains/').expect(200)).body)).toEqual([
        'pager-c.example',
        'pager-a.example',
        'pager-b.example',
      ]);
      const first = await api.as(token).get('/domains?limit=2').expect(200);
      expect(names(first.body)).toEqual(['pager-c.example', 'pager-a.example']);
      const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.link ?? '')?.[1] ?? '';
      const second = await api.as(token).get(next).expect(200);
      expect(names(second.body)).toEqual(['pager-b.example']);
      expect(second.headers.link).toBeUndefined();
    });

    it('filters by partner for master, and returns an empty list to a client that names another partner', async () => {
      const { body } = await api.as(MASTER).get('/domains/?partner_ref=pager').expect(200);
      expect(body).toHaveLength(3);
      expect((await api.as(rival).get('/domains/?partner_ref=pager').expect(200)).body).toEqual([]);
    });

    it.each(['limit=0', 'limit=1001', 'limit=x', 'after=-1', 'limit=1&limit=2', 'partner=x'])(
      'refuses ?%s',
      async (query) => {
        await api.as(acme).get(`/domains/?${query}`).expect(422);
      },
    );
  });

  describe('DELETE /domains/{name}', () => {
    it('deletes the mailboxes and aliases of the domain; a second request is 404', async () => {
      await api.as(acme).post('/domains/', { name: 'gone.example' }).expect(201);
      await api.as(acme).post('/users/', { email: 'a@gone.example', password: 'long enough' }).expect(201);
      await api.as(acme).post('/aliases/', { address: '@gone.example', destination: 'a@gone.example' }).expect(201);
      await api.as(rival).delete('/domains/gone.example').expect(404);
      const deleted = await api.as(acme).delete('/domains/gone.example').expect(204);
      expect(deleted.text).toBe('');
      const again = await api.as(acme).delete('/domains/gone.example').expect(404);
      expect(again.body.detail).toBe('Domain not found');
      await api.as(acme).get('/users/a@gone.example').expect(404);
    });

    it('does not remove a block or an abuse suspension when the partner creates the domain again', async () => {
      await api.as(acme).post('/domains/', { name: 'bad.example' }).expect(201);
      await api.as(MASTER).put('/domains/bad.example/suspend', { cause: 'abuse' }).expect(200);
      await api.as(acme).put('/domains/bad.example/suspend').expect(200);
      await api.as(acme).delete('/domains/bad.example').expect(204);
      await api.as(acme).post('/domains/', { name: 'bad.example' }).expect(201);
      expect((await api.as(acme).get('/domains/bad.example').expect(200)).body.suspension_causes).toEqual(['abuse']);
    });

    it('gives another partner none of the former settings, and neither inbound mail nor verification before proof of ownership', async () => {
      await verifyDomain(api, acme, 'hands.example');
      await api.as(MASTER).put('/domains/hands.example/suspend', { cause: 'abuse' }).expect(200);
      await api.as(acme).delete('/domains/hands.example').expect(204);
      await api.as(rival).post('/domains/', { name: 'hands.example' }).expect(201);
      const record = (await api.as(rival).get('/domains/hands.example').expect(200)).body;
      expect(record).toMatchObject({ suspension_causes: [], inbound: 'pending', verification_status: 'unverified' });
      await api.as(MASTER).post('/domains/hands.example/relay-verify').expect(202);
      api.relay.says('hands.example', 'verified');
      api.clock.advance(20_000);
      const pending = (await api.as(rival).get('/domains/hands.example/relay-status').expect(200)).body;
      expect(pending).toMatchObject({ verified: false, verification_status: 'pending' });
      const challenge = pending.dns_records.find(({ purpose }: { purpose: string }) => purpose === 'verification');
      api.dns.set('TXT', challenge.name, challenge.value);
      api.clock.advance(20_000);
      const proven = (await api.as(rival).get('/domains/hands.example/relay-status').expect(200)).body;
      expect(proven).toMatchObject({ verified: true, verification_status: 'verified' });
      expect((await api.as(rival).get('/domains/hands.example').expect(200)).body.inbound).toBe('open');
    });
  });

  describe('a name that nobody should get', () => {
    let acme: string;

    beforeAll(async () => {
      acme = await api.key('reserving');
    });

    const create = (token: string, name: string) => api.as(token).post('/domains/', { name });

    it.each([
      'x.onion',
      'a.local',
      'a.b.LOCAL.',
      'x.localhost',
      'x.invalid',
      'x.internal',
      'x.alt',
      '1.0.0.127.in-addr.arpa',
      'x.home.arpa',
    ])('%s is refused as never delivered, for every caller', async (name) => {
      for (const token of [acme, MASTER, BILLING]) {
        const { body } = await create(token, name).expect(422);
        expect(body).toMatchObject({
          code: 'validation_failed',
          errors: [{ field: 'name', message: expect.stringContaining('is never delivered') }],
        });
      }
    });

    it.each([
      'gmail.com',
      'GMail.com.',
      'mail.gmail.com',
      'googlemail.com',
      'outlook.com',
      'hotmail.co.uk',
      'yahoo.fr',
      'x.yahoo.co.jp',
      'web.de',
      'proton.me',
      'platform.co.uk',
      'mx1.mail.platform.co.uk',
      'customer.platform.co.uk',
      'other-host.net',
    ])('%s is reserved: a client and the billing scope get 403', async (name) => {
      for (const token of [acme, BILLING]) {
        const { body } = await create(token, name).expect(403);
        expect(body).toMatchObject({ code: 'domain_name_reserved', detail: 'Domain name is reserved' });
      }
      await api.as(MASTER).get(`/domains/${name}`).expect(404);
    });

    it('may be created by master when it is reserved; it is then an ordinary domain', async () => {
      await api.as(MASTER).post('/domains/', { name: 'post.platform.co.uk', partner_ref: 'reserving' }).expect(201);
      await api.as(acme).get('/domains/post.platform.co.uk').expect(200);
      const { body } = await create(acme, 'post.platform.co.uk').expect(400);
      expect(body.code).toBe('domain_exists');
    });

    it('does not include names that only look like one', async () => {
      for (const name of [
        'notgmail.com',
        'gmail.com.example',
        'yahoo.github.io',
        'my-outlook.com',
        'local.example',
        'x.test',
        'x.example',
        'other-platform.co.uk',
      ]) {
        await create(acme, name).expect(201);
      }
    });

    it('stays readable and deletable when an earlier release created it', async () => {
      for (const name of ['old.local', 'old.gmail.com']) {
        await create(acme, `${name.replaceAll('.', '-')}.example`).expect(201);
        await api.database.write(
          'UPDATE domain SET name = ? WHERE name = ?',
          [name, `${name.replaceAll('.', '-')}.example`],
          [],
        );
        await api.as(acme).get(`/domains/${name}`).expect(200);
        const hash = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
        await api
          .as(acme)
          .post('/users/', { email: `ann@${name}`, password_hash: hash })
          .expect(201);
        await api.as(acme).get(`/users/ann@${name}`).expect(200);
        expect((await api.as(acme).get(`/users/?domain=${name}`).expect(200)).body).toHaveLength(1);
        await api.as(acme).delete(`/domains/${name}`).expect(204);
      }
    });
  });

  it.each([
    ['none', 'gmail.com', 201],
    ['bank.example', 'gmail.com', 201],
    ['bank.example, shop.*', 'x.bank.example', 403],
    ['bank.example, shop.*', 'shop.co.uk', 403],
    ['bank.example, shop.*', 'x.shop.de', 403],
    ['bank.example, shop.*', 'shop.bike.de', 201],
  ])('RESERVED_NAMES=%s makes the creation of %s end with %i', async (names, name, status) => {
    const api = await startTestApi(kind, { RESERVED_NAMES: names });
    try {
      const acme = api.as(await api.key('reserving'));
      expect((await acme.post('/domains/', { name })).status).toBe(status);
    } finally {
      await api.close();
    }
  });
});
