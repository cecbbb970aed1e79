import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../scripts/free-port.mjs';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { StartedByNpm } from './testing/started-by-npm.js';

describe('npm run demo', () => {
  let service: StartedByNpm;
  let browser: TestBrowser;
  let visitor: Visitor;

  beforeAll(async () => {
    browser = await TestBrowser.start();
    service = await StartedByNpm.start('demo');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  it('starts a service that is full: it shows on Home what needs somebody, and on every page that it is a demo', async () => {
    visitor = await browser.visit(service.url);
    const { page } = visitor;
    const says = () => page.getByRole('banner').getByText('Demo', { exact: true });
    await page.goto(service.link);
    await page.getByRole('main').getByText('Demo', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    for (const name of ['oakfield-dental.example', 'bluewater-tours.example', 'quick-prizes.example']) {
      await page.getByText(name).first().waitFor();
    }
    await says().waitFor();
    for (const address of ['/domains', '/domains/riverbank-books.example/dns', '/keys', '/operator/partners']) {
      await visitor.goTo(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await says().waitFor();
    }
  });

  it('says in GET /me that it is a demo, to every caller', async () => {
    const [master, keys] = await Promise.all(
      ['master-token', 'partner-keys'].map((name) => readFile(join(service.dataDir, name), 'utf8')),
    );
    const [, partnerKey] = /^\S+ (\S+)$/m.exec(keys ?? '') ?? [];
    for (const token of [master?.trim(), partnerKey]) {
      const response = await fetch(`${service.url}/me`, { headers: { Authorization: `Bearer ${token}` } });
      expect(await response.json()).toMatchObject({ demo: true });
    }
  });

  it('leaves a folder that a normal start refuses with one sentence', async () => {
    const normal = new Child('api', { DATA_DIR: service.dataDir, PORT: String(await freePort()) });
    await expect(normal.said('listening')).rejects.toThrow('is the folder of a demo');
    expect(await normal.end('SIGTERM')).toBe(1);
  });
});
