import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const MX_HOSTS = ['mx1.platform.test', 'mx2.platform.test'];
const SPF = 'v=spf1 include:spf.platform.test ~all';
/** A customer on a phone finds all that is to be done on so many screens. */
const MOST_SCREENS = 2.6;

interface Check {
  record: string;
  records: { type: string; name: string; value: string }[];
}

describe.each([
  { window: 'a wide window', size: { width: 1280, height: 900 }, first: 'wide' },
  { window: 'a narrow window', size: NARROW, first: 'narrow' },
])('the DNS page in $window', ({ size, first }) => {
  const fresh = `${first}-fresh.com`;
  const misspelled = `${first}-misspelled.com`;
  const hostile = `${first}-hostile.com`;
  let dns: DnsServer;
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    dns = await DnsServer.start();
    dns.txt('spf.platform.test', 'v=spf1 ip4:192.0.2.1 -all');
    const settings = { DNS_SERVERS: dns.address, MX_HOSTS: MX_HOSTS.join(','), SPF_INCLUDE: 'spf.platform.test' };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of [fresh, misspelled, hostile]) {
      await service.call('POST', '/domains/', { name }, token);
      const isVerified = async () => (await service.call('GET', `/domains/${name}/relay-status`)).verified === true;
      await until(`${name} is verified`, isVerified);
    }
    dns.ns(fresh, 'ada.ns.cloudflare.com', 'bob.ns.cloudflare.com').soa(fresh, 'ada.ns.cloudflare.com');
    visitor = await browser.enter(service.url, token, size);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.stop(), dns?.close()]);
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const card = (name: string) => visitor.page.getByRole('region', { name, exact: true });
  const buttonsOf = (name: string) =>
    card(name)
      .getByRole('button')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('aria-label') ?? ''));
  const open = async (domain: string) => {
    await visitor.goTo(`/domains/${domain}/dns`);
    await card('What others do with forged mail (DMARC)').waitFor();
  };
  const checksOf = async (domain: string) =>
    (await service.call<{ checks: Check[] }>('GET', `/domains/${domain}/dns-check`)).checks;
  const publish = async (domain: string, isPublished: (check: Check, index: number) => boolean) => {
    const checks = await checksOf(domain);
    for (const { type, name, value } of checks.filter(isPublished).flatMap(({ records }) => records)) {
      if (type === 'CNAME') dns.cname(name, value);
      if (type === 'TXT') dns.txt(name, value);
    }
  };

  it('has each record as a provider asks for it, with a button for each value, and one card for DKIM', async () => {
    await open(fresh);
    expect(await buttonsOf('Mail arrives here (MX)')).toEqual([
      'Copy the short name @',
      `Copy the name ${fresh}`,
      'Copy the priority 10',
      'Copy the value mx1.platform.test',
      'Copy the priority 20',
      'Copy the value mx2.platform.test',
    ]);
    expect(await buttonsOf('What others do with forged mail (DMARC)')).toEqual([
      'Copy the short name _dmarc',
      `Copy the name _dmarc.${fresh}`,
      'Copy the value v=DMARC1; p=none',
    ]);
    expect(await buttonsOf('Mail is signed (DKIM)')).toHaveLength(9);
  });

  it('copies a value as it is entered', async () => {
    await visitor.page.getByRole('button', { name: 'Copy the short name @' }).first().click();
    expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe('@');
  });

  it('says where to click at the provider, and shows no card without a record', async () => {
    const where = visitor.page.getByRole('region', { name: 'Where to publish the records' });
    expect(await where.innerText()).toMatch(new RegExp(`The DNS of ${fresh} is at Cloudflare.*Add record`, 's'));
    expect(await visitor.page.getByText('MTA-STS').count()).toBe(0);
  });

  it('is short, also on a phone', async () => {
    await lookAt(browser, visitor, 'DNS with nothing published');
    const { height } = size;
    const screens = await visitor.page.evaluate((screen) => document.documentElement.scrollHeight / screen, height);
    expect(screens).toBeLessThan(MOST_SCREENS);
  });

  it('folds what is right, within a card too, and shows a foreign MX beside ours', async () => {
    let keys = 0;
    await publish(fresh, ({ record }) => record !== 'mx' && (record !== 'dkim' || ++keys < 3));
    dns.mx(fresh, ...[...MX_HOSTS, 'old.example'].map((exchange, index) => ({ exchange, preference: index })));
    await visitor.page.getByRole('button', { name: 'Check now' }).click();
    const mx = card('Mail arrives here (MX)');
    await mx.getByText('Right, with a warning').waitFor();
    expect(await mx.innerText()).toMatch(/There now.*old\.example.*Some mail may also be delivered to old\.example/s);
    expect(await buttonsOf('Mail is signed (DKIM)')).toHaveLength(3);
    expect(await card('Mail is signed (DKIM)').getByText('Right', { exact: true }).count()).toBe(2);
    const spf = card('This service may send (SPF)');
    expect(await spf.isVisible()).toBe(false);
    // SPF, ownership and DMARC.
    await visitor.page.getByText('3 records are right').click();
    expect(await spf.getByText(SPF).isVisible()).toBe(true);
    await lookAt(browser, visitor, 'DNS with records that are right');
  });

  it('needs nothing more when all is right', async () => {
    await publish(fresh, ({ record }) => record === 'dkim');
    dns.mx(fresh, ...MX_HOSTS.map((exchange) => ({ exchange, preference: 10 })));
    await visitor.page.getByRole('button', { name: 'Check now' }).click();
    await visitor.page.getByText('Every required record is right.').waitFor();
    await visitor.page.getByText('7 records are right').waitFor();
    expect(await visitor.page.getByRole('region', { name: 'Where to publish the records' }).count()).toBe(0);
  });

  it('tells of records of another spelling, and of a domain whose own name is a CNAME', async () => {
    dns.cname(misspelled, 'host.web.example').txt('host.web.example', 'v=spf1 -all');
    dns.txt(`_mta-sts.${misspelled}`, 'v=stsv1; id=1').txt(`_dmarc.${misspelled}`, 'v=DMARC10; p=none');
    await open(misspelled);
    const textOf = (name: string) => card(name).innerText();
    expect(await textOf('Mail arrives encrypted (MTA-STS)')).toContain('The record begins with "v=stsv1"');
    expect(await textOf('What others do with forged mail (DMARC)')).toMatch(
      /DMARC10; p=none.*must begin with v=DMARC1/s,
    );
    const isCname = `${misspelled} is a CNAME of host.web.example`;
    expect(await textOf('Mail arrives here (MX)')).toMatch(
      new RegExp(`${isCname}.*${misspelled} has no MX record`, 's'),
    );
    expect(await textOf('This service may send (SPF)')).toContain(isCname);
  });

  it('shows texts of the DNS as texts alone: nothing of them is a link or markup', async () => {
    const link = 'https://evil.example/login';
    dns
      .ns(hostile, 'ns1.good.example', '<b>click</b>.example', 'https://evil.example')
      .soa(hostile, 'ns1.good.example');
    dns.txt(hostile, `v=spf1 include:${link} <a href="${link}">Log in here</a> -all`);
    dns.mx(hostile, { exchange: 'www.evil.example', preference: 1 });
    dns.txt(`_dmarc.${hostile}`, `v=DMARC1; p=${link}`);
    await open(hostile);
    const main = visitor.page.locator('main');
    await main.getByText(`<a href="${link}">Log in here</a>`).first().waitFor();
    const targets = await main
      .locator('a')
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute('href') ?? ''));
    expect(targets.filter((target) => !target.startsWith('/portal/'))).toEqual([]);
    const where = await visitor.page.getByRole('region', { name: 'Where to publish the records' }).innerText();
    expect(where).toContain('ns1.good.example');
    expect(where).not.toMatch(/evil|click/);
    await lookAt(browser, visitor, 'DNS with hostile texts');
  });
});
