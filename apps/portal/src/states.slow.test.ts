import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { LACK_SENTENCES, LACKING } from './testing/seeded-states.js';
import { EXPECTED, mailboxOf, partnerOf, startInEveryState } from './testing/state-service.js';
import { MASTER, type TestService } from './testing/test-service.js';

const COLOURS: Record<Flow, string> = {
  yes: 'good',
  at_risk: 'wait',
  monitored: 'wait',
  pending: 'wait',
  off: 'off',
  waits: 'bad',
  no: 'bad',
};

describe.each([
  ['desktop', WIDE],
  ['390 px', NARROW],
])('the state of a domain, at %s', (_, size) => {
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startInEveryState(), TestBrowser.start()]);
    visitor = await browser.enter(service.url, MASTER, size);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** The pills of a part of the page: their words without their directions, and their colours. */
  const pillsIn = async (part: ReturnType<Visitor['page']['locator']>) =>
    part
      .locator('.portal-pill')
      .evaluateAll((pills) =>
        pills.map((pill) => [
          (pill.textContent ?? '').replace(/^[A-Za-z ]+: (?=[A-Z])/, ''),
          [...pill.classList].find((name) => name.startsWith('portal-pill-'))?.slice('portal-pill-'.length) ?? '',
        ]),
      );
  const wanted = ([sends, word]: [Flow, RegExp], [receives, text]: [Flow, string]) => [
    [expect.stringMatching(word), COLOURS[sends]],
    [text, COLOURS[receives]],
  ];
  /** Outside of tables the same word stands once. */
  const wantedOnce = ([sends, word]: [Flow, RegExp], [receives, text]: [Flow, string]) =>
    wanted([sends, word], [receives, text]).slice(word.test(text) ? 1 : 0);

  it('is the same in the list, in the header of the domain, in what Ctrl-K finds, and at the API', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains');
    const table = page.getByRole('table', { name: 'domains' });
    await table.getByRole('link', { name: 'well.example', exact: true }).waitFor();
    for (const [name, sends, receives] of EXPECTED) {
      const { state } = await service.call<{ state: { sends: Flow; receives: Flow } }>('GET', `/domains/${name}`);
      expect([name, state.sends, state.receives]).toEqual([name, sends[0], receives[0]]);
      const row = table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      expect([name, ...(await pillsIn(row))]).toEqual([name, ...wanted(sends, receives)]);
    }
    await lookAt(browser, visitor, 'Domains in every state');
    for (const [name, sends, receives] of EXPECTED) {
      await goTo(`/domains/${name}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const head = page.getByRole('heading', { level: 1, name }).locator('..');
      await head.locator('.portal-pill').first().waitFor();
      expect([name, ...(await pillsIn(head))]).toEqual([name, ...wantedOnce(sends, receives)]);
    }
    await page.keyboard.press('Control+k');
    for (const [name, sends, receives] of EXPECTED) {
      await page.getByPlaceholder('A domain').fill(name);
      const found = page.getByRole('dialog').getByRole('button', { name, exact: false }).first();
      await found.filter({ hasText: name }).waitFor();
      expect([name, ...(await pillsIn(found))]).toEqual([name, ...wantedOnce(sends, receives)]);
    }
    await page.keyboard.press('Escape');
  });

  it('narrows the list to the domains in it', async () => {
    const { page, goTo } = visitor;
    const shown: [show: string, flows: Flow[]][] = [
      ['stopped', ['no', 'waits']],
      ['pending', ['pending']],
      ['at_risk', ['at_risk', 'monitored']],
      ['off', ['off']],
      ['well', ['yes']],
    ];
    const order: readonly Flow[] = FLOWS;
    for (const [show, flows] of shown) {
      await goTo(`/domains?show=${show}`);
      const expected = EXPECTED.filter(([, [sends], [receives]]) =>
        flows.includes(order[Math.max(order.indexOf(sends), order.indexOf(receives))] ?? 'yes'),
      ).map(([name]) => name);
      await page.getByText(`${expected.length} ${expected.length === 1 ? 'domain' : 'domains'} shown`).waitFor();
      const links = await page.getByRole('table', { name: 'domains' }).getByRole('link').allInnerTexts();
      expect([show, links.toSorted()]).toEqual([show, expected.toSorted()]);
    }
    await lookAt(browser, visitor, 'Domains that send and receive');
    await goTo('/domains?show=dns_missing');
    const lacking = Object.keys(LACKING);
    await page.getByText(`${lacking.length} domains shown`).waitFor();
    await page.locator('[aria-current=true]', { hasText: `MX or SPF missing ${lacking.length}` }).waitFor();
    const links = await page.getByRole('table', { name: 'domains' }).getByRole('link').allInnerTexts();
    expect(links.toSorted()).toEqual(lacking.toSorted());
  });

  it('is on the Home of its partner the same as in the list, and a domain in no need is not there', async () => {
    const { page, goTo } = visitor;
    const wrong = ['mx', 'dkim'].map((record) => ({ record, required: true, status: 'missing' }));
    const pattern = '**/domains/no-mx.example/dns-check';
    await page.route(pattern, (route) => route.fulfill({ json: { checks: wrong } }));
    const inNoNeed: string[] = [];
    for (const [name, sends, receives] of EXPECTED) {
      const partner = partnerOf(name);
      await goTo(`/?as=${partner}`);
      const section = page.locator('section[aria-label="What needs you"]');
      if (sends[0] === 'yes' && receives[0] === 'yes') {
        await section.getByText('Nothing needs you now.').waitFor();
        inNoNeed.push(name);
        continue;
      }
      const row = section.locator('.portal-row').first();
      await row.waitFor();
      const isOfPartner = sends[1].test('Partner suspended');
      await row.getByText(isOfPartner ? partner : name, { exact: true }).waitFor();
      const pills = isOfPartner ? [['Partner suspended', COLOURS.off]] : wantedOnce(sends, receives);
      expect([name, ...(await pillsIn(row))]).toEqual([name, ...pills]);
      if (name === 'no-mx.example') {
        await row.getByText('Wrong or missing: MX, DKIM. See its DNS records').waitFor();
        await section.getByRole('link', { name: '1 with MX or SPF missing' }).waitFor();
      }
    }
    expect(inNoNeed).toEqual(['well.example']);
    await goTo('/');
    await page.locator('section[aria-label="What needs you"] .portal-row').first().waitFor();
    await lookAt(browser, visitor, 'Home with domains in need');
    await page.unroute(pattern);
  });

  it('of missing DNS records is told in a sentence on Overview, Sending and a mailbox, with a link to the records', async () => {
    const { page, goTo } = visitor;
    for (const [name, [verdict, lacks]] of Object.entries(LACKING)) {
      for (const screen of ['', '/sending', `/mailboxes/${mailboxOf(name)}`]) {
        await goTo(`/domains/${name}${screen}`);
        const told = page.getByRole('region', { name: 'Mail now' });
        await told.getByText(verdict).waitFor();
        const link = told.getByRole('link', { name: 'Which DNS records are missing' }).first();
        await link.waitFor();
        const text = await told.innerText();
        expect([name, LACK_SENTENCES.filter((each) => text.includes(each))]).toEqual([name, lacks]);
        expect([name, /Incoming mail/.test(text)]).toEqual([name, !text.includes('No mail arrives')]);
        expect(text).toContain('Who must act: the partner.');
      }
      if (name === 'no-records.example') await lookAt(browser, visitor, 'A domain without MX and SPF');
    }
    await goTo('/domains/no-mx.example');
    await page.getByRole('link', { name: 'Which DNS records are missing' }).click();
    await page.waitForURL('**/domains/no-mx.example/dns');
  });

  it('is left out, and all else is shown, while a process of the former release answers (@until 5.3)', async () => {
    const { page, goTo } = visitor;
    const pattern = ({ pathname }: URL) => /^\/(domains\/(near-day\.example)?|me\/attention)$/.test(pathname);
    await page.route(pattern, async (route) => {
      if (new URL(route.request().url()).searchParams.has('state'))
        return route.fulfill({ status: 422, json: { code: 'validation_failed', errors: [] } });
      const answer = await route.fetch();
      const body = JSON.stringify(await answer.json(), (name, value: unknown) =>
        name === 'state' ? undefined : value,
      );
      await route.fulfill({ response: answer, body });
    });
    await goTo('/domains');
    await page.getByRole('link', { name: 'near-day.example', exact: true }).waitFor();
    await goTo('/domains/near-day.example');
    await page.getByRole('link', { name: 'DNS records', exact: true }).waitFor();
    await goTo('/');
    await page.getByText('It has used at least 80% of its limit of the day.').first().waitFor();
    expect(await page.getByText(/^(Sends|Receives)$/).count()).toBe(0);
    await page.unroute(pattern);
  });

  it('is in the CSV file of the list as the API has it', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains?q=two.example');
    await page.getByRole('link', { name: 'two.example' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV file' }).click();
    const stream = await (await saved).createReadStream();
    const text = (await stream.toArray()).join('');
    const [head = [], line = []] = text.split('\r\n').map((each) => each.split(','));
    const values = Object.fromEntries(head.map((name, index) => [name, line[index]]));
    expect(values).toMatchObject({ name: 'two.example', sends: 'waits', receives: 'no', reason: 'inbound_pending' });
  });

  it('turns before the eyes when its limit is raised', async () => {
    const { page, goTo } = visitor;
    const pill = page.locator('.portal-pill');
    await goTo('/domains/at-day.example');
    await pill.getByText('Waits until').waitFor();
    await service.call('PUT', '/domains/at-day.example/outbound', { daily_limit: 1_000 });
    await pill.getByText('Sends').waitFor();
    await service.call('PUT', '/domains/at-day.example/outbound', { daily_limit: null });
    await pill.getByText('Waits until').waitFor();
  });
});
