import { SIZES, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { loaded } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'read-operator-of-the-portal-0123456789';

describe('partners, on the page', () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    const settings = { OPERATOR_TOKENS: `auditor:read:${READ}` };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    await service.key('old-harbour');
    const token = await service.key('acme', { domains_allowed: 1 });
    await service.call('PUT', '/partners/acme', { name: 'Hårbor GmbH' });
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
    await service.key('berta');
    await service.call('PUT', '/partners/berta/suspend', { stage: 'changes' });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  async function shown({ page }: Visitor, count: string): Promise<string[]> {
    await page.getByText(count, { exact: true }).waitFor();
    const links = page.locator('main').getByRole('link', { name: /^(acme|berta|old-harbour)$/ });
    return links.allInnerTexts();
  }

  it.each(SIZES)(
    'are found by a word in any case and by their state, which the address has, at $at',
    async ({ size }) => {
      const visitor = await browser.enter(service.url, MASTER, size);
      const { page, goTo } = visitor;
      await goTo('/operator/partners');
      const search = page.getByRole('searchbox', { name: 'Search partners' });
      await search.fill('Harb');
      expect(await shown(visitor, '2 partners shown')).toEqual(['acme', 'old-harbour']);
      await lookAt(browser, visitor, 'Partners that were searched for');
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'All domains used' }).click();
      expect(await shown(visitor, '1 partner shown')).toEqual(['acme']);
      expect(new URL(page.url()).search).toBe('?q=Harb&state=at_limit');

      await goTo('/operator/partners?state=changes_stopped');
      expect(await shown(visitor, '1 partner shown')).toEqual(['berta']);
      await page.getByText('Changes stopped').first().waitFor();
      await page.getByRole('searchbox', { name: 'Search partners' }).fill('nobody');
      await page.getByRole('heading', { name: 'No partner matches' }).waitFor();
      await lookAt(browser, visitor, 'No partner');
      await page.getByRole('link', { name: 'Show all partners' }).click();
      await page.getByRole('link', { name: 'old-harbour', exact: true }).waitFor();
      await goTo('/operator/partners?state=unknown');
      await page.getByRole('link', { name: 'old-harbour', exact: true }).waitFor();
      await visitor.context.close();
    },
  );

  it('are found by Ctrl-K by a word of their name, which is shown', async () => {
    const visitor = await browser.enter(service.url, MASTER);
    const { page } = visitor;
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Find anything' }).fill('gmbh');
    await page.locator('[data-action]', { hasText: 'Hårbor GmbH' }).click();
    await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor();
    await page.getByText('All domains used').waitFor();
    await loaded(visitor);
    await lookAt(browser, visitor, 'The page of a partner without a domain left');
    await visitor.context.close();
  });

  it.each(SIZES)(
    'are added with a number of domains, or unlimited when somebody chooses it, and their key enters, at $at',
    async ({ at, size }) => {
      const visitor = await browser.enter(service.url, MASTER, size);
      const { page, goTo } = visitor;
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const reference = page.getByLabel('Reference', { exact: true });
      const domains = page.getByLabel('Domains', { exact: true });
      await goTo('/operator/partners');
      await page.getByRole('link', { name: 'Add partner' }).click();
      await page.getByRole('heading', { level: 1, name: 'Add partner' }).waitFor();
      await lookAt(browser, visitor, 'Add partner');

      await reference.fill('acme');
      await button('Add partner').click();
      await page.getByText('Type how many domains the partner may have, or choose unlimited.').waitFor();
      await domains.fill('0');
      await button('Add partner').click();
      await page.getByText('Type how many domains the partner may have, or choose unlimited.').waitFor();
      await domains.fill('3');
      await button('Add partner').click();
      await page.getByText('The partner acme is there already.').waitFor();
      await lookAt(browser, visitor, 'Add partner with a reference that is there');
      await reference.fill('not a reference');
      await button('Add partner').click();
      await page.getByText('Must have 1 to 128 characters', { exact: false }).waitFor();

      const ref = `new-${at}`;
      await reference.fill(ref);
      await page.getByLabel('Name (optional)').fill('New GmbH');
      await button('Add partner').click();
      await page.getByText(`The first key of ${ref}`).waitFor();
      await lookAt(browser, visitor, 'A partner that was added');
      const token = await page.locator('main code').first().innerText();
      expect(await service.call('GET', '/me', undefined, token)).toMatchObject({
        partner_ref: ref,
        limits: { domains_allowed: 3, mailboxes_per_domain: 10, aliases_per_mailbox: 5 },
      });
      await page.getByRole('link', { name: `Open ${ref}` }).click();
      await page.getByRole('heading', { level: 1, name: ref }).waitFor();
      expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('New GmbH');

      await goTo('/operator/add-partner');
      await reference.fill(`unlimited-${at}`);
      await page.getByLabel('Unlimited domains').check();
      expect(await domains.isDisabled()).toBe(true);
      await button('Add partner').click();
      await page.getByText(`The first key of unlimited-${at}`).waitFor();
      const unlimited = await page.locator('main code').first().innerText();
      expect(await service.call('GET', '/me', undefined, unlimited)).toMatchObject({ limits: { domains_allowed: 0 } });
      await button('Add another partner').click();
      expect([await reference.inputValue(), await domains.inputValue()]).toEqual(['', '']);
      await visitor.context.close();
    },
  );

  it('are not added by who may create no key, and the page says so', async () => {
    const visitor = await browser.enter(service.url, READ);
    await visitor.goTo('/operator/partners');
    await visitor.page.getByRole('link', { name: 'old-harbour', exact: true }).waitFor();
    expect(await visitor.page.getByRole('link', { name: 'Add partner' }).count()).toBe(0);
    await visitor.goTo('/operator/add-partner');
    await visitor.page.getByRole('heading', { name: 'Nothing to add here' }).waitFor();
    await lookAt(browser, visitor, 'Add partner for a reader');
    await visitor.context.close();
  });
});
