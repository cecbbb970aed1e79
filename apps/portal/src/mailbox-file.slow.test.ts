import type { Request } from 'playwright-core';
import { SIZES, TestBrowser } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

describe('mailboxes from a CSV file', () => {
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  async function withDomain(partner: string): Promise<{ token: string; domain: string }> {
    const token = await service.key(partner);
    await service.call('POST', '/domains/', { name: `${partner}.com` }, token);
    return { token, domain: `${partner}.com` };
  }

  it.each(SIZES)(
    'are seen first without passwords, told by line, and never made twice, at $at',
    async ({ at, size }) => {
      const { token, domain } = await withDomain(`file-${at}`);
      const visitor = await browser.enter(service.url, token, size);
      const { page, goTo } = visitor;
      const lines = [
        'email,password,password_hash,name,quota_mb,external_ref',
        `anna@${domain},hidden-word-of-anna,,Anna,,p-1`,
        'ben,hidden-word-of-ben,,,,',
        `carl@elsewhere.com,hidden-word-of-carl,,,,`,
        'dora,short,,,,',
        'emil,,$2b$04$abcdefghijklmnopqrstuuW5r6mKkZkq2m7vTn1fS1uU8Vw8B8t3q,,,',
      ];
      const file = { name: 'boxes.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
      const bulks: Request[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/users/bulk')) bulks.push(request);
      });
      const choose = async () => {
        await goTo(`/domains/${domain}/mailboxes`);
        await page.getByRole('button', { name: 'Add from a file' }).click();
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByText('boxes.csv: 4 mailboxes to add, 1 line that cannot be used.').waitFor();
      };
      await choose();
      await page.getByRole('row', { name: `email must be an address of ${domain}` }).waitFor();
      expect(await page.locator('body').innerText()).not.toContain('hidden-word');
      expect(await page.content()).not.toContain('hidden-word');
      expect(bulks).toEqual([]);
      await lookAt(browser, visitor, 'Mailboxes of a file');

      // The service has made them, but its answer is lost.
      await page.route(
        '**/users/bulk',
        async (route) => {
          await route.fetch();
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await page.getByRole('button', { name: 'Add 4 mailboxes' }).click();
      await page.getByText(/^3 mailboxes added, 0 there already, 2 lines refused\.$/).waitFor();
      const keys = await Promise.all(bulks.map((request) => request.headerValue('Idempotency-Key')));
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
      await page
        .getByRole('row', { name: `dora@${domain}` })
        .getByText(/[Pp]assword/)
        .waitFor();
      await lookAt(browser, visitor, 'Added mailboxes of a file');

      await choose();
      await page.getByRole('button', { name: 'Add 4 mailboxes' }).click();
      await page.getByText(/^0 mailboxes added, 3 there already, 2 lines refused\.$/).waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText('3 mailboxes shown').waitFor();
      await visitor.context.close();
    },
  );

  it('are sent with at most 20 passwords in a request', async () => {
    const { token, domain } = await withDomain('passwords');
    const visitor = await browser.enter(service.url, token);
    const { page, goTo } = visitor;
    const counts: number[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/users/bulk'))
        counts.push((request.postDataJSON() as { items: unknown[] }).items.length);
    });
    await goTo(`/domains/${domain}/mailboxes`);
    await page.getByRole('button', { name: 'Add from a file' }).click();
    const rows = Array.from({ length: 45 }, (_, index) => `box-${index},a-password-of-box-${index}`);
    const buffer = Buffer.from(['email,password', ...rows].join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'b.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Add 45 mailboxes' }).click();
    // The key allows ten.
    await page.getByText(/^10 mailboxes added, 0 there already, 35 lines refused\.$/).waitFor();
    expect(counts).toEqual([20, 20, 5]);
    await visitor.context.close();
  });
});
