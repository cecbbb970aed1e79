import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe('a page that stays open', () => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    visitor = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it('shows what others do, as it happens', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByText('No domains yet').waitFor();
    await service.call('POST', '/domains/', { name: 'from-elsewhere.com' }, token);
    await page.getByRole('row', { name: 'from-elsewhere.com' }).waitFor();
    await page.getByRole('row', { name: 'from-elsewhere.com Sending: Sends Receiving: Receives' }).waitFor();
    await service.call('PUT', '/domains/from-elsewhere.com/suspend', {}, token);
    await page.getByRole('row', { name: 'from-elsewhere.com Sending: Suspended Receiving: Suspended' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByText('Suspended by the partner itself: its mail waits').waitFor();
    await page.getByText('was suspended').waitFor();
    await lookAt(browser, visitor, 'Home with a domain that needs someone');
  });

  it('shows nothing of what another partner does', async () => {
    await service.call('POST', '/domains/', { name: 'of-another.com' }, await service.key('another'));
    await service.call('POST', '/domains/', { name: 'own-again.com' }, token);
    await visitor.page.getByText('own-again.com').first().waitFor();
    expect(await visitor.page.getByText('of-another').count()).toBe(0);
  });

  it('says that the service is down, and goes on by itself when it is back', async () => {
    const { page } = visitor;
    await service.goDown();
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByText('The service does not answer').waitFor();
    await lookAt(browser, visitor, 'The service is down');
    await service.comeBack();
    await page.getByRole('row', { name: 'own-again.com' }).waitFor();
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    await service.call('POST', '/domains/', { name: 'after-the-outage.com' }, token);
    await page.getByRole('row', { name: 'after-the-outage.com' }).waitFor();
  });

  it('keeps what was typed and says why, when a change does not arrive', async () => {
    const { page } = visitor;
    await visitor.goTo('/domains/add');
    await page.getByLabel('Names').fill('in-the-outage.com');
    await service.goDown();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('The service could not be reached. Try again in a moment.').waitFor();
    expect(await page.getByLabel('Names').getAttribute('aria-invalid')).not.toBe('true');
    await service.comeBack();
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { level: 1, name: 'in-the-outage.com' }).waitFor();
  });
});
