import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { LinkWorld } from '../testing/link-world.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><title>Logo</title><path d="M0 0z"/></svg>';
const NONE = { name: null, logo: null, colour: null, support_email: null, support_url: null, language: null };
const WHOLE = {
  name: 'Juniper Hosting',
  logo: { type: 'image/png', data: PNG },
  colour: '#1F5F8B',
  support_email: 'help@Juniper.example',
  support_url: 'https://juniper.example',
  language: 'de',
};
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hostOfSvg = (inner: string) => ({
  logo: { type: 'image/svg+xml', data: base64(`<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`) },
});

onHttpDatabase((kind) => {
  let api: TestApi;
  let world: LinkWorld;
  beforeAll(async () => {
    api = await startTestApi(kind);
    world = new LinkWorld(api);
  });
  afterAll(() => api.close());

  const brandOf = async (browser: Browser) => (await browser.send('get', '/me').expect(200)).body.brand as unknown;
  const preview = async (code: string) =>
    (await new Browser(api.url).send('post', '/sessions/preview', { code }).expect(200)).body.brand as unknown;
  const eventsOf = async (key: string) => {
    await api.container.get(EventPositioner).giveAll();
    const { body } = await api.as(key).get('/events?types=partner.updated&limit=50').expect(200);
    return body as { actor: string; data: { before: { brand: object }; after: { brand: object } } }[];
  };

  it('a partner without a brand has one that shows nothing', async () => {
    const { key, partner } = await world.partner();
    for (const [token, path] of [[key, '/me/brand'] as const, [MASTER, `/partners/${partner}/brand`] as const]) {
      const { body } = await api.as(token).get(path).expect(200);
      expect(body).toEqual({ ...NONE, locked: false, revision: 1 });
    }
  });

  it('its own key sets it, reads it as it was stored, and a field that is left out stays', async () => {
    const { key, partner } = await world.partner();
    const { body } = await api.as(key).put('/me/brand', WHOLE).expect(200);
    const logo = { type: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo[A-Za-z0-9+/]+=*$/) };
    const stored = {
      ...WHOLE,
      logo,
      colour: '#1f5f8b',
      support_email: 'help@juniper.example',
      support_url: 'https://juniper.example/',
      locked: false,
      revision: 2,
    };
    expect(body).toEqual(stored);
    expect((await api.as(key).put('/me/brand').expect(200)).body).toEqual(body);
    const { body: changed } = await api.as(key).put('/me/brand', { name: 'Other', logo: null }).expect(200);
    expect(changed).toEqual({ ...stored, name: 'Other', logo: null, revision: 3 });
    expect((await api.as(MASTER).get(`/partners/${partner}/brand`).expect(200)).body).toEqual(changed);
    expect((await api.as(READ).get(`/partners/${partner}/brand`).expect(200)).body).toEqual(changed);
  });

  it('what was read can be sent back', async () => {
    const { key } = await world.partner();
    const { body } = await api.as(key).put('/me/brand', WHOLE).expect(200);
    expect(
      (
        await api
          .as(key)
          .put('/me/brand', body as object)
          .expect(200)
      ).body,
    ).toEqual(body);
  });

  it('the logo is what the service wrote, not what was sent', async () => {
    const { key } = await world.partner();
    const logo = { type: 'image/svg+xml', data: base64(SVG) };
    const { body } = await api.as(key).put('/me/brand', { logo }).expect(200);
    const data = base64('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0z"></path></svg>');
    expect(body).toMatchObject({ logo: { type: 'image/svg+xml', data } });
  });

  it.each<[string, object, string, string]>([
    ['a script', hostOfSvg('<script>alert(1)</script>'), 'logo_not_safe', 'logo'],
    ['an event', hostOfSvg('<g onclick="alert(1)"/>'), 'logo_not_safe', 'logo'],
    ['a PNG that is called SVG', { logo: { type: 'image/svg+xml', data: PNG } }, 'logo_not_safe', 'logo'],
    ['an SVG that is called PNG', { logo: { type: 'image/png', data: base64(SVG) } }, 'logo_not_safe', 'logo'],
    ['another type', { logo: { type: 'image/gif', data: PNG } }, 'validation_failed', 'logo.type'],
    ['no base64', { logo: { type: 'image/png', data: `${PNG.slice(0, -4)}!!!!` } }, 'validation_failed', 'logo.data'],
    [
      '65,537 bytes',
      { logo: { type: 'image/png', data: base64('a'.repeat(65_537)) } },
      'validation_failed',
      'logo.data',
    ],
    ['a logo without data', { logo: { type: 'image/png' } }, 'validation_failed', 'logo.data'],
    ['65 letters', { name: 'a'.repeat(65) }, 'validation_failed', 'name'],
    ['no letter', { name: '' }, 'validation_failed', 'name'],
    ['a space before', { name: ' a' }, 'validation_failed', 'name'],
    ['a turned direction', { name: 'a\u202eb' }, 'validation_failed', 'name'],
    ['a word as colour', { colour: 'red' }, 'validation_failed', 'colour'],
    ['a short colour', { colour: '#fff' }, 'validation_failed', 'colour'],
    ['no address', { support_email: 'help' }, 'validation_failed', 'support_email'],
    ['two addresses', { support_email: 'a@b.example,c@d.example' }, 'validation_failed', 'support_email'],
    ['http', { support_url: 'http://juniper.example/' }, 'validation_failed', 'support_url'],
    ['a script as page', { support_url: 'javascript:alert(1)' }, 'validation_failed', 'support_url'],
    ['a user', { support_url: 'https://bank.example@juniper.example/' }, 'validation_failed', 'support_url'],
    ['another language', { language: 'it' }, 'validation_failed', 'language'],
    ['a lock by the partner', { locked: true }, 'validation_failed', 'locked'],
    ['an unknown field', { css: '' }, 'validation_failed', 'css'],
  ])('%s is refused with the name of the field, and changes nothing', async (_, body, code, field) => {
    const { key } = await world.partner();
    const { body: problem } = await api
      .as(key)
      .put('/me/brand', { language: 'fr', ...body })
      .expect(422);
    expect(problem).toMatchObject({ code, errors: [{ field }] });
    expect((await api.as(key).get('/me/brand').expect(200)).body).toEqual({ ...NONE, locked: false, revision: 1 });
  });

  describe('a logo that a former release stored', () => {
    const DASHED = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0z" stroke-dasharray=".001"></path></svg>';
    const written = { type: 'image/svg+xml', data: base64(DASHED.replace(' stroke-dasharray=".001"', '')) };
    const REFUSED = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1e9"></circle></svg>';
    const withStored = async (svg: string, fields: object = {}) => {
      const made = await world.partner();
      await api.as(made.key).put('/me/brand', { logo: { type: 'image/svg+xml', data: base64(SVG) }, ...fields });
      const { id } = (await api.database.read('SELECT id FROM partner WHERE ref = ?', [made.partner]))[0] ?? {};
      const logo = JSON.stringify({ type: 'image/svg+xml', data: base64(svg) });
      await api.database.write('UPDATE partner_brand SET logo = ? WHERE partner_id = ?', [logo, Number(id)]);
      const stored = async () =>
        (await api.database.read('SELECT logo FROM partner_brand WHERE partner_id = ?', [Number(id)]))[0]?.logo;
      return { ...made, stored };
    };
    const clean = () => api.container.get(Housekeeping).execute({ period: { key: '', dueAt: api.clock.now() } });

    it('is shown as the present rules write it, at once and everywhere', async () => {
      const { key, domain, partner } = await withStored(DASHED);
      const link = await world.create(key, { domain, scope: 'dns' });
      expect(await preview(link.code)).toMatchObject({ logo: written });
      expect(await brandOf(await world.enter(link))).toMatchObject({ logo: written });
      for (const [token, path] of [[key, '/me/brand'] as const, [MASTER, `/partners/${partner}/brand`] as const])
        expect((await api.as(token).get(path).expect(200)).body).toMatchObject({ logo: written });
      expect((await api.as(key).put('/me/brand', { name: 'Juniper' }).expect(200)).body).toMatchObject({
        logo: written,
      });
      await clean();
    });

    it('is not shown when the present rules refuse it', async () => {
      const { key, domain } = await withStored(REFUSED);
      expect(await preview((await world.create(key, { domain, scope: 'dns' })).code)).toBeNull();
      expect((await api.as(key).get('/me/brand').expect(200)).body).toMatchObject({ logo: null });
      await clean();
    });

    it('is written anew or removed once, with an event, also when two runs meet', async () => {
      const [kept, gone, whole] = [
        await withStored(DASHED),
        await withStored(REFUSED, { name: 'Juniper' }),
        await withStored(REFUSED),
      ];
      const runs = await Promise.all([clean(), clean()]);
      const sum = (name: string) => runs.reduce((all, counts) => all + (counts[name] ?? 0), 0);
      expect([sum('logos_rewritten'), sum('logos_removed')]).toEqual([1, 2]);
      expect(await kept.stored()).toContain(written.data);
      expect([await gone.stored(), await whole.stored()]).toEqual([null, undefined]);
      for (const { key, shows } of [
        { ...kept, shows: { type: 'image/svg+xml', sha256: expect.any(String) } },
        { ...gone, shows: null },
        { ...whole, shows: null },
      ]) {
        const events = await eventsOf(key);
        expect(events.map(({ actor }) => actor.split(':')[0])).toEqual(['key', 'housekeeping']);
        expect(events.at(-1)?.data.after.brand).toMatchObject({ logo: shows });
      }
      expect(await clean()).toMatchObject({ logos_rewritten: 0, logos_removed: 0 });
    });

    it('that is safe already is stored again without an event', async () => {
      const { key, stored } = await withStored('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0z"></path></svg>');
      expect(await clean()).toMatchObject({ logos_rewritten: 1, logos_removed: 0 });
      expect(JSON.parse(String(await stored()))).toMatchObject({ rules: 2 });
      expect(await eventsOf(key)).toHaveLength(1);
      expect(await clean()).toMatchObject({ logos_rewritten: 0 });
    });
  });

  it('keys that may only read read it; keys of some domains, links and operators do not use it', async () => {
    const { key, domain, partner } = await world.partner();
    const limited = await api.key(partner, { domains: [domain] });
    const read = await api.key(partner, { scope: 'read' });
    await api.as(read).get('/me/brand').expect(200);
    const codes = [];
    for (const token of [limited, MASTER, READ])
      codes.push((await api.as(token).get('/me/brand').expect(403)).body.code as string);
    for (const method of ['put', 'delete'] as const)
      codes.push((await api.as(read)[method]('/me/brand').expect(403)).body.code as string);
    const link = await world.enter(await world.create(key, { domain, scope: 'manage' }));
    codes.push((await link.send('get', '/me/brand').expect(403)).body.code as string);
    expect(codes).toEqual([
      'key_limited_to_domains',
      'client_token_required',
      'client_token_required',
      'key_read_only',
      'key_read_only',
      'link_not_allowed',
    ]);
    await api.as(key).get('/partners/nobody/brand').expect(403);
    expect((await api.as(MASTER).put('/partners/nobody/brand', WHOLE).expect(404)).body.code).toBe('partner_not_found');
  });

  it('while master has locked it, the partner reads it and changes nothing; master can', async () => {
    const { key, partner } = await world.partner();
    await api.as(MASTER).put(`/partners/${partner}/brand`, { name: 'Locked', locked: true }).expect(200);
    for (const method of ['put', 'delete'] as const)
      expect((await api.as(key)[method]('/me/brand').expect(403)).body.code).toBe('brand_locked');
    expect((await api.as(key).get('/me/brand').expect(200)).body).toMatchObject({ name: 'Locked', locked: true });
    await api.as(MASTER).put(`/partners/${partner}/brand`, { name: null }).expect(200);
    expect((await api.as(key).put('/me/brand', { name: 'Own' }).expect(403)).body.code).toBe('brand_locked');
    await api.as(MASTER).put(`/partners/${partner}/brand`, { locked: false }).expect(200);
    await api.as(key).put('/me/brand', { name: 'Own' }).expect(200);
  });

  it('each change is an event of the partner with the hash of a logo, none when nothing changed', async () => {
    const { key, partner } = await world.partner();
    await api.as(key).put('/me/brand', WHOLE).expect(200);
    await api.as(key).put('/me/brand', WHOLE).expect(200);
    await api.as(MASTER).put(`/partners/${partner}/brand`, { locked: true }).expect(200);
    await api.as(MASTER).delete(`/partners/${partner}/brand`).expect(204);
    await api.as(MASTER).delete(`/partners/${partner}/brand`).expect(204);
    const events = await eventsOf(key);
    const logo = { type: 'image/png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(events.map(({ actor, data }) => [actor.split(':')[0], data.after.brand])).toEqual([
      ['key', expect.objectContaining({ name: 'Juniper Hosting', logo, locked: false })],
      ['operator', expect.objectContaining({ locked: true })],
      ['operator', expect.objectContaining({ name: null, logo: null, locked: false })],
    ]);
    expect(JSON.stringify(events)).not.toContain(PNG.slice(0, 20));
    const { body: audit } = await api.as(MASTER).get(`/audit?partner_ref=${partner}&action=partner.update`).expect(200);
    expect(audit).toHaveLength(3);
  });

  it.each(['dns', 'manage'] as const)('who comes by a %s link sees it, before entering too', async (scope) => {
    const { key, domain } = await world.partner();
    await api.as(key).put('/me/brand', WHOLE).expect(200);
    const link = await world.create(key, { domain, scope });
    const shown = expect.objectContaining({ name: 'Juniper Hosting', language: 'de', colour: '#1f5f8b' });
    expect(await preview(link.code)).toEqual(shown);
    const browser = await world.enter(link);
    expect(await brandOf(browser)).toEqual(shown);
    expect(await brandOf(browser)).not.toHaveProperty('locked');
    const { body } = await browser.send('get', '/sessions/current').expect(200);
    expect((body as { caller: object }).caller).toMatchObject({ brand: { name: 'Juniper Hosting' } });
  });

  it('keys and operators have none in GET /me, and a brand that shows nothing is none', async () => {
    const { key, domain, partner } = await world.partner();
    await api.as(MASTER).put(`/partners/${partner}/brand`, { locked: true }).expect(200);
    expect(await brandOf(await world.enter(await world.create(key, { domain, scope: 'dns' })))).toBeNull();
    await api.as(MASTER).put(`/partners/${partner}/brand`, WHOLE).expect(200);
    for (const token of [key, MASTER, READ])
      expect((await api.as(token).get('/me').expect(200)).body).toMatchObject({ brand: null });
  });

  it('is not shown while the partner is suspended, at either stage', async () => {
    const { key, domain, partner } = await world.partner();
    await api.as(key).put('/me/brand', WHOLE).expect(200);
    const link = await world.create(key, { domain, scope: 'dns' });
    const browser = await world.enter(link);
    for (const stage of ['changes', 'all']) {
      await api.as(MASTER).put(`/partners/${partner}/suspend`, { stage }).expect(200);
      expect([await brandOf(browser), await preview(link.code)]).toEqual([null, null]);
      expect((await api.as(key).put('/me/brand', { name: 'x' }).expect(403)).body.code).toBe('partner_suspended');
      await api.as(key).get('/me/brand').expect(200);
    }
    await api.as(MASTER).put(`/partners/${partner}/activate`).expect(200);
    expect(await brandOf(browser)).toMatchObject({ name: 'Juniper Hosting' });
  });

  it('of a domain that moved is that of the new partner, also for a link of the operator', async () => {
    const [from, to] = [await world.partner(), await world.partner()];
    await api.as(from.key).put('/me/brand', { name: 'Before' }).expect(200);
    await api.as(to.key).put('/me/brand', { name: 'After' }).expect(200);
    const made = { domain: from.domain, scope: 'dns' };
    const old = await world.create(MASTER, made);
    expect(await preview(old.code)).toMatchObject({ name: 'Before' });
    await api.as(MASTER).put(`/domains/${from.domain}/partner`, { partner_ref: to.partner }).expect(200);
    await new Browser(api.url).send('post', '/sessions/preview', { code: old.code }).expect(401);
    const link = await world.create(MASTER, made);
    expect(await preview(link.code)).toMatchObject({ name: 'After' });
    await api.as(MASTER).put(`/domains/${from.domain}/partner`, { partner_ref: null }).expect(200);
    expect(await preview((await world.create(MASTER, made)).code)).toBeNull();
  });

  it('is deleted with its partner: when no key, no domain and nothing to restore is left', async () => {
    const { key, domain, other, partner } = await world.partner();
    await api.as(key).put('/me/brand', { name: 'Gone' }).expect(200);
    const housekeeping = api.container.get(Housekeeping);
    const clean = () => housekeeping.execute({ period: { key: '', dueAt: api.clock.now() } });
    for (const name of [domain, other]) await api.as(MASTER).delete(`/domains/${name}`).expect(204);
    await api.as(MASTER).delete(`/api-keys/${key}`).expect(204);
    expect(await clean()).toMatchObject({ brands: 0 });
    const { body: deleted } = await api.as(MASTER).get(`/deleted?partner_ref=${partner}`).expect(200);
    for (const { id } of deleted as { id: number }[]) await api.as(MASTER).post(`/deleted/${id}/erase`).expect(204);
    expect(await clean()).toMatchObject({ brands: 1 });
    const again = await api.key(partner);
    expect((await api.as(again).get('/me/brand').expect(200)).body).toMatchObject({ name: null });
  });
});
