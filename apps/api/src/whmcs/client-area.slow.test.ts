import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { describePhp } from '../testing/describe-php.js';
import { WHMCS_FOLDER, type WhmcsService, WhmcsShop } from '../testing/whmcs-shop.js';

interface ClientArea {
  tabOverviewModuleOutputTemplate: string;
  templateVariables: { mailsteadDns: { name: string; isComplete: boolean; records: DnsRow[] } | null };
}

interface DnsRow {
  purpose: string;
  type: string;
  name: string;
  values: string[];
  status: string;
  isRequired: boolean;
}

describePhp('the page of a WHMCS customer', () => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
  });
  afterEach(() => api.close());

  const boughtWith = async (kind: string): Promise<WhmcsService> => {
    const key = await api.key('acme');
    const service =
      kind === 'partner'
        ? new WhmcsShop(api.url, key).service(17, 'shop.example')
        : new WhmcsShop(api.url, BILLING).service(17, 'shop.example', { partner: 'acme' });
    expect(await service.run('CreateAccount')).toBe('success');
    return service;
  };
  const login = async (service: WhmcsService): Promise<{ url: URL; code: string }> => {
    const { success, redirectTo } = (await service.run('ServiceSingleSignOn')) as {
      success: boolean;
      redirectTo: string;
    };
    expect(success).toBe(true);
    const code = /^#code=([\w-]{43})$/.exec(new URL(redirectTo).hash)?.[1] ?? '';
    expect(code).not.toBe('');
    expect(JSON.stringify(service.log)).not.toContain(code);
    return { url: new URL(redirectTo), code };
  };
  const preview = async (code: string): Promise<unknown> =>
    (await api.as('').post('/sessions/preview', { code }).expect(200)).body;

  it.each([
    ['partner', 'manage'],
    ['billing', 'dns'],
  ])('enters the portal with a link: a token of the kind %s makes a %s link', async (kind, link) => {
    const service = await boughtWith(kind);
    const first = await login(service);
    expect(`${first.url.origin}${first.url.pathname}`).toBe(`${api.url}/portal/enter`);
    expect(await preview(first.code)).toMatchObject({ link, domain: 'shop.example' });
    const second = await login(service);
    expect(second.code).not.toBe(first.code);
    expect((await api.as(MASTER).get('/portal-links').expect(200)).body).toMatchObject([
      { scope: link, domain: 'shop.example' },
      { scope: link, domain: 'shop.example' },
    ]);
  });

  it('enters at PUBLIC_URL when Mailstead has one', async () => {
    await api.close();
    api = await startTestApi('sqlite', { PUBLIC_URL: 'https://portal.mail.example' });
    expect((await login(await boughtWith('partner'))).url.origin).toBe('https://portal.mail.example');
  });

  it('gives no link to a domain that is gone', async () => {
    const service = await boughtWith('partner');
    await api.as(MASTER).delete('/domains/shop.example').expect(204);
    expect(await service.run('ServiceSingleSignOn')).toEqual({ success: false, errorMsg: 'Domain not found' });
  });

  it.each(['partner', 'billing'])(
    'shows the DNS records with their states, with a token of the kind %s',
    async (kind) => {
      const service = await boughtWith(kind);
      const read = async () => ((await service.run('ClientArea')) as ClientArea).templateVariables.mailsteadDns;
      const { checks, ok } = (await api.as(MASTER).get('/domains/shop.example/dns-check').expect(200)).body;
      const shown = await read();
      expect(shown).toMatchObject({ name: 'shop.example', isComplete: ok });
      expect(
        shown?.records.map(({ purpose, type, name, values, status }) => [purpose, type, name, values, status]),
      ).toEqual(
        checks.map((row: Record<string, unknown>) => [row.record, row.type, row.name, row.expected, row.status]),
      );
      expect(shown?.records.map(({ purpose }) => purpose)).toEqual(
        expect.arrayContaining(['mx', 'spf', 'verification', 'dkim']),
      );
      const challenge = shown?.records.find(({ purpose }) => purpose === 'verification');
      api.dns.set('TXT', challenge?.name ?? '', ...(challenge?.values ?? []));
      expect((await read())?.records.find(({ purpose }) => purpose === 'verification')).toMatchObject({ status: 'ok' });
    },
  );

  it('shows nothing of a domain that is not of the service', async () => {
    await api.key('acme');
    await api.as(MASTER).post('/domains/', { name: 'shop.example', partner_ref: 'acme' }).expect(201);
    const service = new WhmcsShop(api.url, BILLING).service(17, 'shop.example', { partner: 'acme' });
    expect(await service.run('ClientArea')).toMatchObject({ templateVariables: { mailsteadDns: null } });
  });

  it('asks nothing for a service that is not active', async () => {
    const shop = new WhmcsShop(api.url, BILLING);
    for (const status of ['Pending', 'Suspended', 'Terminated', 'Cancelled', 'Fraud']) {
      const { result } = await shop.call('ClientArea', { serviceid: 17, domain: 'shop.example', status });
      expect(result).toMatchObject({ templateVariables: { mailsteadIsActive: false, mailsteadDns: null } });
    }
    expect(api.log.lines).toEqual([]);
  });

  it('escapes every value that its template prints', async () => {
    const template = await readFile(join(WHMCS_FOLDER, 'modules/servers/mailstead/templates/clientarea.tpl'), 'utf8');
    const printed = [...template.matchAll(/\{\$[^}]*\}/g)].map(([tag]) => tag);
    expect(printed.length).toBeGreaterThan(6);
    expect(printed.filter((tag) => !tag.endsWith("|escape:'html'}"))).toEqual([]);
  });
});
