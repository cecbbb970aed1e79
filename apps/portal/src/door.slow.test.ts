import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe('the door', () => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const enter = async (token: string) => {
    await visitor.page.getByLabel('Key', { exact: true }).fill(token);
    await visitor.page.keyboard.press('Enter');
  };

  it('is where one gets without a session, and says beside the field why a key does not open it', async () => {
    visitor = await browser.visit(service.url);
    await visitor.goTo('/events');
    await visitor.page.getByRole('heading', { name: 'Enter with your key' }).waitFor();
    await enter('not-a-key-of-this-service');
    await visitor.page.getByText('Invalid token.').waitFor();
    await enter('schlüssel-von-acme-0123456789');
    await visitor.page.getByText('This is not a key').waitFor();
    // An invisible character, as texts that were copied have.
    await enter('key-of-acme\u200b-0123456789-abcdef');
    await visitor.page.getByText('This is not a key').waitFor();
    await lookAt(browser, visitor, 'Enter');
  });

  it('opens by the keyboard alone, and leads to where one wanted to go', async () => {
    await enter(await service.key('acme'));
    await visitor.page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe('/portal/events');
  });

  it('leaves no token in any storage of the page, and no cookie that a script can read', async () => {
    const kept = await visitor.page.evaluate(async () => ({
      stored: JSON.stringify([localStorage, sessionStorage]),
      cookie: document.cookie,
      databases: (await indexedDB.databases()).length,
    }));
    expect(kept).toEqual({ stored: '[{},{}]', cookie: '', databases: 0 });
  });

  it('keeps the session when the page is loaded again', async () => {
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  });

  it('is shown on the next call after the key was revoked elsewhere, with the reason', async () => {
    const [key] = await service.call<{ id: number }[]>('GET', '/api-keys/?partner_ref=acme');
    await service.call('DELETE', `/api-keys/${key?.id}`);
    await visitor.page.getByRole('link', { name: 'Home' }).click();
    await visitor.page.getByRole('heading', { name: 'Enter with your key' }).waitFor();
    await visitor.page.getByText('You are logged out').waitFor();
    await visitor.page.getByRole('alert').filter({ hasText: 'Session has ended.' }).waitFor();
    await lookAt(browser, visitor, 'You are logged out');
  });

  it('is closed behind who logs out, also for the pages that were open', async () => {
    visitor = await browser.enter(service.url, await service.key('other'));
    const second = await visitor.context.newPage();
    await second.goto(`${service.url}/portal/domains`);
    await second.getByRole('heading', { level: 1, name: 'Domains' }).waitFor();
    await visitor.page.getByRole('button', { name: 'other' }).click();
    await visitor.page.getByRole('menuitem', { name: 'Log out' }).click();
    await visitor.page.getByRole('heading', { name: 'Enter with your key' }).waitFor();
    await second.getByRole('link', { name: 'Home' }).click();
    await second.getByRole('heading', { name: 'Enter with your key' }).waitFor();
  });

  it('does not lead to another place than the portal', async () => {
    visitor = await browser.visit(service.url);
    await visitor.goTo('/enter?to=//elsewhere.example/');
    await enter(await service.key('third'));
    await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(visitor.page.url()).pathname).toMatch(/^\/portal\/?$/);
  });

  it('shows an address that does not exist as such', async () => {
    await visitor.goTo('/no/such/screen');
    await visitor.page.getByText('There is no such page').waitFor();
  });

  it('has a search that Ctrl-K opens although its code has not come yet', async () => {
    visitor = await browser.visit(service.url);
    const held: (() => Promise<void>)[] = [];
    await visitor.page.route(/\/assets\/search-[\w-]+\.js$/, (route) => void held.push(() => route.continue()));
    await visitor.goTo('/enter');
    await enter(await service.key('fourth'));
    await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await visitor.page.keyboard.press('Control+k');
    expect(held).toHaveLength(1);
    await Promise.all(held.map((go) => go()));
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Domains', exact: true }).waitFor();
  });
});
