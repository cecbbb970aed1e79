import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { describePhp } from '../testing/describe-php.js';
import { UsageFront } from '../testing/usage-front.js';
import { type ModuleAnswer, WhmcsShop } from '../testing/whmcs-shop.js';

const MB = 1_048_576;
const UNTOUCHED = { diskusage: 1, disklimit: 2, bwusage: 3, bwlimit: 4, lastupdate: 'before' };

type Row = Record<string, unknown>;

const product = (id: number, partner = '', servertype = 'mailstead'): Row => ({
  id,
  servertype,
  configoption2: partner,
});
const hosting = (id: number, domain: string, more: Row = {}): Row => ({
  id,
  domain,
  server: 7,
  packageid: 3,
  domainstatus: 'Active',
  ...UNTOUCHED,
  ...more,
});
const month = (): string => new Date().toISOString().slice(0, 7);

describePhp('UsageUpdate of the WHMCS module', () => {
  let api: TestApi;
  let front: UsageFront;
  let key: string;

  beforeEach(async () => {
    api = await startTestApi('sqlite');
    key = await api.key('acme');
    front = await UsageFront.start(api.url);
    await api.as(MASTER).post('/domains/', { name: 'shop.example', partner_ref: 'acme' }).expect(201);
    await api.as(MASTER).put('/domains/shop.example/transfer', { transfer_monthly_mb: 5120 }).expect(200);
  });
  afterEach(async () => {
    await front.close();
    await api.close();
  });

  const update = async (token: string, services: Row[], products: Row[], url = front.url): Promise<ModuleAnswer> =>
    new WhmcsShop(url, token).call('UsageUpdate', {}, { tables: { tblhosting: services, tblproducts: products } });

  it.each(['partner', 'billing'])(
    'writes storage and transfer of each service, with a token of the kind %s',
    async (kind) => {
      const [token, path, partner] =
        kind === 'partner' ? [key, '/usage', ''] : [BILLING, '/partners/acme/usage', 'acme'];
      front.usage.set(`${path}?month=${month()}`, [
        { domain: 'shop.example', plan: 'starter', storageMb: 300, bytes: 2 * MB },
        { domain: 'shop.example', plan: 'business', storageMb: 200, bytes: MB + 1 },
        { domain: 'of-no-service.example', storageMb: 9, bytes: 9 },
      ]);
      const { result, tables } = await update(token, [hosting(17, 'Shop.example')], [product(3, partner)]);
      expect(result).toBe('success');
      expect(tables.tblhosting).toEqual([
        hosting(17, 'Shop.example', { diskusage: 300, bwusage: 4, bwlimit: 5120, lastupdate: 'now()' }),
      ]);
    },
  );

  it('reads the usage of the service itself', async () => {
    // PHP asks for the month of its own clock, which must not be after the service's.
    api.clock.set(new Date(Date.now() + 60_000));
    for (const [token, partner] of [
      [key, ''],
      [BILLING, 'acme'],
    ] as const) {
      const services = [hosting(17, 'shop.example')];
      const { result, tables } = await update(token, services, [product(3, partner)], api.url);
      expect(result).toBe('success');
      expect(tables.tblhosting).toMatchObject([{ bwusage: 0, bwlimit: 5120, diskusage: 1 }]);
    }
  });

  it('changes only active and suspended services of this server and this module', async () => {
    const others = [
      hosting(1, 'shop.example', { server: 8 }),
      hosting(2, 'shop.example', { domainstatus: 'Terminated' }),
      hosting(3, 'shop.example', { packageid: 4 }),
      hosting(4, ''),
      hosting(5, 'unknown.example'),
    ];
    front.usage.set(`/usage?month=${month()}`, [{ domain: 'shop.example', storageMb: 1, bytes: MB }]);
    const suspended = hosting(6, 'shop.example', { domainstatus: 'Suspended' });
    const { result, tables } = await update(key, [...others, suspended], [product(3), product(4, '', 'cpanel')]);
    expect(result).toBe('success');
    expect(tables.tblhosting?.slice(0, 5)).toEqual(others);
    expect(tables.tblhosting?.[5]).toMatchObject({ bwusage: 1, lastupdate: 'now()' });
  });

  it('leaves the storage alone when the mail server does not report it, and counts no use as 0', async () => {
    await api.as(MASTER).post('/domains/', { name: 'quiet.example', partner_ref: 'acme' }).expect(201);
    front.usage.set(`/usage?month=${month()}`, [{ domain: 'shop.example', storageMb: null, bytes: MB }]);
    const { tables } = await update(key, [hosting(17, 'shop.example'), hosting(18, 'quiet.example')], [product(3)]);
    expect(tables.tblhosting).toMatchObject([
      { diskusage: 1, bwusage: 1, bwlimit: 5120 },
      { diskusage: 1, bwusage: 0, bwlimit: 0, lastupdate: 'now()' },
    ]);
  });

  it('finds the domain of a service whose name is of another script, and passes one that is gone', async () => {
    await api.as(MASTER).post('/domains/', { name: 'bücher.example', partner_ref: 'acme' }).expect(201);
    front.usage.set(`/usage?month=${month()}`, [{ domain: 'xn--bcher-kva.example', storageMb: 7, bytes: MB }]);
    const gone = hosting(18, 'gelöscht.example');
    const { tables } = await update(key, [hosting(17, 'bücher.example'), gone], [product(3)]);
    expect(tables.tblhosting?.[0]).toMatchObject({ diskusage: 7, bwusage: 1 });
    expect(tables.tblhosting?.[1]).toEqual(gone);
  });

  it.each([
    'BÜCHER.example',
    'bücher.example.',
    'xn--bcher-kva.example',
    ' XN--BCHER-KVA.Example. ',
    'bücher.ＥＸＡＭＰＬＥ',
  ])('finds the domain of a service that spells it %j', async (spelling) => {
    await api.as(MASTER).post('/domains/', { name: 'bücher.example', partner_ref: 'acme' }).expect(201);
    front.usage.set(`/usage?month=${month()}`, [{ domain: 'xn--bcher-kva.example', storageMb: 7, bytes: MB }]);
    const { tables } = await update(key, [hosting(17, spelling)], [product(3)]);
    expect(tables.tblhosting?.[0]).toMatchObject({ diskusage: 7, bwusage: 1 });
  });

  it('reads the limits of more domains than a page has', async () => {
    const names = Array.from({ length: 1_100 }, (_, index) => `many-${index}.example`);
    for (let at = 0; at < names.length; at += 500) {
      const items = names.slice(at, at + 500).map((name) => ({ name, partner_ref: 'acme' }));
      await api.as(MASTER).post('/domains/bulk', { items }).expect(200);
    }
    front.usage.set(
      `/usage?month=${month()}`,
      names.map((domain) => ({ domain, storageMb: 1, bytes: MB })),
    );
    const { result, tables } = await update(
      key,
      names.map((name, index) => hosting(index + 1, name)),
      [product(3)],
    );
    expect(result).toBe('success');
    expect(tables.tblhosting?.every(({ bwusage, diskusage }) => bwusage === 1 && diskusage === 1)).toBe(true);
  });

  it('writes nothing of a list that was cut', async () => {
    front.usage.set(`/usage?month=${month()}`, [{ domain: 'shop.example', storageMb: 1, bytes: MB }]);
    front.isCut = true;
    const { result, tables, log } = await update(key, [hosting(17, 'shop.example')], [product(3)]);
    expect(result).toMatch(/was closed in the middle of the response/);
    expect(log.at(-1)?.processed).toBe(result);
    expect(tables.tblhosting).toEqual([hosting(17, 'shop.example')]);
  });

  it("says the API's own sentence for a partner that it does not know, and writes the others' numbers", async () => {
    front.usage.set(`/partners/acme/usage?month=${month()}`, [{ domain: 'shop.example', storageMb: 1, bytes: MB }]);
    front.usage.set(`/partners/typo/usage?month=${month()}`, {
      status: 404,
      code: 'partner_not_found',
      detail: 'Partner not found',
    });
    const services = [hosting(18, 'other.example', { packageid: 4 }), hosting(17, 'shop.example')];
    const { result, tables } = await update(BILLING, services, [product(3, 'acme'), product(4, 'typo')]);
    expect(result).toBe('Partner not found');
    expect(tables.tblhosting?.[0]).toEqual(services[0]);
    expect(tables.tblhosting?.[1]).toMatchObject({ bwusage: 1, diskusage: 1 });
  });

  it.each(['.', '..'])('asks for no usage of a partner %s, which would be a path of all partners', async (partner) => {
    front.usage.set(`/partners/acme/usage?month=${month()}`, [{ domain: 'shop.example', storageMb: 1, bytes: MB }]);
    front.usage.set(`/partners/${partner}/usage?month=${month()}`, [
      { domain: 'shop.example', storageMb: 9, bytes: 9 * MB },
    ]);
    const services = [hosting(18, 'shop.example', { packageid: 4 }), hosting(17, 'shop.example')];
    const { result, tables } = await update(BILLING, services, [product(3, 'acme'), product(4, partner)]);
    expect(result).toMatch(/^The module settings of a product name the partner "\.+"\./);
    expect(tables.tblhosting?.[0]).toEqual(services[0]);
    expect(tables.tblhosting?.[1]).toMatchObject({ bwusage: 1, diskusage: 1 });
  });
});
