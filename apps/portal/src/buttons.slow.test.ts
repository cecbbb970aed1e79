import { until } from '@mailstead/core/testing/until';
import type { Request, Response } from 'playwright-core';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { DOMAIN_SCREENS, loaded, SCREENS } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'read-operator-of-the-portal-0123456789';
const BILLING = 'billing-operator-of-the-portal-0123456789';
const DOMAIN = 'first.com';
const BOX = `anna@${DOMAIN}`;

/** What a caller finds to press, besides what changes nothing. */
const HARMLESS =
  /^(Copy.*|Check now|Zone file|Show|Show more|Hide the first steps|CSV file|Read a file|Find|Find anything|Close|Cancel|)$/;

describe('the buttons of the page', () => {
  let service: TestService;
  let browser: TestBrowser;
  const tokens: Record<string, string> = { master: MASTER, 'read operator': READ, 'billing operator': BILLING };

  beforeAll(async () => {
    const settings = { OPERATOR_TOKENS: `auditor:read:${READ},biller:billing:${BILLING}` };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    const partner = await service.key('acme');
    const call = <T>(method: string, path: string, body?: unknown) => service.call<T>(method, path, body, partner);
    for (const name of [DOMAIN, 'gone.com']) await call('POST', '/domains/', { name });
    for (const name of ['anna', 'ben'])
      await call('POST', '/users/', { email: `${name}@${DOMAIN}`, password: 'a-password-of-anna' });
    await call('POST', '/aliases/', { address: `info@${DOMAIN}`, destination: BOX });
    await call('DELETE', `/users/ben@${DOMAIN}`);
    await call('DELETE', '/domains/gone.com');
    await service.call('PUT', `/domains/${DOMAIN}/suspend`, { cause: 'abuse' });
    const made = async (body: object) => (await call<{ token: string }>('POST', '/me/keys', body)).token;
    const late = await service.key('late');
    await service.call('POST', '/domains/', { name: 'late.com' }, late);
    await service.call('PUT', '/partners/late/suspend', { cause: 'billing', stage: 'changes' });
    Object.assign(tokens, {
      partner,
      'key that reads': await made({ name: 'reader', scope: 'read' }),
      'limited key': await made({ name: 'limited', domains: [DOMAIN] }),
      'suspended partner': late,
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  /** What the former caller pressed is taken back, so that each finds the same. */
  beforeEach(async () => {
    // What is so already is refused.
    const asMaster = (method: string, path: string, body?: unknown) =>
      service.call(method, path, body).catch(() => undefined);
    await asMaster('PUT', '/partners/acme/activate');
    await asMaster('PUT', `/domains/${DOMAIN}/activate`);
    await asMaster('PUT', `/domains/${DOMAIN}/suspend`, { cause: 'abuse' });
    await asMaster('DELETE', `/users/ben@${DOMAIN}`);
    await asMaster('DELETE', '/domains/gone.com');
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const enter = async (as: string): Promise<Visitor> => {
    const token = tokens[as];
    if (token !== undefined) return browser.enter(service.url, token);
    const [scope] = as.split(' ');
    const { url } = await service.call<{ url: string }>('POST', '/portal-links', { domain: DOMAIN, scope });
    const visitor = await browser.visit(service.url);
    await visitor.page.goto(service.url + url);
    await visitor.page.getByRole('button', { name: 'Enter' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: DOMAIN }).waitFor();
    return visitor;
  };

  /** The addresses of the screens to which the page leads this caller. */
  async function screensOf({ page }: Visitor, as: string): Promise<string[]> {
    const domain = as === 'suspended partner' ? 'late.com' : DOMAIN;
    const parts = as === 'dns link' ? ['/dns'] : DOMAIN_SCREENS;
    const ofDomain = parts.map((part) => `/domains/${domain}${part}`);
    if (as.endsWith('link')) return as === 'dns link' ? ofDomain : [...ofDomain, `/domains/${domain}/mailboxes/${BOX}`];
    const names = await page.getByRole('navigation', { name: 'Screens' }).getByRole('link').allInnerTexts();
    const menu = names.map((name) => SCREENS[name] ?? '/');
    const contents = as === 'billing operator' ? ofDomain.filter((to) => /(com|dns|settings)$/.test(to)) : ofDomain;
    return [
      ...menu,
      ...contents,
      ...(as === 'suspended partner' || as === 'billing operator' ? [] : [`/domains/${domain}/mailboxes/${BOX}`]),
      ...(menu.includes('/operator/partners') ? ['/operator/partners/acme', '/operator/add-partner'] : []),
    ];
  }

  it.each([
    { as: 'master', has: ['Suspend', 'Activate', 'Delete domain', 'Add mailbox', 'Revoke', 'Run now', 'Create a key'] },
    { as: 'read operator', has: [] },
    { as: 'billing operator', has: ['Suspend', 'Delete domain', 'Share this page'] },
    { as: 'partner', has: ['Suspend', 'Delete domain', 'Add mailbox', 'Restore', 'Erase', 'Revoke'] },
    { as: 'key that reads', has: [] },
    { as: 'limited key', has: ['Add mailbox', 'Add alias'] },
    { as: 'suspended partner', has: [] },
    { as: 'manage link', has: ['Add mailbox', 'Add alias'] },
    { as: 'dns link', has: [] },
  ])('can be pressed by whoever sees them, and nothing is refused for who it is: $as', async ({ as, has }) => {
    const visitor = await enter(as);
    const { page, goTo } = visitor;
    const [refused, open] = [new Set<string>(), new Set<Request>()];
    page.on('request', (request) => {
      if (!request.url().includes('/events/stream')) open.add(request);
    });
    page.on('requestfinished', (request) => void open.delete(request));
    page.on('requestfailed', (request) => void open.delete(request));
    page.on('response', (response: Response) => {
      if (response.status() === 403) refused.add(`${response.request().method()} ${new URL(response.url()).pathname}`);
    });
    const settled = () => until('nothing is asked any more', () => open.size === 0);
    const show = async (screen: string) => {
      await goTo(screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled();
      await loaded(visitor);
    };
    /** The names of what can be pressed, each kind once: `Run now: domains.expire` is a `Run now`. */
    const kinds = async (within: string) => {
      const buttons = page.locator(`${within} button:visible:enabled:not(thead *)`);
      const names = await buttons.evaluateAll((nodes) =>
        nodes.map((node) => (node.getAttribute('aria-label') ?? node.textContent ?? '').trim()),
      );
      const firsts = new Map<string, number>();
      for (const [at, name] of names.entries()) {
        const kind = kindOf(name);
        if (!firsts.has(kind) && !HARMLESS.test(kind)) firsts.set(kind, at);
      }
      return [...firsts].map(([kind, at]) => ({ kind, at, buttons }));
    };

    const pressAll = async (within: string) => {
      for (const { at, buttons } of await kinds(within))
        await buttons
          .nth(at)
          .click({ timeout: 2_000 })
          .catch(() => undefined);
      await settled();
    };

    const pressed = new Set<string>();
    /** Each task of the first menu of a screen, which is open. */
    const pressTasks = async (screen: string) => {
      const items = page.getByRole('menuitem');
      await items.first().waitFor();
      for (const task of await items.allInnerTexts()) {
        pressed.add(`${screen} ${task}`);
        await show(screen);
        const menu = page.getByRole('button', { name: /^Actions: / }).first();
        if ((await menu.count()) === 0) return;
        await menu.click();
        await items.filter({ hasText: task }).click();
        await settled();
        await pressAll('[role=dialog]');
      }
    };
    for (const screen of await screensOf(visitor, as)) {
      await show(screen);
      for (const { kind } of await kinds('#content')) {
        if (pressed.has(`${screen} ${kind}`)) continue;
        pressed.add(`${screen} ${kind}`);
        await show(screen);
        const button = (await kinds('#content')).find((now) => now.kind === kind);
        // What was pressed before may have taken it away.
        if (button === undefined) continue;
        await button.buttons.nth(button.at).click();
        await settled();
        if (kind === 'Actions') await pressTasks(screen);
        else await pressAll('[role=dialog]');
      }
    }
    expect([...refused]).toEqual([]);
    const names = [...new Set([...pressed].map((each) => each.slice(each.indexOf(' ') + 1)))];
    if (has.length === 0) expect(names.filter((name) => !name.startsWith('End'))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(has));
    await visitor.context.close();
  });
});

function kindOf(name: string): string {
  return name.replace(/[:,].*$/, '').replace(/^(End link|End session|Change|Delete) \S*[.@\d].*$/, '$1');
}
