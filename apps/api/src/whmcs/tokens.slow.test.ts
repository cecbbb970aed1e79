import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { describePhp } from '../testing/describe-php.js';
import { FUNCTIONS, sentenceOf, WhmcsShop } from '../testing/whmcs-shop.js';

const TABLES = { tblhosting: [], tblproducts: [] };

describePhp('the token of the WHMCS module', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
  });
  afterEach(() => api.close());

  const refusal = async (token: string, server: Record<string, unknown> = {}): Promise<string | null> =>
    sentenceOf((await new WhmcsShop(api.url, token, server).call('TestConnection')).result);

  it("may be a partner's key and a billing token", async () => {
    expect(await refusal(await api.key('acme'))).toBeNull();
    expect(await refusal(BILLING)).toBeNull();
  });

  it.each(FUNCTIONS)('is never a master token: %s refuses it and asks for nothing more', async (action) => {
    const service = new WhmcsShop(api.url, MASTER).service(17, 'shop.example', { partner: 'acme' });
    const result = await service.run(action, { tables: TABLES });
    expect(service.log.at(-1)?.processed).toMatch(/^This is a master token\./);
    if (action === 'ClientArea') {
      expect(result).toMatchObject({ templateVariables: { mailsteadDns: null } });
    } else {
      expect(sentenceOf(result)).toMatch(/^This is a master token\..+replace this master token now\.$/);
    }
    expect(api.log.lines.map(({ path }) => path)).toEqual(['/me']);
  });

  it('is none of another scope, a narrower key, or a wrong token', async () => {
    const key = await api.key('acme');
    await api.as(key).post('/domains/', { name: 'shop.example' }).expect(201);
    const made = async (fields: Record<string, unknown>): Promise<string> =>
      (await api.as(key).post('/me/keys', fields).expect(201)).body.token;
    expect(await refusal(POLICY)).toMatch(/neither a partner's API key nor a token with the scope billing/);
    expect(await refusal(READ)).toMatch(/neither a partner's API key nor a token with the scope billing/);
    expect(await refusal(await made({ scope: 'read' }))).toMatch(/may only read/);
    expect(await refusal(await made({ domains: ['shop.example'] }))).toMatch(/limited to some domains/);
    expect(await refusal('wrong-token-of-the-tests-0123456789')).toBe('Invalid token');
    expect(await refusal('')).toMatch(/^Give the token of Mailstead in the field Password/);
    expect(await refusal('two words-and-more-than-that')).toMatch(/contains a space/);
    expect(await refusal('a-token-with\r\nX-Injected: header')).toMatch(/contains a space, a line break/);
  });

  it('is read from the access hash when the server has one, without the space around it', async () => {
    const key = await api.key('acme');
    expect(
      await refusal(key, { serveraccesshash: `${key}\r\n`, serverpassword: 'filled in by the browser' }),
    ).toBeNull();
  });

  it('must fit the partner of the product', async () => {
    const key = await api.key('acme');
    const withKey = new WhmcsShop(api.url, key).service(17, 'shop.example', { partner: 'other' });
    expect(await withKey.run('CreateAccount')).toBe(
      'The module settings of the product name the partner "other", but the API key is one of "acme".',
    );
    const withoutPartner = new WhmcsShop(api.url, BILLING).service(17, 'shop.example');
    expect(await withoutPartner.run('CreateAccount')).toMatch(/^Name the partner in the module settings/);
    expect((await api.as(MASTER).get('/domains/').expect(200)).body).toEqual([]);
  });

  it.each([
    ['http://api.mail.example', {}, /^Tick "Secure"/],
    ['http://127.0.0.1', { serverhostname: 'https://api.mail.example/', serversecure: true }, /^Give the hostname/],
    ['http://127.0.0.1', { serverhostname: 'api.mail.example@evil.example', serversecure: 'on' }, /^Give the hostname/],
    ['http://127.0.0.1', { serverhostname: '', serverip: '' }, /^Tick "Secure"|^Give the hostname/],
    ['http://127.0.0.1', { serverport: '70000' }, /^The port/],
    ['http://127.0.0.1', { serverport: '80; rm' }, /^The port/],
  ])('is not sent with the settings %s %j', async (url, server, sentence) => {
    const shop = new WhmcsShop(url, 'token-that-nobody-gets-0123456789', server);
    expect(sentenceOf((await shop.call('TestConnection')).result)).toMatch(sentence);
  });
});
