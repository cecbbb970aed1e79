import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe('a link to the portal', () => {
  let service: TestService;
  let browser: TestBrowser;
  let customer: Visitor;
  let token: string;
  let shared: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of ['shared.com', 'not-shared.com']) await service.call('POST', '/domains/', { name }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const make = async (scope: 'dns' | 'manage') => {
    const { url } = await service.call<{ url: string }>(
      'POST',
      '/portal-links',
      { domain: 'shared.com', scope },
      token,
    );
    return service.url + url;
  };
  /** Calls the API with the session of the page. @returns the status. */
  const statusOf = (path: string) => customer.page.evaluate(async (asked) => (await fetch(asked)).status, path);

  it('is made on the DNS screen and shown once', async () => {
    const { page } = await browser.enter(service.url, token);
    await page.goto(`${service.url}/portal/domains/shared.com/dns`);
    await page.getByRole('button', { name: 'Share this page' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    shared = (await page.getByText('/portal/enter#code=').textContent()) ?? '';
    expect(shared).toMatch(new RegExp(`^${service.url}/portal/enter#code=[A-Za-z0-9_-]{43}$`));
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText('/portal/enter#code=').waitFor({ state: 'detached' });
  });

  it('says who one will be, takes its code out of the address at once, and lets in on a click alone', async () => {
    customer = await browser.visit(service.url);
    await customer.page.goto(shared);
    await customer.page.getByText('You will see the DNS records of shared.com, and nothing else.').waitFor();
    expect(customer.page.url()).toBe(`${service.url}/portal/enter`);
    await lookAt(browser, customer, 'Enter by a link');
    expect(await statusOf('/me')).toBe(401);
    await customer.page.getByRole('button', { name: 'Enter' }).click();
    await customer.page.getByRole('heading', { level: 1, name: 'shared.com' }).waitFor();
    await customer.page.getByText('Mail is signed').first().waitFor();
    await lookAt(browser, customer, 'DNS of a link');
    await customer.page.getByText('mx1.mailstead.example', { exact: true }).waitFor();
    expect(await customer.page.getByRole('main').textContent()).not.toMatch(/[A-Z]+_[A-Z]+|Set up mail servers/);
  });

  it.each(['/', '/domains', '/domains/shared.com', '/domains/not-shared.com/dns', '/keys', '/operator/audit'])(
    'for the DNS leads from %s to its one screen',
    async (address) => {
      await customer.goTo(address);
      await customer.page.getByText('Mail is signed').first().waitFor();
      expect(customer.page.url()).toBe(`${service.url}/portal/domains/shared.com/dns`);
    },
  );

  it('for the DNS reads nothing else of the API', async () => {
    const paths = ['/domains/', '/domains/shared.com', '/domains/not-shared.com/dns-check', '/users/', '/events'];
    const statuses = [];
    for (const path of paths) statuses.push([path, await statusOf(path)]);
    expect(statuses.filter(([, status]) => status === 200)).toEqual([]);
  });

  it('ends with its deletion, on the next call, and says so', async () => {
    const links = await service.call<{ id: number }[]>('GET', '/portal-links', undefined, token);
    for (const { id } of links) await service.call('DELETE', `/portal-links/${id}`, undefined, token);
    await customer.page.getByRole('button', { name: 'Check now' }).click();
    await customer.page.getByText('You are logged out').waitFor();
    // Only the fragment differs, so the browser does not load the page again.
    await customer.page.goto(shared);
    await customer.page.getByText('This link cannot be used').waitFor();
    expect(customer.page.url()).toBe(`${service.url}/portal/enter`);
    await lookAt(browser, customer, 'A link that has ended');
  });

  it('to manage a domain shows that domain alone, and is used up', async () => {
    const link = await make('manage');
    await customer.page.goto(link);
    await customer.page.getByText('You will manage shared.com').waitFor();
    await customer.page.getByRole('button', { name: 'Enter' }).click();
    await customer.page.getByRole('link', { name: 'Mailboxes', exact: true }).waitFor();
    await customer.goTo('/domains/not-shared.com/dns');
    await customer.page.getByRole('heading', { level: 1, name: 'shared.com', exact: true }).waitFor();
    expect([await statusOf('/domains/shared.com'), await statusOf('/domains/not-shared.com')]).toEqual([200, 404]);
    await service.call('PUT', '/me/brand', { name: 'Juniper', support_email: 'help@juniper.example' }, token);
    const second = await browser.visit(service.url);
    await second.page.goto(link);
    await second.page.getByText('This link cannot be used').waitFor();
    await second.page.getByText('Ask Juniper for a new one.').waitFor();
    await second.page.getByRole('link', { name: 'help@juniper.example' }).waitFor();
    await service.call('DELETE', '/me/brand', undefined, token);
  });

  it('asks before it takes the place of a session', async () => {
    customer = await browser.enter(service.url, token);
    await customer.page.goto('about:blank');
    await customer.page.goto(await make('manage'));
    await customer.page.getByText('You are logged in as acme').waitFor();
    await lookAt(browser, customer, 'A link over a session');
    await customer.page.getByRole('button', { name: 'Keep this session' }).click();
    await customer.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });
});
