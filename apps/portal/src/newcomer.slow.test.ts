import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { StartedByNpm } from './testing/started-by-npm.js';

const WINDOWS = [
  { window: 'a wide window', size: { width: 1280, height: 900 } },
  { window: 'a narrow window', size: NARROW },
];

/**
 * A person who has read nothing: each step is a button, link or field that is in sight, under the name that it shows.
 */
describe.each(WINDOWS)('a newcomer with $window', ({ window, size }) => {
  let service: StartedByNpm;
  let browser: TestBrowser;
  let visitor: Visitor;
  let startedAt: number;
  const times: string[] = [];

  const seconds = () => (performance.now() - startedAt) / 1_000;
  const reached = (what: string) => times.push(`${seconds().toFixed(1).padStart(6)} s  ${what}`);

  beforeAll(async () => {
    browser = await TestBrowser.start();
    startedAt = performance.now();
    service = await StartedByNpm.start();
    reached('the terminal shows the link');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    process.stderr.write(`A newcomer with ${window}:\n${times.join('\n')}\n`);
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it('is let in by the link of the terminal, and is told what to begin with', async () => {
    visitor = await browser.visit(service.url, size);
    const { page } = visitor;
    await page.goto(service.link);
    await page.getByText('You will be the operator of this service').waitFor();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await page.getByText('Add a partner').waitFor();
    reached('Home says what to begin with');
    await expectInSight(visitor, page.getByRole('link', { name: 'Add partner' }));
    await expectInSight(visitor, page.getByRole('link', { name: 'begin with a domain' }));
  });

  it('adds a domain without filling in anything but its name', async () => {
    const { page } = visitor;
    await page.getByRole('link', { name: 'begin with a domain' }).click();
    await expectInSight(visitor, page.getByRole('button', { name: 'Add domain' }));
    // The field has the focus.
    await page.keyboard.type('my-first-domain.com');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('Publish the records below').waitFor();
    reached('the domain is added');
  });

  it('sees the DNS records to publish, and the domain turns verified by itself', async () => {
    const { page } = visitor;
    await page
      .getByRole('button', { name: /^Copy the name .*my-first-domain\.com/ })
      .first()
      .waitFor();
    reached('its DNS records are shown');
    await page.getByText('The domain may send').waitFor();
    await expectInSight(visitor, page.getByText('The domain may send'));
    reached('the domain is verified');
  });

  it('sees examples of the records that mail servers will need, and which settings replace them', async () => {
    const { page } = visitor;
    const examples = page.getByRole('region', { name: 'Examples' });
    await examples.getByText('mx1.mailstead.example', { exact: true }).waitFor();
    expect(await examples.getByText('Example', { exact: true }).count()).toBe(2);
    const toSet = () => page.getByRole('region', { name: 'Set up mail servers' }).locator('code').allTextContents();
    expect(await toSet()).toEqual(['MX_HOSTS', 'SPF_INCLUDE']);
    await visitor.goTo('/');
    await page.getByRole('region', { name: 'Set up mail servers' }).waitFor();
    expect(await toSet()).toEqual(['MX_HOSTS', 'SPF_INCLUDE', 'MAIL_IMAP', 'MAIL_POP3', 'MAIL_SUBMISSION']);
  });

  it('met screens on which everything can be read', async () => {
    for (const address of ['/', '/domains/add', '/domains/my-first-domain.com/dns']) {
      await visitor.goTo(address);
      await visitor.page.getByRole('heading', { level: 1 }).waitFor();
      await lookAt(browser, visitor, address);
    }
  });
});

/** Nobody should have to scroll for the next step. */
async function expectInSight({ page }: Visitor, place: ReturnType<Visitor['page']['getByText']>): Promise<void> {
  await place.waitFor();
  const box = await place.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  expect(box === null ? null : { inSight: box.y >= 0 && box.y + box.height <= height }).toEqual({ inSight: true });
}
