import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const DOMAIN = 'juniper.com';

describe('suppressed addresses in the portal', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let staff: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: DOMAIN }, token);
    staff = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const rows = ({ page }: Visitor = staff) => page.getByRole('table', { name: 'addresses' }).locator('tbody tr');
  const row = (text: string, visitor: Visitor = staff) => rows(visitor).filter({ hasText: text });
  const button = (name: string) => staff.page.getByRole('button', { name, exact: true });
  const listed = async () =>
    (await service.call<{ address: string }[]>('GET', '/suppressions/', undefined, token)).map(
      ({ address }) => address,
    );

  it('are none at first; several are added at once, and those that are wrong stay in the field with the reason', async () => {
    const { page } = staff;
    await staff.goTo('/suppressions');
    await page.getByText('No address is suppressed').waitFor();
    await lookAt(browser, staff, 'No suppressed addresses');
    await button('Add addresses').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Addresses' }).fill('Joe@far.example\nno address\nann@far.example');
    await dialog.getByLabel('Note').fill('asked by telephone');
    await dialog.getByRole('button', { name: 'Add addresses' }).click();
    await dialog.getByText('no address: ').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Addresses' }).inputValue()).toBe('no address');
    await lookAt(browser, staff, 'An address that is none');
    await page.keyboard.press('Escape');
    await row('joe@far.example').getByText('asked by telephone').waitFor();
    expect(await listed()).toEqual(['joe@far.example', 'ann@far.example']);
    await lookAt(browser, staff, 'Suppressed addresses');
  });

  it('are searched by their beginning and by their reason', async () => {
    const { page } = staff;
    await page.getByRole('searchbox').fill('jo');
    await row('ann@far.example').waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await row('ann@far.example').waitFor();
    await staff.goTo('/suppressions?reason=bounce');
    await page.getByText('No address matches').waitFor();
  });

  it('are lifted on one click, which can be undone; another caller’s change is seen at once', async () => {
    const { page } = staff;
    await staff.goTo('/suppressions');
    await button('Lift joe@far.example').click();
    await row('joe@far.example').waitFor({ state: 'detached' });
    await button('Undo').click();
    await row('joe@far.example').getByText('asked by telephone').waitFor();
    await service.call('POST', '/suppressions/', { address: 'new@far.example', domain: DOMAIN }, token);
    await row('new@far.example').getByText(DOMAIN).waitFor();
    await page.getByText('3 addresses shown').waitFor();
  });

  it('of a domain stand on its screen of sending, and those of the partner as a whole do not', async () => {
    await staff.goTo(`/domains/${DOMAIN}/sending`);
    await row('new@far.example').waitFor();
    expect(await rows().count()).toBe(1);
    await lookAt(browser, staff, 'Suppressed addresses of a domain');
  });

  it('are only listed until the partner has mail to them refused, which the operator sees and changes too', async () => {
    const { page } = staff;
    const mode = async () => (await service.call<{ mode: string }>('GET', '/me/suppressions', undefined, token)).mode;
    await staff.goTo('/suppressions');
    const refuse = page.getByRole('switch', { name: 'Refuse mail to these addresses' });
    expect(await refuse.isChecked()).toBe(false);
    await refuse.click();
    await page.getByRole('switch', { name: 'Refuse mail to these addresses', checked: true }).waitFor();
    expect(await mode()).toBe('refuse');
    const operator = await browser.enter(service.url, MASTER, NARROW);
    await operator.goTo('/suppressions?as=acme');
    await operator.page.getByRole('switch', { name: 'Refuse mail to these addresses', checked: true }).waitFor();
    await row('joe@far.example', operator).waitFor();
    await operator.goTo('/suppressions');
    await row('joe@far.example', operator).waitFor();
    expect(await operator.page.getByRole('button', { name: 'Add addresses' }).count()).toBe(0);
    await operator.page.getByRole('button', { name: 'Lift ann@far.example' }).click();
    await operator.page.getByText('ann@far.example is sent to again.').waitFor();
    expect(await operator.page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await listed()).not.toContain('ann@far.example');
    await lookAt(browser, operator, 'Suppressed addresses as acme');
    await operator.context.close();
  });
});
