import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { TestBrowser } from './testing/browser.js';
import { loaded } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const LIMIT_BYTES = 200_000;
const PAGE = new URL('../dist/page/', import.meta.url);

describe('what Home loads', () => {
  let service: TestService;
  let browser: TestBrowser;
  let partner: string;
  let newcomer: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    partner = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, partner);
    // Without a message Home has the first steps besides.
    newcomer = await service.key('beginner');
    await service.call('POST', '/domains/juniper.com/outbound/increment', { count: 1, record: true });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it.each([
    { who: 'the operator', token: () => MASTER },
    { who: 'a partner', token: () => partner },
    { who: 'a newcomer', token: () => newcomer },
  ])('for $who, scripts and styles of all files together, is below 200 kB (gzip)', async ({ token }) => {
    const entered = await browser.enter(service.url, token());
    const state = await entered.context.storageState();
    await entered.context.close();
    const visitor = await browser.visit(service.url);
    const { page, context } = visitor;
    await context.addCookies(state.cookies);
    // Without the other screens, which are loaded ahead where data need not be saved.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    await visitor.goTo('/');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await loaded(visitor);
    await page.waitForLoadState('networkidle');
    const files = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    const names = [...new Set(files)].filter((name) => /\.(js|css)$/.test(name));
    const sizes = await Promise.all(
      names.map(
        async (name) => gzipSync(await readFile(new URL(name.replace('/portal/', ''), PAGE)), { level: 9 }).length,
      ),
    );
    expect(names.some((name) => name.endsWith('.css'))).toBe(true);
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(LIMIT_BYTES);
    await context.close();
  });
});
