import { TestBrowser, type Visitor } from './testing/browser.js';
import { MASTER, TestService } from './testing/test-service.js';

/** The screens of a domain, each with what it shows in the end. */
const PARTS = {
  '': 'Latest events',
  '/dns': 'Mail is signed',
  '/mailboxes': '1 mailbox shown',
  '/mailboxes/info@seen.com': 'For mail programs',
  '/aliases': '1 alias shown',
  '/sending': 'Tier basic',
  '/history': 'was added',
  '/settings': 'Nothing to change here',
};
/** What changes nothing: more to read, a filter (why an address is suppressed), copies and files of what is shown. */
const HARMLESS = /^(Copy.*|CSV file: .*|Check now|Zone file|Show more|Why)$/;

describe('who may only read', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'seen.com' }, token);
    await service.call('POST', '/users/', { email: 'info@seen.com', password: 'a-password-of-info' }, token);
    await service.call('POST', '/aliases/', { address: 'sales@seen.com', destination: 'info@seen.com' }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** Opens a screen and reads the names of what can be pressed or typed into, besides heads that sort. */
  const controlsOf = async ({ page, goTo }: Visitor, address: string, shown: string) => {
    await goTo(address);
    await page.getByText(shown).first().waitFor();
    const controls = page
      .locator('main')
      .locator('button:not(thead *), input:not([type=search], [type=hidden]), textarea, select');
    const names = await controls.evaluateAll((nodes) =>
      nodes.map((node) => node.getAttribute('aria-label') ?? node.textContent ?? ''),
    );
    return names.filter((name) => !HARMLESS.test(name.trim()));
  };

  it('sees no control that changes something: the operator who sees as a partner', async () => {
    const visitor = await browser.enter(service.url, MASTER);
    const found = [];
    for (const [part, shown] of Object.entries(PARTS))
      found.push(...(await controlsOf(visitor, `/domains/seen.com${part}?as=acme`, shown)));
    expect(found).toEqual([]);
    expect(await controlsOf(visitor, '/domains/seen.com/mailboxes', '1 mailbox shown')).toEqual([
      'Add from a file',
      'Add mailbox',
    ]);
  });

  it('sees no control that changes something: a key of the scope read', async () => {
    const made = await service.call<{ token: string }>('POST', '/me/keys', { name: 'looks', scope: 'read' }, token);
    const visitor = await browser.enter(service.url, made.token);
    const found = [];
    for (const [part, shown] of Object.entries(PARTS))
      found.push(...(await controlsOf(visitor, `/domains/seen.com${part}`, shown)));
    expect(found).toEqual([]);
  });
});

describe('a partner .. that a former release took', () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    await service.key('acme');
    await service.key('dots');
    await service.whileDown(async (database) => {
      await database.write("UPDATE partner SET ref = '..' WHERE ref = 'dots'");
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it('is shown in lists as text, because a link to it would lead to another screen', async () => {
    const { page, goTo } = await browser.enter(service.url, MASTER);
    await goTo('/operator/partners');
    const links = page.locator('main tbody th a');
    await page.getByRole('rowheader', { name: '..', exact: true }).waitFor();
    expect(await links.allTextContents()).toEqual(['acme']);
    await page.getByRole('link', { name: 'See as they do: ..' }).click();
    await page.waitForURL((url) => url.searchParams.get('as') === '..');
  });
});
