import { until } from '@mailstead/core/testing/until';
import { WebhookReceivers } from '../../../scripts/webhook-receivers.mjs';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

/** Challenges and tests of an endpoint: once in this time. */
const PROBES_APART_MS = 5_000;

describe('webhooks in the portal', () => {
  let receivers: WebhookReceivers;
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let staff: Visitor;
  /** How each host answers; 200 without. */
  const statuses = new Map<string, number>();
  /** A host that answers 500 to the first attempt of each event. */
  let refusesFirst = '';

  beforeAll(async () => {
    receivers = await WebhookReceivers.start();
    receivers.answer = (host, id) => {
      const isFirst = !receivers.received.some((each) => each.host === host && each.id === id);
      return host === refusesFirst && isFirst ? 500 : (statuses.get(host) ?? 200);
    };
    [service, browser] = await Promise.all([TestService.start('sqlite', receivers.environment), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'first.com' }, token);
    staff = await browser.enter(service.url, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    receivers?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const button = (name: string) => staff.page.getByRole('button', { name, exact: true });
  const dialog = () => staff.page.getByRole('dialog');
  const facts = ({ page }: Visitor = staff) => page.getByRole('table', { name: 'The webhook' });
  const attempts = () => staff.page.getByRole('table', { name: 'Last attempts' }).getByRole('row');
  const api = <Result>(method: string, path: string, body?: unknown) => service.call<Result>(method, path, body, token);
  const row = ({ page }: Visitor, title: string) =>
    page.locator('#content').locator('.portal-row').filter({ hasText: title });
  /** Waits until the endpoint may be challenged or tested again. */
  const probesAreFree = (host: string) =>
    until('the time between two probes', () => {
      const last = receivers.received.findLast((each) => each.host === host && /^(test|challenge)-/.test(each.id));
      return last === undefined || performance.now() - last.at > PROBES_APART_MS;
    });

  it('are none at first; a new one names what is wrong beside its field, and shows its secret this once', async () => {
    const { page, goTo } = staff;
    await goTo('/webhooks');
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    await lookAt(browser, staff, 'No webhooks');
    await button('Add a webhook').click();
    await dialog().getByLabel('URL').fill('http://shop.hooks.test/');
    await button('Add the webhook').click();
    await dialog().getByText('Must begin with https://').waitFor();
    await dialog().getByLabel('URL').fill('https://shop.hooks.test/hook');
    await dialog().getByLabel('Types of events').fill('domain.*\nsky.fell');
    await button('Add the webhook').click();
    await dialog().getByText('"sky.fell" is no type of events').waitFor();
    await lookAt(browser, staff, 'A webhook that is refused');
    await dialog().getByLabel('Types of events').fill('domain.*\nwebhook.*');
    await dialog().getByLabel('Description').fill('the shop');
    await button('Add the webhook').click();
    const secret = dialog().getByText('whsec_');
    expect(await secret.innerText()).toMatch(/^whsec_[\w+/]{43}=$/);
    await button('Copy').waitFor();
    await lookAt(browser, staff, 'The secret of a webhook');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await secret.waitFor({ state: 'detached' });
  });

  it('turn active before the eyes, when the server has answered the challenge', async () => {
    const { page } = staff;
    const listed = page.getByRole('row').filter({ hasText: 'shop.hooks.test' });
    await listed.getByText('Active').waitFor();
    expect(await listed.innerText()).toContain('domain.*, webhook.*');
    await lookAt(browser, staff, 'Webhooks');
    await listed.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Webhook 1' }).waitFor();
    await facts().getByText('https://shop.hooks.test/hook').waitFor();
    await attempts().filter({ hasText: 'webhook.challenge' }).getByText('arrived').waitFor();
  });

  it('show how a test ended, and each attempt with the position of its event', async () => {
    await probesAreFree('shop.hooks.test');
    await button('Send a test').click();
    await staff.page.getByText('The test: arrived.').waitFor();
    await attempts().filter({ hasText: 'webhook.test' }).waitFor();
    // The second attempt comes 5 s after the first one, the third one five minutes later.
    refusesFirst = 'shop.hooks.test';
    await api('POST', '/domains/', { name: 'second.com' });
    const failed = attempts().filter({ hasText: 'domain.created' }).filter({ hasText: 'its server answered 500' });
    await failed.first().waitFor();
    expect(await failed.first().innerText()).toMatch(/\d/);
    await attempts().filter({ hasText: 'domain.created' }).getByText('arrived').waitFor();
    refusesFirst = '';
    await lookAt(browser, staff, 'A webhook');
  });

  it('are changed; another URL has to be confirmed again, as often as it takes', async () => {
    const { page } = staff;
    statuses.set('other.hooks.test', 404);
    await page.getByLabel('Description').fill('the other shop');
    await page.getByLabel('URL').fill('https://other.hooks.test/');
    await button('Save').click();
    await facts().getByText('Not confirmed').waitFor();
    await facts().getByText('Nothing is sent before its server has answered a challenge').waitFor();
    await facts().getByText('the other shop').waitFor();
    await attempts().filter({ hasText: 'its server answered 404' }).first().waitFor();
    await probesAreFree('other.hooks.test');
    await button('Confirm again').click();
    await page.getByText('The webhook is not confirmed').waitFor();
    await lookAt(browser, staff, 'A webhook that is not confirmed');
    statuses.delete('other.hooks.test');
    await probesAreFree('other.hooks.test');
    await button('Confirm again').click();
    await page.getByText('The webhook is confirmed.').waitFor();
    await facts().getByText('Active').waitFor();
  });

  it('deliver again what lies between two positions', async () => {
    const { page } = staff;
    const events = await api<{ id: number; type: string }[]>('GET', '/events?types=domain.created');
    const [first, second] = events.map(({ id }) => id);
    await button('Deliver again').click();
    await dialog().getByLabel('From after the position').fill(String(first));
    await dialog().getByLabel('To the position').fill('999999');
    await button('Deliver').click();
    await dialog().getByText('position that was given').waitFor();
    await lookAt(browser, staff, 'To deliver again');
    await dialog().getByLabel('To the position').fill(String(second));
    await button('Deliver').click();
    await page.getByText(/events? will be delivered again/).waitFor();
    await until('the event again', () => receivers.taken('other.hooks.test').some(({ id }) => id === `${second}-1`));
  });

  it('get another secret, shown this once', async () => {
    await button('Replace the secret').click();
    await dialog().getByLabel('Hours that the old secret signs too').fill('73');
    await button('Replace').click();
    await dialog().getByText(/72/).nth(1).waitFor();
    await dialog().getByLabel('Hours that the old secret signs too').fill('0');
    await button('Replace').click();
    expect(await dialog().getByText('whsec_').innerText()).toMatch(/^whsec_/);
    await lookAt(browser, staff, 'The new secret of a webhook');
    await staff.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  it('are switched off and on, also by another caller before the eyes', async () => {
    await button('Switch off').click();
    await facts().getByText('Somebody switched it off.').waitFor();
    await api('PUT', '/webhook-endpoints/1', { active: true });
    await facts().getByText('Active').waitFor();
    await api('PUT', '/webhook-endpoints/1', { active: false });
    await facts().getByText('Switched off').waitFor();
    await lookAt(browser, staff, 'A webhook that is switched off');
    await button('Switch on').click();
    await facts().getByText('Active').waitFor();
  });

  it('that get nothing any more are on Home before the eyes, with the reason, and leave it when they are on', async () => {
    const visitor = await browser.enter(service.url, token, NARROW);
    await visitor.page.getByRole('heading', { name: 'What needs you' }).waitFor();
    expect(await row(visitor, 'other.hooks.test').count()).toBe(0);
    statuses.set('other.hooks.test', 410);
    await api('POST', '/domains/', { name: 'third.com' });
    await row(visitor, 'other.hooks.test').getByText('its server answered 410').waitFor();
    await lookAt(browser, visitor, 'Home with a webhook that is switched off');
    statuses.delete('other.hooks.test');
    await row(visitor, 'other.hooks.test').getByRole('link').click();
    await visitor.page.getByRole('button', { name: 'Switch on' }).click();
    await facts(visitor).getByText('Active').waitFor();
    await visitor.goTo('/');
    await visitor.page.getByRole('heading', { name: 'What needs you' }).waitFor();
    expect(await row(visitor, 'other.hooks.test').count()).toBe(0);
    await visitor.context.close();
  });

  it('that get nothing are on the Home of who has no domain, too', async () => {
    const other = await service.key('without-domains');
    const { id } = await service.call<{ id: number }>(
      'POST',
      '/webhook-endpoints',
      { url: 'https://alone.hooks.test/' },
      other,
    );
    await service.call('PUT', `/webhook-endpoints/${id}`, { active: false }, other);
    const visitor = await browser.enter(service.url, other);
    await row(visitor, 'alone.hooks.test').getByText('Somebody switched it off.').waitFor();
    await visitor.page.getByRole('heading', { name: 'First steps' }).waitFor();
    await visitor.context.close();
  });

  it('can be looked at with a key that only reads, without a button to change them', async () => {
    const { token: reading } = await api<{ token: string }>('POST', '/me/keys', { name: 'reading', scope: 'read' });
    const visitor = await browser.enter(service.url, reading);
    await visitor.goTo('/webhooks');
    await visitor.page.getByRole('link', { name: 'other.hooks.test' }).click();
    await facts(visitor).waitFor();
    await visitor.page.getByRole('table', { name: 'Last attempts' }).waitFor();
    expect(
      await visitor.page
        .locator('#content')
        .getByRole('button', { name: /^(?!Show more)/ })
        .count(),
    ).toBe(0);
    await visitor.context.close();
  });

  it('of a partner can be read and deleted by the master, and not be changed', async () => {
    const { id } = await api<{ id: number }>('POST', '/webhook-endpoints', { url: 'https://old.hooks.test/' });
    const visitor = await browser.enter(service.url, MASTER);
    const { page, goTo } = visitor;
    await goTo('/webhooks?as=acme');
    await page.getByRole('link', { name: 'old.hooks.test' }).click();
    await facts(visitor).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await goTo('/webhooks');
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    await goTo('/operator/partners/acme');
    await page.getByRole('link', { name: 'old.hooks.test' }).click();
    await facts(visitor).waitFor();
    // A head that sorts changes nothing.
    const names = await page.locator('#content button:not(thead *)').allInnerTexts();
    expect(names.filter((name) => name !== 'Show more')).toEqual(['Delete']);
    await lookAt(browser, visitor, 'The webhook of a partner for the master');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel('Type old.hooks.test').fill('old.hooks.test');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { level: 1, name: 'acme' }).waitFor();
    await page.getByText('The webhook old.hooks.test is deleted.').waitFor();
    await expect(api('GET', `/webhook-endpoints/${id}`)).rejects.toThrow('404');
    await visitor.context.close();
  });

  it('are deleted after their name was typed', async () => {
    const { page } = staff;
    await button('Delete').click();
    const confirm = dialog().getByRole('button', { name: 'Delete' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog().getByRole('textbox').fill('other.hooks.test');
    await lookAt(browser, staff, 'The deletion of a webhook');
    await confirm.click();
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor();
    await expect(api('GET', '/webhook-endpoints/1')).rejects.toThrow('404');
  });
});
