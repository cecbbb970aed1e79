import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

onEachDatabase((kind) => {
  describe('a name that nobody should get', () => {
    let api: TestApi;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind, { MX_HOSTS: 'mx1.mail.platform.co.uk, MX2.Platform.co.uk., mx.other-host.net' });
      acme = await api.key('acme');
    });
    afterAll(() => api.close());

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
      await api.as(MASTER).post('/domains/', { name: 'post.platform.co.uk', partner_ref: 'acme' }).expect(201);
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
      const acme = api.as(await api.key('acme'));
      expect((await acme.post('/domains/', { name })).status).toBe(status);
    } finally {
      await api.close();
    }
  });
});
