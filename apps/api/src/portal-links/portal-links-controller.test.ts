import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import supertest from 'supertest';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { LinkWorld, type MadeLink } from '../testing/link-world.js';

onHttpDatabase((kind) => {
  describe('a portal link', () => {
    let api: TestApi;
    let links: LinkWorld;

    beforeAll(async () => {
      api = await startTestApi(kind);
      links = new LinkWorld(api);
    });
    afterAll(() => api.close());

    const WRONG = [401, 'invalid_code'];
    const isOut = async (browser: Browser) => (await browser.send('get', '/me')).status === 401;
    const keyIdOf = async (token: string): Promise<number> =>
      (await api.as(MASTER).get(`/api-keys/${token}`).expect(200)).body.id;

    describe('for DNS', () => {
      it('shows the DNS records of its domain, and nothing else, as often as one likes', async () => {
        const { key, domain, other } = await links.partner();
        const made = await links.create(key, { domain, scope: 'dns' });
        await links.enter(made);
        const browser = await links.enter(made);
        const { body } = await browser.send('get', '/me').expect(200);
        expect(body).toMatchObject({ kind: 'client', link: 'dns', key_id: null, domains: [domain], partner_ref: null });
        await browser.send('get', `/domains/${domain}/relay-status`).expect(200);
        await browser.send('get', `/domains/${domain}/dns-check`).expect(200);
        await browser.send('get', `/domains/${other}/relay-status`).expect(404);
        await browser.send('get', `/domains/${domain}`).expect(403);
        await browser.send('post', `/domains/${domain}/relay-verify`).expect(403);
        await browser.send('get', '/sessions').expect(403);
      });

      it('is open for 7 days, or as many as asked for, and its sessions end with it', async () => {
        const { key, domain } = await links.partner();
        const [week, month] = [
          await links.create(key, { domain, scope: 'dns' }),
          await links.create(key, { domain, scope: 'dns', days: 30 }),
        ];
        api.clock.advance(7 * DAY_MS - HOUR_MS);
        const [late, early] = [await links.enter(week), await links.enter(month)];
        api.clock.advance(HOUR_MS - 1);
        expect(await isOut(late)).toBe(false);
        api.clock.advance(1);
        expect([await isOut(late), await isOut(early)]).toEqual([true, false]);
        expect(await links.refusalOf(week)).toEqual(WRONG);
        api.clock.advance(23 * DAY_MS);
        expect(await links.refusalOf(month)).toEqual(WRONG);
      });

      it('lets nobody end the session of another person with the same link', async () => {
        const { key, domain } = await links.partner();
        const made = await links.create(key, { domain, scope: 'dns' });
        const [one, other] = [await links.enter(made), await links.enter(made)];
        await one.send('delete', `/sessions/${other.id}`).expect(404);
        await one.send('delete', '/sessions/current').expect(204);
        expect([await isOut(one), await isOut(other)]).toEqual([true, false]);
      });

      it('is made by billing too, and for a domain of no partner', async () => {
        const domain = 'nobody.example';
        await api.as(MASTER).post('/domains/', { name: domain }).expect(201);
        const made = await links.create(BILLING, { domain, scope: 'dns' });
        const browser = await links.enter(made);
        await browser.send('get', `/domains/${domain}/relay-status`).expect(200);
        const ofMaster = await links.create(MASTER, { domain, scope: 'dns' });
        await api.as(BILLING).delete(`/portal-links/${ofMaster.id}`).expect(404);
        await api.as(BILLING).delete(`/portal-links/${made.id}`).expect(204);
        expect(await isOut(browser)).toBe(true);
      });
    });

    describe('for managing', () => {
      it('opens one session, as of a key that is limited to the domain', async () => {
        const { key, domain, other } = await links.partner({ mailboxes_per_domain: 1 });
        const made = await links.create(key, { domain, scope: 'manage' });
        const browser = await links.enter(made);
        expect(await links.refusalOf(made)).toEqual(WRONG);
        expect((await browser.send('get', '/me').expect(200)).body).toMatchObject({
          link: 'manage',
          domains: [domain],
          limits: { mailboxes_per_domain: 1 },
          domains_used: null,
        });
        expect((await browser.send('get', '/domains/').expect(200)).body).toHaveLength(1);
        await browser.send('get', `/domains/${other}`).expect(404);
        const box = { password: 'long enough for a test' };
        await browser.send('post', '/users/', { email: `one@${domain}`, ...box }).expect(201);
        await browser.send('post', '/users/', { email: `two@${domain}`, ...box }).expect(403);
        await browser.send('post', '/domains/', { name: 'more.example' }).expect(403);
        await browser.send('post', '/portal-links', { domain, scope: 'dns' }).expect(403);
        await browser.send('get', '/portal-links').expect(403);
        await browser.send('get', '/me/keys').expect(403);
        await browser.send('post', '/me/keys').expect(403);
        await browser.send('post', '/sessions').expect(401);
        expect((await browser.send('get', '/sessions').expect(200)).body).toEqual([
          expect.objectContaining({ id: browser.id, current: true }),
        ]);
      });

      it('can be used for 15 minutes, or as many as asked for; its session goes on for 12 hours', async () => {
        const { key, domain } = await links.partner();
        const [quarter, hour] = [
          await links.create(key, { domain, scope: 'manage' }),
          await links.create(key, { domain, scope: 'manage', minutes: 60 }),
        ];
        api.clock.advance(15 * MINUTE_MS);
        expect(await links.refusalOf(quarter)).toEqual(WRONG);
        const browser = await links.enter(hour);
        api.clock.advance(11 * HOUR_MS);
        expect(await isOut(browser)).toBe(false);
        await api.flushStamps();
        api.clock.advance(HOUR_MS - 1);
        expect(await isOut(browser)).toBe(false);
        api.clock.advance(1);
        expect(await isOut(browser)).toBe(true);
      });

      it('of master has the lowest limits of the partner’s keys, and needs one', async () => {
        const { partner, key, domain } = await links.partner({ mailboxes_per_domain: 9, aliases_per_mailbox: 0 });
        const lower = await api.key(partner, { mailboxes_per_domain: 4, aliases_per_mailbox: 7 });
        await api.key(partner, { mailboxes_per_domain: 1, active: false });
        await api.key(partner, { mailboxes_per_domain: 1, expires_at: '2020-01-01' });
        const browser = await links.enter(await links.create(MASTER, { domain, scope: 'manage' }));
        const limits = async () => (await browser.send('get', '/me').expect(200)).body.limits;
        expect(await limits()).toMatchObject({ mailboxes_per_domain: 4, aliases_per_mailbox: 7 });
        await api.as(MASTER).delete(`/api-keys/${lower}`).expect(204);
        expect(await limits()).toMatchObject({ mailboxes_per_domain: 9, aliases_per_mailbox: 0 });
        await api.as(MASTER).put(`/api-keys/${key}`, { active: false }).expect(200);
        expect(await isOut(browser)).toBe(true);
        const { body } = await api.as(MASTER).post('/portal-links', { domain, scope: 'manage' }).expect(409);
        expect(body.code).toBe('partner_has_no_key');
        await links.create(MASTER, { domain, scope: 'dns' });
      });
    });

    it.each([['dns'], ['manage']])('for %s ends with its sessions on the next request', async (scope) => {
      const { partner, key, domain } = await links.partner();
      const ends: Record<string, (made: MadeLink) => Promise<unknown>> = {
        deleted: ({ id }) => api.as(key).delete(`/portal-links/${id}`).expect(204),
        'key inactive': () => api.as(MASTER).put(`/api-keys/${key}`, { active: false }).expect(200),
        moved: () => api.as(MASTER).put(`/domains/${domain}/partner`, { partner_ref: 'elsewhere' }).expect(200),
        'domain deleted': () => api.as(MASTER).delete(`/domains/${domain}`).expect(204),
        'key deleted': () => api.as(MASTER).delete(`/api-keys/${key}`).expect(204),
      };
      for (const [name, end] of Object.entries(ends)) {
        const used = await links.create(key, { domain, scope });
        const unused = await links.create(key, { domain, scope });
        const browser = await links.enter(used);
        await end(used);
        if (name === 'deleted') await end(unused);
        expect([name, await isOut(browser), await links.refusalOf(unused)]).toEqual([name, true, WRONG]);
        // What comes back later does not bring the link back.
        if (name === 'key inactive') await api.as(MASTER).put(`/api-keys/${key}`, { active: true }).expect(200);
        if (name === 'moved') {
          await api.as(MASTER).put(`/domains/${domain}/partner`, { partner_ref: partner }).expect(200);
          expect([await isOut(browser), await links.refusalOf(unused)]).toEqual([true, WRONG]);
        }
        if (name === 'domain deleted') {
          await api.as(key).post('/domains/', { name: domain }).expect(201);
          expect([await isOut(browser), await links.refusalOf(unused)]).toEqual([true, WRONG]);
        }
      }
    });

    it('made with a session stays when that session ends', async () => {
      const { key, domain } = await links.partner();
      const maker = new Browser(api.url);
      await maker.enter(key);
      const { body } = await maker.send('post', '/portal-links', { domain, scope: 'manage' }).expect(201);
      await maker.send('delete', '/sessions/current').expect(204);
      await links.enter({ id: body.id, code: body.url.split('#code=')[1] });
    });

    it('goes to the successor of its key with a rotation, and its sessions with it', async () => {
      const { key, domain } = await links.partner();
      const made = await links.create(key, { domain, scope: 'dns' });
      const [ofLink, ofKey] = [await links.enter(made), new Browser(api.url)];
      await ofKey.enter(key);
      const { body } = await api.as(MASTER).post(`/api-keys/${key}/rotate`, { overlap_hours: 0 }).expect(201);
      expect([await isOut(ofKey), await isOut(ofLink)]).toEqual([true, false]);
      await api.as(MASTER).delete(`/api-keys/${body.id}`).expect(204);
      expect(await isOut(ofLink)).toBe(true);
    });

    it('is refused to callers who may not make it, and for domains that they do not have', async () => {
      const { partner, key, domain } = await links.partner();
      const rival = await api.key('rival');
      for (const [token, scope, status, code] of [
        [rival, 'dns', 404, 'domain_not_found'],
        [await api.key('rival', { scope: 'read' }), 'dns', 403, 'key_read_only'],
        [await api.key(partner, { domains: [domain] }), 'dns', 403, 'key_limited_to_domains'],
        [BILLING, 'manage', 403, 'scope_not_allowed'],
        [POLICY, 'dns', 403, 'scope_not_allowed'],
        [READ, 'dns', 403, 'scope_not_allowed'],
      ] as const) {
        const { status: got, body } = await api.as(token).post('/portal-links', { domain, scope });
        expect([got, body.code]).toEqual([status, code]);
      }
      for (const wrong of [
        { days: 31 },
        { days: 0 },
        { minutes: 5 },
        { scope: 'manage', minutes: 61 },
        { scope: 'manage', days: 1 },
        { scope: 'all' },
      ]) {
        await api
          .as(key)
          .post('/portal-links', { domain, scope: 'dns', ...wrong })
          .expect(422);
      }
      const { id } = await links.create(key, { domain, scope: 'dns' });
      await api.as(rival).delete(`/portal-links/${id}`).expect(404);
      await api.as(rival).delete('/portal-links/x').expect(404);
    });

    it('is listed for its partner without its code, and leaves audit rows', async () => {
      const { partner, key, domain } = await links.partner();
      const made = await links.create(key, { domain, scope: 'manage' });
      await links.create(MASTER, { domain, scope: 'dns' });
      await links.enter(made);
      const { body } = await api.as(key).get('/portal-links').expect(200);
      expect(body).toEqual([
        expect.objectContaining({
          id: made.id,
          domain,
          partner_ref: partner,
          scope: 'manage',
          made_by: await keyIdOf(key),
          used_at: expect.any(String),
        }),
        expect.objectContaining({ domain, scope: 'dns', made_by: null, used_at: null }),
      ]);
      expect((await api.as(READ).get(`/portal-links?partner_ref=${partner}&order=desc`).expect(200)).body).toEqual(
        body.toReversed(),
      );
      expect((await api.as(MASTER).get('/portal-links?partner_ref=absent').expect(200)).body).toEqual([]);
      expect(
        (
          await api
            .as(await api.key('rival'))
            .get('/portal-links')
            .expect(200)
        ).body,
      ).toEqual([]);
      await api.as(key).delete(`/portal-links/${made.id}`).expect(204);
      const audit = (await api.as(MASTER).get(`/audit?domain=${domain}`).expect(200)).body as {
        action: string;
        subject: string;
      }[];
      const rows = audit.filter(({ action }) => action.startsWith('link.'));
      expect(rows.map(({ action, subject }) => [action, subject])).toEqual([
        ['link.create', `link:${made.id}`],
        ['link.create', expect.stringMatching(/^link:\d+$/)],
        ['link.delete', `link:${made.id}`],
      ]);
      const stored = JSON.stringify([audit, await api.database.read('SELECT * FROM portal_link')]);
      expect(stored).not.toContain(made.code);
    });

    it('is kept for a day after it expired, as long as a session of it may live', async () => {
      const { key, domain } = await links.partner();
      const made = await links.create(key, { domain, scope: 'manage' });
      const browser = await links.enter(made);
      const purge = api.container.get(PurgeRecords);
      const listed = async () => ((await api.as(key).get('/portal-links').expect(200)).body as object[]).length;
      api.clock.advance(12 * HOUR_MS - 1);
      await purge.execute();
      expect([await isOut(browser), await listed()]).toEqual([false, 1]);
      api.clock.advance(13 * HOUR_MS);
      await purge.execute();
      expect(await listed()).toBe(0);
    });

    describe('with its code', () => {
      const preview = (code: string) => supertest(api.url).post('/sessions/preview').send({ code });

      it('says who one will be without using anything up', async () => {
        const { key, domain } = await links.partner();
        const made = await links.create(key, { domain, scope: 'manage' });
        for (let index = 0; index < 2; index += 1) {
          const { body } = await preview(made.code).expect(200);
          expect(body).toEqual({ kind: 'client', link: 'manage', domain, brand: null, expires_at: expect.any(String) });
        }
        await links.enter(made);
        expect((await preview(made.code).expect(401)).body.code).toBe('invalid_code');
        expect((await preview('x'.repeat(43)).expect(401)).body.code).toBe('invalid_code');
        await preview('short').expect(422);
      });

      it('that was right until it was used or expired names whom to ask for another one; a wrong one names nobody', async () => {
        const { partner, key, domain } = await links.partner();
        const shown = { name: 'Juniper', support_email: 'help@juniper.example', support_url: null };
        await api.as(key).put('/me/brand', shown).expect(200);
        const [manage, dns] = [
          await links.create(key, { domain, scope: 'manage' }),
          await links.create(key, { domain, scope: 'dns', days: 1 }),
        ];
        await links.enter(manage);
        const refused = { code: 'invalid_code', brand: shown };
        expect((await preview(manage.code).expect(401)).body).toMatchObject(refused);
        expect((await supertest(api.url).post('/sessions').send({ code: manage.code }).expect(401)).body).toMatchObject(
          refused,
        );
        api.clock.advance(25 * HOUR_MS);
        expect((await preview(dns.code).expect(401)).body).toMatchObject(refused);
        expect((await preview('z'.repeat(43)).expect(401)).body).not.toHaveProperty('brand');
        await api.as(MASTER).put(`/partners/${partner}/suspend`, {}).expect(200);
        expect((await preview(dns.code).expect(401)).body).not.toHaveProperty('brand');
      });

      it('enters by itself alone, and not from elsewhere: a refused exchange uses nothing up', async () => {
        const { key, domain } = await links.partner();
        const made = await links.create(key, { domain, scope: 'manage' });
        const exchange = (headers: Record<string, string>, code: unknown = made.code) =>
          supertest(api.url).post('/sessions').set(headers).send({ code });
        expect((await exchange({ Origin: 'https://evil.example' }).expect(403)).body.code).toBe('origin_not_allowed');
        expect((await exchange({ Host: 'mail.example' }).expect(403)).body.code).toBe('session_needs_tls');
        await exchange({ Authorization: `Bearer ${key}` }).expect(422);
        await exchange({}, 7).expect(422);
        await supertest(api.url).post('/sessions').send({}).expect(401);
        expect((await exchange({}, 'y'.repeat(43)).expect(401)).body.code).toBe('invalid_code');
        // The password of a proxy is no token.
        await exchange({ Authorization: 'Basic eDp5' }).expect(201);
      });
    });
  });
});
