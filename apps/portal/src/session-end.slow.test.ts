import type { Page } from 'playwright-core';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe.each([WIDE, NARROW])('at $width px, a session that ends under an open page', (size) => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let page: Page;
  let token: string;
  let other: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    other = await service.key('other');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
  });
  beforeEach(async () => {
    visitor = await browser.enter(service.url, token, size);
    page = visitor.page;
    await withoutEvents();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(async () => {
    await endSessions();
    await visitor.context.close();
    expect(browser.takeFaults()).toEqual([]);
  });

  async function endSessions(): Promise<void> {
    const sessions = await service.call<{ id: number }[]>('GET', '/sessions', undefined, token);
    for (const { id } of sessions) await service.call('DELETE', `/sessions/${id}`, undefined, token);
  }

  /** Keeps the page from hearing of the end before a click: without a session the events stop. */
  async function withoutEvents(): Promise<void> {
    await page.route(/\/events\?/, (route) => route.fulfill({ json: [] }));
    await page.route(/\/events\/stream/, (route) => route.fulfill({ status: 204 }));
  }

  async function enter(key: string): Promise<void> {
    await page.getByText('You are logged out').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('You are logged out').waitFor({ state: 'detached' });
  }

  it('leads back to the place of a click, with its filters', async () => {
    await visitor.goTo('/domains?q=juniper');
    await page.getByRole('row', { name: 'juniper.com' }).waitFor();
    await endSessions();
    await page.getByRole('link', { name: 'juniper.com' }).first().click();
    await enter(token);
    await page.getByRole('heading', { level: 1, name: 'juniper.com' }).waitFor();
    await page.getByRole('link', { name: 'Mailboxes', exact: true }).waitFor();
    await visitor.goTo('/domains?q=juniper');
    await page.getByRole('row', { name: 'juniper.com' }).waitFor();
    await endSessions();
    await page.reload();
    await page.getByLabel('Key', { exact: true }).fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'juniper.com' }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=juniper');
  });

  it('keeps what was typed for the same key, in memory alone, and the click succeeds then', async () => {
    await visitor.goTo('/domains/add');
    await page.getByLabel('Names').fill('typed-before.com');
    await endSessions();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('You are logged out').waitFor();
    expect(await page.getByLabel('Names').isVisible()).toBe(false);
    const stored = await page.evaluate(() =>
      JSON.stringify([localStorage, sessionStorage, document.cookie, history.state]),
    );
    expect(stored + page.url()).not.toContain('typed-before');
    await lookAt(browser, visitor, 'A session that has ended under a page');
    await enter(token);
    expect(await page.getByLabel('Names').inputValue()).toBe('typed-before.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('heading', { level: 1, name: 'typed-before.com' }).waitFor();
  });

  it('keeps an open dialog behind the door, without its password', async () => {
    await visitor.goTo('/domains/juniper.com/mailboxes');
    await page.getByRole('button', { name: 'Add mailbox' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('lee');
    await dialog.getByRole('button', { name: 'Generate' }).click();
    const password = dialog.getByLabel('Password', { exact: true });
    expect(await password.inputValue()).not.toBe('');
    await endSessions();
    await dialog.getByRole('button', { name: 'Add mailbox' }).click();
    await page.getByText('You are logged out').waitFor();
    expect(await dialog.isVisible()).toBe(false);
    await page.getByLabel('Key', { exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('the API');
    await enter(token);
    expect(await dialog.getByLabel('Address').inputValue()).toBe('lee');
    expect(await password.inputValue()).toBe('');
  });

  it('keeps a secret that is shown once out of the page while the door stands before it', async () => {
    await page.unrouteAll();
    await visitor.goTo('/keys');
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('for-lee');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const secret = await dialog.locator('code').textContent();
    expect(secret).toMatch(/^ms_/);
    await endSessions();
    await page.getByText('You are logged out').waitFor();
    expect(await page.content()).not.toContain(secret);
    await enter(token);
    await dialog.getByText(String(secret)).waitFor();
  });

  it('is noticed without a click', async () => {
    await page.unrouteAll();
    await visitor.goTo('/domains/add');
    await page.getByLabel('Names').fill('not-sent-yet.com');
    await endSessions();
    await enter(token);
    expect(await page.getByLabel('Names').inputValue()).toBe('not-sent-yet.com');
  });

  it('leaves nothing of what was typed or read for another key', async () => {
    await visitor.goTo('/domains/add');
    await page.getByLabel('Names').fill('typed-by-acme.com');
    await endSessions();
    await page.getByRole('button', { name: 'Add domain' }).click();
    await enter(other);
    await page.getByRole('button', { name: 'other' }).waitFor();
    expect(await page.getByLabel('Names').inputValue()).toBe('');
    if (size === NARROW) await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByText('No domains yet').waitFor();
    expect(await page.content()).not.toContain('juniper');
  });
});
