import type { Route } from 'playwright-core';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { MASTER, TestService } from './testing/test-service.js';

describe('what the page answers', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of ['juniper.com', 'alder.com', 'holly.com'])
      await service.call('POST', '/domains/', { name }, token);
    visitor = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const asMaster = (method: string, path: string, body: object) => service.call(method, path, body, MASTER);
  const openSearch = async (text: string) => {
    await visitor.page.getByRole('button', { name: 'Find anything' }).first().waitFor();
    await visitor.page.keyboard.press('Control+k');
    const field = visitor.page.getByRole('textbox', { name: 'Find anything' });
    await field.fill(text);
    return field;
  };

  /** Holds back what the service answers to searches. @returns what lets the answers pass */
  async function holdSearches(): Promise<() => Promise<void>> {
    const held: Route[] = [];
    await visitor.page.route('**/domains/?*q=*', (route) => void held.push(route));
    return async () => {
      for (const route of held) await route.continue();
      await visitor.page.unroute('**/domains/?*q=*');
    };
  }

  it('Enter in the search waits for the answer, and goes to what this text finds, not to what the former one did', async () => {
    const { page, goTo } = visitor;
    await goTo('/events');
    const field = await openSearch('juniper.com');
    await page.getByRole('button', { name: 'juniper.com' }).waitFor();
    const release = await holdSearches();
    await field.fill('alder.com');
    await field.press('Enter');
    await release();
    await page.waitForURL('**/domains/alder.com');
  });

  it('Enter goes to the domain that is found, not to a screen that was found before it', async () => {
    const { page, goTo } = visitor;
    await goTo('/events');
    const release = await holdSearches();
    const field = await openSearch('ho');
    await page.getByRole('button', { name: 'Home', exact: true }).waitFor();
    await field.press('Enter');
    await release();
    await page.waitForURL('**/domains/holly.com');
  });

  it('Enter goes to what the arrows chose', async () => {
    const { page, goTo } = visitor;
    await goTo('/events');
    const field = await openSearch('');
    await field.press('ArrowDown');
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.waitForURL('**/portal/domains');
  });

  it('the screen Sending says what the policy daemon is told, in every state', async () => {
    const { page, goTo } = visitor;
    const says = async (sentence: string) => {
      await goTo('/domains/alder.com/sending');
      await page.getByRole('status').getByText(sentence, { exact: true }).waitFor();
    };
    await says('May send');
    await asMaster('POST', '/domains/alder.com/outbound/increment', { count: 283, record: true });
    await says('The limit of today is reached, so its mail waits until 00:00 UTC');
    await asMaster('PUT', '/domains/alder.com/suspend', {});
    await says('Suspended, so its mail waits');
    await asMaster('PUT', '/domains/alder.com/activate', {});
    await asMaster('PUT', '/partners/acme/suspend', { stage: 'changes' });
    await says('Suspended, so its mail waits');
    await asMaster('PUT', '/partners/acme/activate', {});
    await asMaster('PUT', '/domains/alder.com/outbound', { outbound_status: 'blocked' });
    await says('Sending is blocked');
  });
});
