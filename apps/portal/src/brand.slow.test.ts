import { END, header, pixels, png } from '@mailstead/adapters/logos/testing/made-png';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>Juniper</title><linearGradient id="a"><stop offset="0" stop-color="#2a6"/><stop offset="1" stop-color="#083"/></linearGradient><rect width="40" height="20" fill="url(#a)"/></svg>';
const HOSTILE = SVG.replace('<rect', '<script>window.hacked = true</script><rect');
const file = (name: string, mimeType: string, content: string | Buffer) => ({
  name,
  mimeType,
  buffer: Buffer.from(content as string),
});

describe('the brand of a partner', () => {
  let service: TestService;
  let browser: TestBrowser;
  let staff: Visitor;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'shop.com' }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const field = (label: string) => staff.page.getByLabel(label, { exact: true });
  const save = async () => {
    await staff.page.getByRole('button', { name: 'Save' }).click();
  };
  const codeOf = async (scope: 'dns' | 'manage') => {
    const body = { domain: 'shop.com', scope };
    return service.url + (await service.call<{ url: string }>('POST', '/portal-links', body, token)).url;
  };
  /** The contrast of the text of an element with its background, as the browser shows it. */
  const contrastOf = ({ page }: Visitor) =>
    page.locator('.portal-brand').evaluate((node) => {
      const luminance = (text: string) => {
        const [red = 0, green = 0, blue = 0] = (text.match(/\d+/g) ?? []).map((part) => {
          const share = Number(part) / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const { color, backgroundColor } = getComputedStyle(node);
      const [darker = 0, lighter = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => a - b);
      return (lighter + 0.05) / (darker + 0.05);
    });

  it.each(['dns', 'manage'] as const)('names nobody to a customer of a %s link while there is none', async (scope) => {
    const customer = await browser.visit(service.url);
    await customer.page.goto(await codeOf(scope));
    await customer.page.getByText('The link is valid until').waitFor();
    expect(await customer.page.locator('main').innerText()).not.toMatch(/Mailstead|acme/);
    await customer.page.getByRole('button', { name: 'Enter' }).click();
    await customer.page.getByRole('heading', { level: 1, name: 'shop.com' }).waitFor();
    expect(await customer.page.locator('header').innerText()).not.toMatch(/Mailstead|acme/);
    expect(await customer.page.title()).toBe('shop.com');
  });

  it('is set by the partner, with the reason of a refusal beside its field', async () => {
    staff = await browser.enter(service.url, token);
    await staff.page.getByRole('link', { name: 'Brand', exact: true }).click();
    await staff.page.getByText('the page of a customer names nobody').waitFor();
    await lookAt(browser, staff, 'Brand without one');
    await field('Name').fill('Juniper Hosting');
    await field('Colour').fill('#ffd700');
    await field('Support address').fill('help@juniper.example');
    await field('Support page').fill('http://juniper.example/help');
    await staff.page.getByLabel('Language').selectOption('Deutsch');
    await save();
    await staff.page.getByText('Must be an https address').waitFor();
    await field('Support page').fill('https://help.juniper.example/mail');
    await save();
    await staff.page.getByText('Saved.').waitFor();
    const brand = await service.call('GET', '/me/brand', undefined, token);
    expect(brand).toMatchObject({ name: 'Juniper Hosting', colour: '#ffd700', language: 'de', logo: null });
  });

  it('takes no logo with a script, and shows the one that the service wrote anew', async () => {
    const choose = staff.page.locator('input[type=file]');
    await choose.setInputFiles(file('a.gif', 'image/gif', 'GIF89a'));
    await staff.page.getByText('The file must be a PNG or an SVG.').waitFor();
    await choose.setInputFiles(file('a.svg', 'image/svg+xml', 'a'.repeat(65_537)));
    await staff.page.getByText('The file must have at most 64 kB.').waitFor();
    await choose.setInputFiles(file('hostile.svg', 'image/svg+xml', HOSTILE));
    await staff.page.locator('.portal-brand img').waitFor();
    await save();
    await staff.page.getByText('Has the element script.').waitFor();
    await lookAt(browser, staff, 'Brand with a refused logo');
    expect(await staff.page.evaluate(() => 'hacked' in window)).toBe(false);
    await choose.setInputFiles(file('logo.svg', 'image/svg+xml', SVG));
    await save();
    await staff.page.getByText('Has the element script.').waitFor({ state: 'detached' });
    await staff.page.getByRole('button', { name: 'Save' }).and(staff.page.locator(':disabled')).waitFor();
    const { logo } = await service.call<{ logo: { data: string } }>('GET', '/me/brand', undefined, token);
    expect(Buffer.from(logo.data, 'base64').toString()).not.toMatch(/script|title/);
    await lookAt(browser, staff, 'Brand');
  });

  it.each([
    ['wide', undefined],
    ['at 390 px', NARROW],
  ] as const)('is what a customer sees before and after entering, in its language, %s', async (_, size) => {
    for (const scope of ['dns', 'manage'] as const) {
      const customer = await browser.visit(service.url, size);
      const { page } = customer;
      await page.goto(await codeOf(scope));
      await page.getByText('Juniper Hosting').waitFor();
      const help = page.getByRole('link', { name: 'help.juniper.example' });
      expect(await help.getAttribute('href')).toBe('https://help.juniper.example/mail');
      expect(await help.getAttribute('rel')).toBe('noopener noreferrer');
      expect(await page.getByText('Diese Seite fragt nie nach einem Passwort.').count()).toBe(scope === 'dns' ? 1 : 0);
      await lookAt(browser, customer, `Enter by a ${scope} link with a brand`);
      await page.getByRole('button', { name: 'Anmelden' }).click();
      await page.getByRole('heading', { level: 1, name: 'shop.com' }).waitFor();
      await page.getByRole('banner').getByText('Juniper Hosting').waitFor();
      const image = page.locator('.portal-brand img');
      expect(await image.getAttribute('src')).toMatch(/^data:image\/svg\+xml;base64,/);
      expect(await image.evaluate((node: HTMLImageElement) => node.complete && node.naturalWidth > 0)).toBe(true);
      expect(await contrastOf(customer)).toBeGreaterThanOrEqual(4.5);
      await page.getByRole('link', { name: 'help@juniper.example' }).waitFor();
      await page.getByRole('link', { name: 'help.juniper.example' }).waitFor();
      expect(await page.getByText('Diese Seite fragt nie nach einem Passwort.').count()).toBe(scope === 'dns' ? 1 : 0);
      expect(await page.title()).toBe('shop.com · Juniper Hosting');
      await lookAt(browser, customer, `The page of a ${scope} link with a brand`);
      await customer.context.close();
    }
  });

  it('takes a PNG too, and keeps its text legible on a dark colour', async () => {
    const rows = Buffer.from('00ff000000ff000000ff0000ff00', 'hex');
    const logo = png(header({ width: 2, height: 2 }), pixels(rows), END);
    await staff.page.locator('input[type=file]').setInputFiles(file('logo.png', 'image/png', logo));
    await field('Colour').fill('#123456');
    await save();
    await staff.page.getByRole('button', { name: 'Save' }).and(staff.page.locator(':disabled')).waitFor();
    const image = staff.page.locator('.portal-brand img');
    expect(await image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBe(2);
    expect(await contrastOf(staff)).toBeGreaterThanOrEqual(4.5);
    await lookAt(browser, staff, 'Brand on a dark colour');
  });

  it('is removed by one click, which can be undone', async () => {
    await staff.page.getByRole('button', { name: 'Remove the brand' }).click();
    await staff.page.getByText('The brand is removed.').waitFor();
    expect(await service.call('GET', '/me/brand', undefined, token)).toMatchObject({ name: null, logo: null });
    await staff.page.getByRole('button', { name: 'Undo' }).click();
    await staff.page.getByText('Undone.').waitFor();
    expect(await service.call('GET', '/me/brand', undefined, token)).toMatchObject({
      name: 'Juniper Hosting',
      logo: { type: 'image/png' },
    });
  });

  it('is locked by the operator at the page of the partner, who then reads it only', async () => {
    const operator = await browser.enter(service.url, MASTER);
    await operator.goTo('/operator/partners/acme');
    const brand = operator.page.getByRole('region', { name: 'What customers see' });
    await brand.getByLabel('Only operators change this brand').check();
    await brand.getByRole('button', { name: 'Save' }).click();
    await operator.page.getByText('Saved.').waitFor();
    await lookAt(browser, operator, 'The brand at the page of a partner');
    await staff.page.getByText('The operator has locked the brand').waitFor();
    expect(await staff.page.getByRole('main').locator('input, button').count()).toBe(0);
    await lookAt(browser, staff, 'A locked brand');
  });

  it('is not shown while the partner is suspended', async () => {
    await service.call('PUT', '/partners/acme/suspend', { stage: 'changes' });
    const link = await service.call<{ url: string }>('POST', '/portal-links', { domain: 'shop.com', scope: 'dns' });
    const customer = await browser.visit(service.url);
    await customer.page.goto(service.url + link.url);
    await customer.page.getByRole('button', { name: 'Enter' }).click();
    await customer.page.getByRole('heading', { level: 1, name: 'shop.com' }).waitFor();
    expect(await customer.page.locator('body').innerText()).not.toMatch(/Juniper/);
    await customer.page.getByText('This page never asks for a password.').waitFor();
  });
});
