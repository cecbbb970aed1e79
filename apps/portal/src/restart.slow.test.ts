import { until } from '@mailstead/core/testing/until';
import type { Page } from 'playwright-core';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { TestService } from './testing/test-service.js';

const DOWN = 'The service does not answer';

describe.each([WIDE, NARROW])('at $width px, a restart of the service', (size) => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(async () => {
    await visitor.context.close();
    expect(browser.takeFaults()).toEqual([]);
  });

  /** @param loadsAhead false as for somebody who saves data: then each screen is loaded by the click that needs it. */
  async function enter({ loadsAhead = false } = {}): Promise<Page> {
    visitor = await browser.visit(service.url, size);
    const { page } = visitor;
    if (!loadsAhead) {
      await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    }
    await visitor.goTo('/enter');
    await page.getByLabel('Key', { exact: true }).fill(token);
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return page;
  }

  const click = async (page: Page, name: string) => {
    // On a phone the menu is behind a button, and closes with each click.
    if (size === NARROW) await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name, exact: true }).click();
  };
  const shows = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const loaded = (page: Page, part: string) =>
    page.evaluate((name) => performance.getEntriesByType('resource').some((each) => each.name.includes(name)), part);
  /** The pages that the browser loads from now on. */
  const documentsOf = (page: Page) => {
    const addresses: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'document') addresses.push(new URL(request.url()).pathname);
    });
    return addresses;
  };

  it('keeps a click on a screen that was not loaded yet, and shows the screen when the service is back', async () => {
    const page = await enter();
    const documents = documentsOf(page);
    await service.goDown();
    await click(page, 'Keys');
    await page.getByText(DOWN).waitFor();
    expect(page.url()).toBe(`${service.url}/portal/keys`);
    await service.comeBack();
    await shows(page, 'Keys');
    await page.getByText(DOWN).waitFor({ state: 'detached' });
    expect(documents).toEqual([]);
  });

  it('is survived by the screens that were loaded ahead', async () => {
    const page = await enter({ loadsAhead: true });
    await until('the last screen', () => loaded(page, '/deleted-page-'));
    expect(await loaded(page, '/partners-page-')).toBe(false);
    await service.goDown();
    await click(page, 'Deleted');
    await shows(page, 'Deleted');
    await page.getByText(DOWN).waitFor();
    await service.comeBack();
    await page.getByText(DOWN).waitFor({ state: 'detached' });
  });

  it('is told without a click, because the events stop, and they go on when it is back', async () => {
    const page = await enter();
    await click(page, 'Domains');
    await page.getByRole('row', { name: 'juniper.com' }).waitFor();
    await service.goDown();
    await page.getByText(DOWN).waitFor();
    await service.comeBack();
    await page.getByText(DOWN).waitFor({ state: 'detached' });
    await service.call('POST', '/domains/', { name: 'after-the-restart.com' }, token);
    await page.getByRole('row', { name: 'after-the-restart.com' }).waitFor();
  });

  it('loads a screen that a newer build dropped by loading the page anew at its address', async () => {
    const page = await enter();
    await page.route(/\/portal\/$/, (route) =>
      route.request().resourceType() === 'fetch' ? route.fulfill({ body: '<p>another build</p>' }) : route.continue(),
    );
    await page.route(/\/assets\/keys-page-/, (route) => route.fulfill({ status: 404 }));
    const documents = documentsOf(page);
    page.on('request', (request) => {
      if (request.resourceType() === 'document') void page.unroute(/\/assets\/keys-page-/);
    });
    await click(page, 'Keys');
    await shows(page, 'Keys');
    expect(documents).toEqual(['/portal/keys']);
  });

  it('does not load the page anew again and again when the screen stays away', async () => {
    const page = await enter();
    await page.route(/\/assets\/keys-page-/, (route) => route.fulfill({ status: 404 }));
    const documents = documentsOf(page);
    await click(page, 'Keys');
    await page.getByText('This part of the page could not be loaded').waitFor();
    await click(page, 'Domains');
    await page.getByRole('row', { name: 'juniper.com' }).waitFor();
    await click(page, 'Keys');
    await page.getByText('This part of the page could not be loaded').waitFor();
    expect(documents).toEqual(['/portal/keys']);
    await page.unroute(/\/assets\/keys-page-/);
    await page.reload();
    await shows(page, 'Keys');
    // React writes each error that a screen shows instead of its content.
    const others = browser.takeFaults().filter((fault) => !fault.includes('This part of the page could not be loaded'));
    expect(others).toEqual([]);
  });
});
