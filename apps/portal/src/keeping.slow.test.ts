import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

describe('what is kept in the portal', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let partner: Visitor;
  let shop: Visitor;
  let operator: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of ['first.com', 'second.com']) await service.call('POST', '/domains/', { name }, token);
    for (const email of ['anna@first.com', 'info@second.com'])
      await service.call('POST', '/users/', { email, password: 'a-password-of-anna' }, token);
    for (const address of ['a@first.com', 'b@first.com'])
      await service.call('POST', '/aliases/', { address, destination: 'anna@first.com' }, token);
    [partner, operator] = await Promise.all([browser.enter(service.url, token), browser.enter(service.url, MASTER)]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** Chooses what is done with a row, in its menu. */
  async function task({ page }: Visitor, of: string, name: string): Promise<void> {
    await page.getByRole('button', { name: `Actions: ${of}`, exact: true }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  }

  describe('a key of one’s own', () => {
    it('is shown once, and is in no storage of the page and in no answer after that', async () => {
      const { page } = partner;
      await partner.goTo('/keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Name').fill('shop');
      await page.getByLabel('Only these domains').fill('first.com\nsecond.com');
      await lookAt(browser, partner, 'Create a key');
      await page.getByRole('button', { name: 'Create the key' }).click();
      const shown = page.getByText(/^ms_[A-Za-z0-9_-]{43}$/);
      const made = (await shown.textContent()) ?? '';
      await lookAt(browser, partner, 'The token of a key');
      // A click beside the dialog does not lose it.
      await page.mouse.click(5, 5);
      await shown.waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await shown.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('row', { name: /^shop.*first\.com, second\.com.*Active/ }).waitFor();
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect([await page.content(), stored].join(' ')).not.toContain(made);
      shop = await browser.enter(service.url, made);
    });

    it('can only be made narrower, and the service says so beside the field', async () => {
      const { page } = partner;
      await task(partner, 'shop', 'Change');
      await page.getByLabel('Only these domains').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      const field = page.getByLabel('Only these domains');
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
      await lookAt(browser, partner, 'A refused change of a key');
      await field.fill('first.com');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /^shop.*Manage first\.com Active/ }).waitFor();
      await shop.goTo('/domains');
      await shop.page.getByText('1 domain shown').waitFor();
    });

    it('is rotated with an overlap, and the new token is shown once', async () => {
      const { page } = partner;
      await task(partner, 'shop', 'Rotate');
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      await page.getByText(/^ms_[A-Za-z0-9_-]{43}$/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('row', { name: /^shop.*Ends in 24 hours/ }).waitFor();
      await shop.page.reload();
      await shop.page.getByText('1 domain shown').waitFor();
    });

    it('is revoked when its name is typed, and whoever is in with it sees the door and the reason', async () => {
      const { page } = partner;
      const old = page.getByRole('row', { name: /^shop.*Ends in 24 hours/ });
      await old.getByRole('button', { name: 'Actions: shop' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByLabel('Type shop to confirm').fill('shop');
      await lookAt(browser, partner, 'Revoke a key');
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await old.waitFor({ state: 'detached' });
      await shop.page.getByRole('link', { name: 'Events' }).click();
      await shop.page.getByText('You are logged out').waitFor();
      await shop.page.getByRole('alert').filter({ hasText: 'Session has ended.' }).waitFor();
    });
  });

  describe('what was deleted', () => {
    it('comes back, and what could not come back is named', async () => {
      const { page } = partner;
      await partner.goTo('/domains/first.com/mailboxes/anna@first.com');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByLabel('Type anna@first.com to confirm').fill('anna@first.com');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('anna@first.com is deleted.').waitFor();
      await service.call('POST', '/users/', { email: 'b@first.com', password: 'a-password-of-b' }, token);
      await page.getByRole('link', { name: 'Deleted' }).click();
      await task(partner, 'anna@first.com', 'Restore');
      await page.getByText('anna@first.com is restored').waitFor();
      await page.getByText('b@first.com to anna@first.com').waitFor();
      await lookAt(browser, partner, 'Restored');
      await page.getByText('Nothing is deleted').waitFor();
      await service.call('GET', '/users/anna@first.com', undefined, token);
    });

    it('is erased only when its name is typed', async () => {
      const { page } = partner;
      await service.call('DELETE', '/users/info@second.com', undefined, token);
      await task(partner, 'info@second.com', 'Erase');
      const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase' });
      expect(await erase.isDisabled()).toBe(true);
      await page.getByLabel('Type info@second.com to confirm').fill('info@second.com');
      await erase.click();
      await page.getByText('Nothing is deleted').waitFor();
    });
  });

  describe('links and sessions', () => {
    it('a link is made and ended, and whoever came by it is out', async () => {
      const { page } = partner;
      await partner.goTo('/links');
      await page.getByRole('button', { name: 'Create a link' }).click();
      await page.getByLabel('Domain', { exact: true }).fill('first.com');
      await page.getByLabel('Days').fill('99');
      await page.getByRole('button', { name: 'Create the link' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      await lookAt(browser, partner, 'A refused link');
      await page.getByLabel('Days').fill('3');
      await page.getByRole('button', { name: 'Create the link' }).click();
      const address = (await page.getByText('/portal/enter#code=').textContent()) ?? '';
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      const customer = await browser.visit(service.url);
      await customer.page.goto(address);
      await customer.page.getByRole('button', { name: 'Enter' }).click();
      await customer.page.getByRole('heading', { level: 1, name: 'first.com' }).waitFor();
      await page.getByRole('button', { name: /^End link \d+ of first\.com$/ }).click();
      await page.getByLabel('Type first.com to confirm').fill('first.com');
      await page.getByRole('button', { name: 'End', exact: true }).click();
      await page.getByText('No links').waitFor();
      await customer.page.reload();
      await customer.page.getByText('Session has ended.').waitFor();
    });

    it('all other sessions end at once, and this one stays', async () => {
      const other = await browser.enter(service.url, token);
      const { page } = partner;
      await partner.goTo('/sessions');
      await page.getByRole('row', { name: /^Another/ }).waitFor();
      await page.getByRole('button', { name: 'End all others' }).click();
      await page.getByRole('row', { name: /^Another/ }).waitFor({ state: 'detached' });
      await page.getByRole('row', { name: /^This browser/ }).waitFor();
      await other.page.getByRole('link', { name: 'Events' }).click();
      await other.page.getByText('You are logged out').waitFor();
      await page.reload();
      await page.getByRole('row', { name: /^This browser/ }).waitFor();
    });
  });

  it('events are narrowed by their address, and new ones appear by themselves', async () => {
    const { page } = partner;
    await partner.goTo('/events?type=mailbox.created&domain=second.com');
    await page.getByText('info@second.com was added').waitFor();
    expect(await page.getByText('anna@first.com was added').count()).toBe(0);
    await service.call('POST', '/users/', { email: 'live@second.com', password: 'a-password-of-live' }, token);
    await page.getByText('live@second.com was added').waitFor();
  });

  describe('the operator', () => {
    it('creates a key, and with it the partner', async () => {
      const { page } = operator;
      await operator.goTo('/keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByLabel('Partner', { exact: true }).fill('new partner');
      await page.getByRole('button', { name: 'Create the key' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      await lookAt(browser, operator, 'A refused key');
      await page.getByLabel('Partner', { exact: true }).fill('new-partner');
      await page.getByRole('button', { name: 'Create the key' }).click();
      const made = (await page.getByText(/^ms_[A-Za-z0-9_-]{43}$/).textContent()) ?? '';
      expect(await service.call('GET', '/me', undefined, made)).toMatchObject({ partner_ref: 'new-partner' });
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    });

    it('names a partner, suspends it in stages, and takes it back', async () => {
      const { page } = operator;
      await operator.goTo('/operator/partners/acme');
      await page
        .getByRole('row', { name: /100 domains/ })
        .first()
        .waitFor();
      const names = page.getByRole('region', { name: 'Names' });
      await names.getByLabel('Name', { exact: true }).fill('Acme Limited');
      await names.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('radio', { name: 'Changes and outgoing mail' }).check();
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('Changes stopped by the operator').waitFor();
      await lookAt(browser, operator, 'A suspended partner');
      const of = await service.call('GET', '/partners/acme');
      expect(of).toMatchObject({ stage: 'changes', name: 'Acme Limited' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Changes stopped by the operator').waitFor({ state: 'detached' });
    });

    it('sees what the partner sees, without anything to change', async () => {
      const { page } = operator;
      await page.getByRole('link', { name: 'See as they do' }).click();
      await page.getByText('You see what acme sees.').waitFor();
      for (const title of ['Keys', 'Links', 'Deleted', 'Domains']) {
        await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: title }).click();
        await page.getByRole('heading', { level: 1, name: title }).waitFor();
        await page.getByText('Loading …').first().waitFor({ state: 'detached' });
        // A head that sorts changes nothing.
        const controls = await page.locator('#content button:not(thead *)').allInnerTexts();
        expect([title, controls.filter((text) => !['', 'CSV file'].includes(text))]).toEqual([title, []]);
        expect(await page.getByRole('button', { name: 'Actions' }).count()).toBe(0);
        expect(await page.getByText('new-partner').count()).toBe(0);
      }
      await page.getByRole('link', { name: 'Back to the operator’s view' }).click();
      await page.getByRole('row', { name: /^new-partner/ }).waitFor();
    });

    it('changes a tier, and the service says what is wrong with it', async () => {
      const { page } = operator;
      await operator.goTo('/operator/plans');
      await page.getByRole('button', { name: 'Change basic' }).click();
      await page.getByLabel('Recipients a day').fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      await lookAt(browser, operator, 'A refused tier');
      await page.getByLabel('Recipients a day').fill('123');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: /^basic 123/ }).waitFor();
    });

    it('runs a job now and sees its end', async () => {
      const { page } = operator;
      await operator.goTo('/operator/jobs');
      await page.getByRole('button', { name: 'Run now: housekeeping' }).click();
      await page.getByText('housekeeping runs now.').waitFor();
      await page.getByRole('row', { name: /^housekeeping.*Done/ }).waitFor();
    });

    it('narrows the audit log, and is told which filter is wrong', async () => {
      const { page } = operator;
      await operator.goTo('/operator/audit');
      await page.getByLabel('Action', { exact: true }).fill('partner.suspend');
      await page.getByText('1 change shown', { exact: true }).waitFor();
      await page.getByText('stage, suspension_causes').click();
      await page.getByText('"stage": "changes"').waitFor();
      await lookAt(browser, operator, 'An audit row');
      expect(new URL(page.url()).searchParams.get('action')).toBe('partner.suspend');
      await page.getByLabel('Since').fill('yesterday');
      await page.locator('[aria-invalid=true]').waitFor();
      await lookAt(browser, operator, 'A refused filter');
    });
  });
});
