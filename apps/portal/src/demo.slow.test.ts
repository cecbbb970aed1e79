import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Flow } from '@mailstead/core/domains/flow';
import { Child } from '@mailstead/core/testing/child';
import { freePort } from '../../../scripts/free-port.mjs';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { StartedByNpm } from './testing/started-by-npm.js';

interface Listed {
  name: string;
  state: { sends: Flow; receives: Flow };
}

/** A word of the page for each state of a direction, which stands in the pill of one of the two. */
const WORDS: Record<Flow, RegExp> = {
  yes: /Sends|Receives/,
  at_risk: /DNS at risk|Near the limit|SPF missing|MX elsewhere/,
  monitored: /Over its limit, and still sends/,
  pending: /Waiting for DNS/,
  off: /[Ss]uspended/,
  waits: /Waits until|Sending waits/,
  no: /Sending stopped|Stopped: bounces|Stopped: spam reports|Not verified|No mail arrives|MX missing|MX of Google/,
};

describe('npm run demo', () => {
  let service: StartedByNpm;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    browser = await TestBrowser.start();
    service = await StartedByNpm.start('demo');
    token = (await readFile(join(service.dataDir, 'master-token'), 'utf8')).trim();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const read = async <Result>(path: string, by = token): Promise<Result> => {
    const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${by}` } });
    return (await response.json()) as Result;
  };
  const rowsOf = (table: string) => visitor.page.getByRole('table', { name: table }).getByRole('row');

  it('starts a service that is full: it shows on Home what needs somebody, and on every page that it is a demo', async () => {
    visitor = await browser.visit(service.url);
    const { page } = visitor;
    const says = () => page.getByRole('banner').getByText('Demo', { exact: true });
    await page.goto(service.link);
    await page.getByRole('main').getByText('Demo', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    await says().waitFor();
    await page.locator('section[aria-label="What needs you"] .portal-row').first().waitFor();
    for (const address of ['/domains', '/domains/riverbank-books.example/dns', '/keys', '/operator/partners']) {
      await visitor.goTo(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await says().waitFor();
    }
  });

  it('shows in the list of domains what the API says of each that needs somebody, and counts all of them', async () => {
    const { page, goTo } = visitor;
    const needing = await read<Listed[]>('/domains/?attention=true&view=full&limit=100');
    await goTo('/domains');
    await page.getByText(/^50 domains of 3,?000 shown$/).waitFor();
    for (const { name, state } of needing) {
      await goTo(`/domains?q=${name}`);
      const row = rowsOf('domains').filter({ has: page.getByRole('link', { name, exact: true }) });
      await row.waitFor();
      const pills = await row.locator('.portal-pill').allInnerTexts();
      expect([name, pills]).toEqual([
        name,
        [expect.stringMatching(WORDS[state.sends]), expect.stringMatching(WORDS[state.receives])],
      ]);
    }
    await goTo('/domains?show=stopped');
    await page.getByText(/^\d+ domains shown$/).waitFor();
    const stopped = await page.getByRole('table', { name: 'domains' }).getByRole('link').allInnerTexts();
    const said = await read<Listed[]>('/domains/?state=no,waits&view=full&limit=100');
    expect(stopped.toSorted()).toEqual(said.map(({ name }) => name).toSorted());
    await lookAt(browser, visitor, 'Stopped domains of a demo');
  });

  it('shows on Home the partners, domains and webhooks of which the API says that they need somebody, and no others', async () => {
    const { page, goTo } = visitor;
    const needs = await read<{ first: { name: string; partner_ref: string }[] }[]>('/me/attention');
    const webhooks = await read<{ status: string; url: string }[]>('/webhook-endpoints');
    const stopped = await read<Listed[]>('/domains/?state=no,waits,pending&view=full&limit=100');
    const known = [
      ...needs.flatMap(({ first }) => first.flatMap(({ name, partner_ref }) => [name, partner_ref])),
      ...stopped.map(({ name }) => name),
    ];
    const silent = webhooks.filter(({ status }) => status === 'disabled').map(({ url }) => new URL(url).host);
    await goTo('/');
    const rows = page.locator('section[aria-label="What needs you"] .portal-row');
    await rows.first().waitFor();
    const named = await Promise.all((await rows.all()).map((row) => row.getByRole('link').first().innerText()));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => ![...known, ...silent].some((each) => name.includes(each)))).toEqual([]);
    await lookAt(browser, visitor, 'Home of a demo');
  });

  it('finds a partner by the beginning of its name, and lists those in a state', async () => {
    const { goTo } = visitor;
    await goTo('/operator/partners?q=Harb');
    await rowsOf('partners').getByRole('link', { name: 'harbour-hosting', exact: true }).waitFor();
    const suspended = await read<{ partner_ref: string }[]>('/partners/?state=suspended&limit=100');
    expect(suspended.length).toBeGreaterThan(0);
    await goTo('/operator/partners?state=suspended');
    for (const { partner_ref } of suspended)
      await rowsOf('partners').getByRole('link', { name: partner_ref, exact: true }).waitFor();
    await lookAt(browser, visitor, 'Suspended partners of a demo');
  });

  it('prints a link for a customer who manages a domain, with the brand of its partner, and one for its DNS records', async () => {
    const [, ...links] = service.links;
    expect(links).toHaveLength(2);
    for (const [link, text] of [
      [links[0] ?? '', 'riverbank-books.example'],
      [links[1] ?? '', 'ferry-cafe.example'],
    ] as const) {
      const customer = await browser.visit(service.url);
      await customer.page.goto(link);
      const enter = customer.page.getByRole('button', { name: 'Enter', exact: true });
      await customer.page.getByText(text).first().or(enter).first().waitFor();
      if (await enter.isVisible()) await enter.click();
      await customer.page.getByText(text).first().waitFor();
      await customer.context.close();
    }
  });

  it('says in GET /me that it is a demo, to every caller', async () => {
    const keys = await readFile(join(service.dataDir, 'partner-keys'), 'utf8');
    const [, partnerKey = ''] = /^\S+ (\S+)$/m.exec(keys) ?? [];
    for (const each of [token, partnerKey]) expect(await read('/me', each)).toMatchObject({ demo: true });
  });

  it('leaves a folder that a normal start refuses with one sentence', async () => {
    const normal = new Child('api', { DATA_DIR: service.dataDir, PORT: String(await freePort()) });
    await expect(normal.said('listening')).rejects.toThrow('is the folder of a demo');
    expect(await normal.end('SIGTERM')).toBe(1);
  });
});
