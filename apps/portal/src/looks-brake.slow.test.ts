import { DAY_MS } from '@mailstead/core/clock';
import { until } from '@mailstead/core/testing/until';
import { SIZES, TestBrowser } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const READ = 'read-operator-of-the-portal-0123456789';
const PROBLEM = 'mx1.host.example of MX_HOSTS has no address';

describe.each(SIZES)('missing DNS records that are not told, on the screen of the jobs at $at', ({ size }) => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    const settings = { OPERATOR_TOKENS: `auditor:read:${READ}` };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    const token = await service.key('acme');
    for (const name of ['first.com', 'second.com']) await service.call('POST', '/domains/', { name }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** Has the brake hold the domains, and the last round end with a problem. */
  const store = (problem: string | null) =>
    service.whileDown(async (database) => {
      await database.write('DELETE FROM dns_look', [], []);
      await database.write(
        `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected, suspected_at, hold)
         SELECT id, partner_id, ?, '', 'mx', ?, 'held' FROM domain`,
        [Date.now() + DAY_MS, Date.now()],
        [],
      );
      await database.write('UPDATE dns_look_state SET problem = ? WHERE id = 1', [problem], []);
    });
  const warnings = async () =>
    (await service.call<{ warnings: { name: string }[] }>('GET', '/health/ready')).warnings.map(({ name }) => name);

  it('a host of the platform that cannot be looked up is named, and nothing can be released', async () => {
    await store(PROBLEM);
    const visitor = await browser.enter(service.url, MASTER, size);
    const { page, context, goTo } = visitor;
    await goTo('/operator/jobs');
    const alert = page.getByRole('alert', { name: 'DNS records of domains are not looked at' });
    await alert.getByText(`The records of domains are not looked at: ${PROBLEM}.`).waitFor();
    expect(await page.getByRole('button', { name: 'Release the brake' }).count()).toBe(0);
    await lookAt(browser, visitor, 'Jobs while a host of the platform is not found');
    await context.close();
  });

  it('held domains are counted, and the master releases them when told what happens', async () => {
    await store(null);
    const reader = await browser.enter(service.url, READ, size);
    await reader.goTo('/operator/jobs');
    await reader.page.getByRole('alert', { name: 'The brake of the DNS records holds' }).waitFor();
    expect(await reader.page.getByRole('button', { name: 'Release the brake' }).count()).toBe(0);
    await reader.context.close();
    const visitor = await browser.enter(service.url, MASTER, size);
    const { page, context, goTo } = visitor;
    await goTo('/operator/jobs');
    const alert = page.getByRole('alert', { name: 'The brake of the DNS records holds' });
    await alert.getByText(/^2 domains lack MX or SPF records/).waitFor();
    await lookAt(browser, visitor, 'Jobs with the brake of the DNS records');
    await alert.getByRole('button', { name: 'Release the brake' }).click();
    const dialog = page.getByRole('dialog', { name: 'Release the brake of the DNS records?' });
    await dialog.getByText('What these domains lack is told to their partners.').waitFor();
    await lookAt(browser, visitor, 'The brake of the DNS records is to be released');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await warnings()).toContain('dns_looks');
    await alert.getByRole('button', { name: 'Release the brake' }).click();
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await page.getByText('The brake is released: the domains are looked at now.').waitFor();
    await alert.waitFor({ state: 'detached' });
    await until('the end of the warning', async () => !(await warnings()).includes('dns_looks'));
    const released = await service.call<unknown[]>('GET', '/audit?action=dns_looks.release_brake');
    expect(released).toHaveLength(1);
    await context.close();
  });
});
