import { until } from '@mailstead/core/testing/until';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { FaultyProxy } from './testing/faulty-proxy.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const STREAM = /^\/events\/stream/;
const ANY_EVENTS = /^\/events/;

describe('a page that does not hear of events', () => {
  let service: TestService;
  let browser: TestBrowser;
  let proxy: FaultyProxy;
  let token: string;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    proxy = await FaultyProxy.start(service.url);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
    await until('the domain to be verified', async () => {
      const { verification_status } = await service.call('GET', '/domains/juniper.com');
      return verification_status === 'verified';
    });
  });
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await service?.stop();
  });
  beforeEach(async () => {
    visitor = await browser.enter(proxy.url, token);
    await visitor.goTo('/domains/juniper.com');
    await says('Sends');
  });
  afterEach(async () => {
    proxy.recover();
    await visitor.context.close();
    await service.call('PUT', '/domains/juniper.com/activate', {});
    expect(browser.takeFaults()).toEqual([]);
  });

  const says = (word: string, { page } = visitor) => page.locator('.portal-pill').getByText(word).first().waitFor();
  const suspend = () => service.call('PUT', '/domains/juniper.com/suspend', { cause: 'abuse' });
  const streams = () => proxy.underWay.filter((path) => STREAM.test(path)).length;
  const hasStreams = (count: number) => until(`${count} streams`, async () => streams() === count);
  const setHidden = ({ page }: Visitor, isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);

  it('shows what happened while a proxy lost the service, as soon as the proxy has it again', async () => {
    await hasStreams(1);
    proxy.lose(ANY_EVENTS);
    await suspend();
    await visitor.page.getByText('What you see may be old').waitFor();
    await lookAt(browser, visitor, 'A page that may be old');
    proxy.recover();
    await says('Suspended');
    await visitor.page.getByText('What you see may be old').waitFor({ state: 'detached' });
    await hasStreams(1);
  });

  it('asks for events while streams alone are refused', async () => {
    await hasStreams(1);
    proxy.lose(STREAM);
    await hasStreams(0);
    await suspend();
    await says('Suspended');
    expect(streams()).toBe(0);
  });

  it('has no stream while nobody sees it, and then shows what happened', async () => {
    await hasStreams(1);
    await setHidden(visitor, true);
    await hasStreams(0);
    await suspend();
    await setHidden(visitor, false);
    await says('Suspended');
    await hasStreams(1);
  });

  it('is kept up to date in three windows of one session, of which the service grants two a stream', async () => {
    const others = await Promise.all([1, 2].map(() => browser.openPage(proxy.url, visitor.context)));
    for (const other of others) {
      await other.goTo('/domains/juniper.com');
      await says('Sends', other);
    }
    await hasStreams(2);
    await suspend();
    for (const each of [visitor, ...others]) await says('Suspended', each);
  });

  it('reads everything anew when the events that it missed are not kept any more', async () => {
    await hasStreams(1);
    await setHidden(visitor, true);
    await hasStreams(0);
    await suspend();
    await visitor.page.route(/\/events\?after=/, (route) =>
      route.fulfill({ status: 410, json: { code: 'events_gone', status: 410 } }),
    );
    await setHidden(visitor, false);
    await says('Suspended');
  });

  it('that the browser translated shows each change of data', async () => {
    const { page } = visitor;
    await service.call('POST', '/users/', { email: 'info@juniper.com', password: 'a-password-of-info' }, token);
    await visitor.goTo('/domains/juniper.com/mailboxes/info@juniper.com');
    await translate(visitor);
    for (const quota_mb of [321, 654]) {
      await service.call('PUT', '/users/info@juniper.com/quota', { quota_mb }, token);
      await page.locator('font').getByText(`Up to ${quota_mb} MB.`).first().waitFor();
    }
    expect(await page.getByText('Up to 321 MB.').count()).toBe(0);
  });

  it('that the browser translated is shown anew each time when it cannot be changed', async () => {
    const { page } = visitor;
    const readFile = () => {
      const buffer = Buffer.from('email,password\nanna,hidden-word-of-anna\n');
      return page.locator('input[type=file]').setInputFiles({ name: 'boxes.csv', mimeType: 'text/csv', buffer });
    };
    await visitor.goTo('/domains/juniper.com/mailboxes');
    const open = page.getByRole('button', { name: 'Add from a file' });
    // Data that comes after the translation mounts the screen anew, and closes what is open there.
    await page.waitForLoadState('networkidle');
    await translate(visitor);
    for (let times = 1; times <= 3; times += 1) {
      await open.click();
      await readFile();
      // What the page removes next is moved, as the translation moves elements that stand within a sentence.
      await page
        .getByRole('status')
        .filter({ hasText: '1 mailbox to add' })
        .locator('xpath=../..')
        .evaluate((preview) => {
          const mover = document.createElement('font');
          preview.replaceWith(mover);
          mover.append(preview);
        });
      await readFile();
      await open.waitFor();
      // React reports each failure on the console.
      const faults = browser.takeFaults();
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) expect(fault).toContain('NotFoundError');
    }
  });

  /** As Google's translation in Chromium does it: each text moves into elements of its own, also what comes later. */
  const translate = ({ page }: Visitor) =>
    page.evaluate(() => {
      const work = (root: Node) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts: Text[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const { parentElement } = node;
          if (parentElement !== null && parentElement.closest('font, script, style') === null) texts.push(node as Text);
        }
        for (const text of texts) {
          const [outer, inner] = [document.createElement('font'), document.createElement('font')];
          inner.textContent = text.data;
          outer.append(inner);
          text.replaceWith(outer);
        }
      };
      work(document.body);
      new MutationObserver(() => work(document.body)).observe(document.body, { childList: true, subtree: true });
    });
});
