import type { Route } from 'playwright-core';
import { TestBrowser } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe('many domains at once', () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it('are added with a result for each', async () => {
    const token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'first-domain.com' }, token);
    const visitor = await browser.enter(service.url, token);
    const { page } = visitor;
    await visitor.goTo('/domains/add');
    const names = Array.from({ length: 50 }, (_, index) => `customer-${index}.com`);
    await page.getByLabel('Names').fill(['first-domain.com', 'com', ...names].join('\n'));
    await page.getByRole('button', { name: 'Add 52 domains' }).click();
    await page.getByText('50 domains added, 2 names refused.').waitFor();
    await page.getByRole('row', { name: 'first-domain.com Domain already exists.' }).waitFor();
    await lookAt(browser, visitor, 'Added domains');
    await page.getByRole('link', { name: 'To the domains' }).click();
    await page.getByText(/^50 domains of \d+ shown$/).waitFor();
    // The list changes, and is read again, before the next page comes.
    const holdOnce = async (route: Route) => {
      const isReadAgain = page.waitForResponse((response) => /\/domains\/\?(?!.*after=)/.test(response.url()));
      await service.call('POST', '/domains/', { name: 'from-elsewhere.com' }, token);
      await isReadAgain;
      await route.continue();
    };
    await page.route(/\/domains\/\?.*after=/, holdOnce, { times: 1 });
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('52 domains shown', { exact: true }).waitFor();
  });
});
