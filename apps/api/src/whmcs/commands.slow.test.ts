import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { describePhp } from '../testing/describe-php.js';
import { sentenceOf, type WhmcsService, WhmcsShop } from '../testing/whmcs-shop.js';

const PARTNER = 'acme';
const NOT_OF_THE_SERVICE = /^Domain not found$|^The domain (was not created by this service|does not belong)/;

interface Domain {
  id: number;
  status: string;
  suspension_causes: string[];
  plan: string | null;
  partner_ref: string | null;
  external_ref: string | null;
  inbound: string;
}

describePhp('the WHMCS module', () => {
  let api: TestApi;
  let key: string;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
    key = await api.key(PARTNER);
    await api.key('other');
  });
  afterEach(() => api.close());

  const domain = async (name: string): Promise<Domain> =>
    (
      await api
        .as(MASTER)
        .get(`/domains/${encodeURIComponent(name)}`)
        .expect(200)
    ).body;
  const names = async (): Promise<string[]> =>
    (await api.as(MASTER).get('/domains/').expect(200)).body.map((row: { name: string }) => row.name);

  /** A service of a shop with the token of the kind. */
  const buy = (
    kind: string,
    id: number,
    name: string,
    product: { plan?: string; deletes?: boolean } = {},
  ): WhmcsService =>
    kind === 'partner'
      ? new WhmcsShop(api.url, key).service(id, name, product)
      : new WhmcsShop(api.url, BILLING).service(id, name, { ...product, partner: PARTNER });

  describe.each(['partner', 'billing'])('with a token of the kind %s', (kind) => {
    it('creates the domain of its partner once, however often WHMCS repeats', async () => {
      const service = buy(kind, 17, 'Shop.example.');
      expect(await service.run('CreateAccount')).toBe('success');
      const created = await domain('shop.example');
      expect(created).toMatchObject({ partner_ref: PARTNER, external_ref: 'whmcs-17', status: 'active' });
      expect(service.properties).toEqual({ 'Mailstead Domain Id': String(created.id) });
      expect(await service.run('CreateAccount')).toBe('success');
      expect(await Promise.all([service.run('CreateAccount'), service.run('CreateAccount')])).toEqual([
        'success',
        'success',
      ]);
      expect(await domain('shop.example')).toEqual(created);
      expect(await names()).toEqual(['shop.example']);
    });

    it('finds the domain that it created when the first answer was lost', async () => {
      await api.as(key).post('/domains/', { name: 'lost.example', external_ref: 'whmcs-17' }).expect(201);
      const service = buy(kind, 17, 'lost.example');
      expect(await service.run('CreateAccount')).toBe('success');
      expect(service.properties).toEqual({ 'Mailstead Domain Id': String((await domain('lost.example')).id) });
    });

    it('creates although WHMCS cannot store the id, and then goes by the reference', async () => {
      const service = buy(kind, 17, 'stored.example');
      expect(await service.run('CreateAccount', { brokenProperties: true })).toBe('success');
      expect(service.log.some(({ response }) => response.includes('custom fields is locked'))).toBe(true);
      expect(await service.run('SuspendAccount')).toBe('success');
      expect((await domain('stored.example')).status).toBe('suspended');
    });

    it.each([
      ['another partner', 'other', 'whmcs-17'],
      ['another service', PARTNER, 'whmcs-18'],
      ['nobody in WHMCS', PARTNER, null],
    ])("says the API's own sentence for a domain of %s, and changes nothing", async (_whose, partner, reference) => {
      await api.as(MASTER).post('/domains/', { name: 'taken.example', partner_ref: partner, external_ref: reference });
      const before = await domain('taken.example');
      for (const deletes of [false, true]) {
        const service = buy(kind, 17, 'taken.example', { deletes });
        expect(await service.run('CreateAccount')).toBe('Domain already exists');
        expect(service.log.at(-1)).toMatchObject({ action: 'CreateAccount', processed: 'Domain already exists' });
        for (const action of ['SuspendAccount', 'UnsuspendAccount', 'ChangePackage']) {
          expect(await service.run(action)).toMatch(NOT_OF_THE_SERVICE);
        }
        // To a key another partner's domain does not exist, so there is nothing to terminate.
        const isAbsent = kind === 'partner' && partner !== PARTNER;
        expect(await service.run('TerminateAccount')).toMatch(isAbsent ? /^success$/ : NOT_OF_THE_SERVICE);
        expect(await service.run('ServiceSingleSignOn')).toMatchObject({ success: false });
        expect(service.properties).toEqual({});
      }
      expect(await domain('taken.example')).toEqual(before);
      expect((await api.as(MASTER).get('/portal-links').expect(200)).body).toEqual([]);
    });

    it('suspends with its own cause and lifts it, each as often as WHMCS repeats', async () => {
      const service = buy(kind, 17, 'shop.example');
      await service.run('CreateAccount');
      for (const _repeat of [1, 2]) {
        expect(await service.run('SuspendAccount')).toBe('success');
        expect((await domain('shop.example')).suspension_causes).toEqual([kind]);
      }
      for (const _repeat of [1, 2]) {
        expect(await service.run('UnsuspendAccount')).toBe('success');
        expect((await domain('shop.example')).status).toBe('active');
      }
    });

    it('never lifts the cause of an operator, and says that it remains', async () => {
      const service = buy(kind, 17, 'shop.example');
      await service.run('CreateAccount');
      await api.as(MASTER).put('/domains/shop.example/suspend', { cause: 'abuse' }).expect(200);
      await service.run('SuspendAccount');
      expect(await service.run('UnsuspendAccount')).toBe('The domain stays suspended, for another cause: abuse.');
      expect(await service.run('UnsuspendAccount')).toMatch(/another cause: abuse|^Suspended by the operator$/);
      expect((await domain('shop.example')).suspension_causes).toEqual(['abuse']);
    });

    it('suspends a domain whose customer changed the reference in the portal', async () => {
      const service = buy(kind, 17, 'shop.example');
      await service.run('CreateAccount');
      await api.as(key).put('/domains/shop.example', { external_ref: 'mine' }).expect(200);
      expect(await service.run('SuspendAccount')).toBe('success');
      expect((await domain('shop.example')).status).toBe('suspended');
    });

    it('touches no domain that was made anew under the name, before staff hand it to the service', async () => {
      const service = buy(kind, 17, 'shop.example', { deletes: true });
      await service.run('CreateAccount');
      await api.as(MASTER).delete('/domains/shop.example').expect(204);
      await api.as(key).post('/domains/', { name: 'shop.example' }).expect(201);
      expect(await service.run('TerminateAccount')).toMatch(/^The domain was not created by this service/);
      await api.as(key).put('/domains/shop.example', { external_ref: 'whmcs-17' }).expect(200);
      expect(await service.run('SuspendAccount')).toBe('success');
      expect(service.properties).toEqual({ 'Mailstead Domain Id': String((await domain('shop.example')).id) });
    });

    it('terminates by suspending, keeps the mailboxes, and creates again by activating', async () => {
      const service = buy(kind, 17, 'shop.example');
      await service.run('CreateAccount');
      await api.as(MASTER).post('/users/', { email: 'me@shop.example', password: 'correct horse battery' }).expect(201);
      for (const _repeat of [1, 2]) expect(await service.run('TerminateAccount')).toBe('success');
      expect(await domain('shop.example')).toMatchObject({ suspension_causes: [kind], mailboxes: 1 });
      expect(await service.run('CreateAccount')).toBe('success');
      expect(await domain('shop.example')).toMatchObject({ status: 'active', mailboxes: 1 });
    });

    it('deletes on termination only when the product says so, and a repeat succeeds', async () => {
      const service = buy(kind, 17, 'shop.example', { deletes: true });
      await service.run('CreateAccount');
      for (const _repeat of [1, 2]) expect(await service.run('TerminateAccount')).toBe('success');
      expect(await names()).toEqual([]);
      expect((await api.as(MASTER).get('/deleted').expect(200)).body).toMatchObject([{ name: 'shop.example' }]);
      expect(await service.run('SuspendAccount')).toBe('Domain not found');
    });

    it('accepts a name of another script', async () => {
      const service = buy(kind, 17, 'bücher.example');
      for (const action of [
        'CreateAccount',
        'SuspendAccount',
        'UnsuspendAccount',
        'CreateAccount',
        'TerminateAccount',
      ]) {
        expect(await service.run(action)).toBe('success');
      }
      expect(await names()).toEqual(['xn--bcher-kva.example']);
    });

    it.each(['', 'nodots', '..', 'a/../b.example', 'a.example?x=1', 'a b.example', 'user@a.example'])(
      'sends nothing for the name %j, which is none',
      async (name) => {
        const service = buy(kind, 17, name);
        expect(await service.run('CreateAccount')).toMatch(/^The service has no valid domain name/);
        expect(await service.run('TerminateAccount')).toMatch(/^The service has no valid domain name/);
        expect(api.log.lines.filter(({ path }) => path?.startsWith('/domains'))).toEqual([]);
      },
    );

    it("says the API's own sentence when the API refuses", async () => {
      await api.as(MASTER).put(`/partners/${PARTNER}/suspend`, {}).expect(200);
      const limited = await api.key('full', { domains_allowed: 1 });
      const shop = new WhmcsShop(api.url, limited);
      expect(await shop.service(1, 'one.example').run('CreateAccount')).toBe('success');
      expect(await shop.service(2, 'two.example').run('CreateAccount')).toBe('Domain quota exceeded');
      expect(await shop.service(3, 'gmail.com').run('CreateAccount')).toBe('Domain name is reserved');
      expect(await shop.service(4, 'under_score.example').run('CreateAccount')).toMatch(/\(name .+\)$/);
      expect(await buy('partner', 5, 'late.example').run('CreateAccount')).toBe('Partner is suspended');
      expect(await names()).toEqual(['one.example']);
    });
  });

  it('leaves the domain that a billing token created pending', async () => {
    await buy('billing', 17, 'shop.example').run('CreateAccount');
    expect((await domain('shop.example')).inbound).toBe('pending');
  });

  it('sets the plan of the product with a billing token, at creation and at a change, repeatedly', async () => {
    const first = buy('billing', 17, 'shop.example', { plan: 'starter' });
    for (const _repeat of [1, 2]) expect(await first.run('CreateAccount')).toBe('success');
    expect((await domain('shop.example')).plan).toBe('starter');
    const upgraded = buy('billing', 17, 'shop.example', { plan: 'Business' });
    for (const _repeat of [1, 2]) expect(await upgraded.run('ChangePackage')).toBe('success');
    expect((await domain('shop.example')).plan).toBe('business');
    expect(await buy('billing', 17, 'shop.example').run('ChangePackage')).toBe('success');
    expect(sentenceOf(await buy('billing', 17, 'shop.example', { plan: 'gold' }).run('ChangePackage'))).toMatch(
      /\(plan must be one of .*starter/,
    );
    expect((await domain('shop.example')).plan).toBe('business');
  });

  it("creates nothing for a plan that a partner's key cannot set, and changes nothing without a plan", async () => {
    const planned = buy('partner', 17, 'shop.example', { plan: 'starter' });
    expect(await planned.run('CreateAccount')).toMatch(/^A partner's API key sets no plan/);
    expect(await names()).toEqual([]);
    const service = buy('partner', 17, 'shop.example');
    await service.run('CreateAccount');
    const before = await domain('shop.example');
    expect(await planned.run('ChangePackage')).toMatch(/^A partner's API key sets no plan/);
    expect(await service.run('ChangePackage')).toBe('success');
    expect(await domain('shop.example')).toEqual(before);
  });
});
