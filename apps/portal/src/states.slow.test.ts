import type { Database } from '@mailstead/adapters/database/driver/database';
import { DAY_MS } from '@mailstead/core/clock';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { LACK_SENTENCES, LACKING, STATES } from './testing/seeded-states.js';
import { TestService } from './testing/test-service.js';

/** Those of the partner's own, which its staff sees. */
const OWN_LIMIT = 'own-limit.example';

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
  let acme: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    acme = await service.key('acme');
    const fields: [string, string | number | null, string][] = [];
    const reasons: [reason: string, name: string][] = [];
    const looks: [lacks: string, name: string][] = [];
    for (const name of [...Object.keys(STATES), OWN_LIMIT, 'a.debtor.example', 'b.debtor.example']) {
      const partner_ref = name.includes('debtor') ? name.slice(0, -'.example'.length) : 'acme';
      await service.call('POST', '/domains/', { name, partner_ref });
    }
    await until('every domain to be verified', async () => {
      const waiting = await service.call<unknown[]>('GET', '/domains/?verification_status=pending&limit=1');
      const begun = await service.call<unknown[]>('GET', '/domains/?verification_status=unverified&limit=1');
      return waiting.length + begun.length === 0;
    });
    for (const [name, [seed]] of Object.entries(STATES)) {
      await seed({
        put: (path, body = {}) => service.call('PUT', `/domains/${name}/${path}`, body),
        sent: (count, bytes = 0) => sent(name, count, bytes),
        later: (table, column, value) => {
          const of = table === 'domain' ? 'name = ?' : 'domain_id = (SELECT id FROM domain WHERE name = ?)';
          fields.push([`UPDATE ${table} SET ${column} = ? WHERE ${of}`, value, name]);
        },
        needs: (reason) => reasons.push([reason, name]),
        lacks: (records) => {
          reasons.push(['dns_missing', name]);
          looks.push([records, name]);
        },
      });
    }
    await service.call('PUT', `/domains/${OWN_LIMIT}/outbound`, { daily_limit: 5 }, acme);
    await sent(OWN_LIMIT, 5);
    await service.call('PUT', '/partners/a.debtor/suspend', { cause: 'billing', stage: 'changes' });
    await service.call('PUT', '/partners/b.debtor/suspend', { cause: 'billing', stage: 'all' });
    await service.whileDown((database) => store(database, fields, reasons, looks), { SANDBOX_VERIFY_AFTER: '86400' });
    await service.call('POST', '/domains/', { name: 'waiting.example' }, acme);
    visitor = await browser.enter(service.url, acme, size);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const sent = (name: string, count: number, bytes = 0) =>
    service.call('POST', `/domains/${name}/outbound/increment`, { count, bytes, record: true });
  async function store(
    database: Database,
    fields: readonly [sql: string, value: string | number | null, name: string][],
    reasons: readonly [reason: string, name: string][],
    looks: readonly [lacks: string, name: string][],
  ): Promise<void> {
    for (const [sql, ...parameters] of fields) await database.write(sql, parameters, []);
    for (const [reason, name] of reasons) {
      await database.write(
        `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
         SELECT id, ?, partner_id, '' FROM domain WHERE name = ?`,
        [reason, name],
      );
    }
    for (const [lacks, name] of looks) {
      await database.write(
        `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected)
         SELECT id, partner_id, ?, ?, '' FROM domain WHERE name = ?`,
        [Date.now() + DAY_MS, lacks, name],
        [],
      );
    }
  }

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
  const ALL: [string, [Flow, RegExp], [Flow, string]][] = [
    ...Object.entries(STATES).map(([name, [, sends, receives]]): [string, [Flow, RegExp], [Flow, string]] => [
      name,
      sends,
      receives,
    ]),
    [OWN_LIMIT, ['waits', /^Waits until \S/], ['yes', 'Receives']],
    ['waiting.example', ['pending', /^Waiting for DNS$/], ['pending', 'Waiting for DNS']],
  ];

  it('is the same in the list, in the header of the domain, in what Ctrl-K finds, and at the API', async () => {
    const { page, goTo } = visitor;
    await goTo('/domains');
    const table = page.getByRole('table', { name: 'domains' });
    await table.getByRole('link', { name: 'well.example', exact: true }).waitFor();
    for (const [name, sends, receives] of ALL) {
      const { state } = await service.call<{ state: { sends: Flow; receives: Flow } }>('GET', `/domains/${name}`);
      expect([name, state.sends, state.receives]).toEqual([name, sends[0], receives[0]]);
      const row = table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      expect([name, ...(await pillsIn(row))]).toEqual([name, ...wanted(sends, receives)]);
    }
    await lookAt(browser, visitor, 'Domains in every state');
    for (const [name, sends, receives] of ALL) {
      await goTo(`/domains/${name}`);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const head = page.getByRole('heading', { level: 1, name }).locator('..');
      await head.locator('.portal-pill').first().waitFor();
      expect([name, ...(await pillsIn(head))]).toEqual([name, ...wantedOnce(sends, receives)]);
    }
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A domain').fill('two.ex');
    const found = page.getByRole('dialog').getByRole('button', { name: 'two.example' });
    await found.waitFor();
    expect(await pillsIn(found)).toEqual(wanted(['waits', /^Sending waits$/], ['no', 'No mail arrives']));
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
      const expected = ALL.filter(([, [sends], [receives]]) =>
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
    expect(await page.getByRole('combobox', { name: 'Show' }).inputValue()).toBe('MX or SPF missing');
    const links = await page.getByRole('table', { name: 'domains' }).getByRole('link').allInnerTexts();
    expect(links.toSorted()).toEqual(lacking.toSorted());
  });

  it('is on Home the same as in the list', async () => {
    const { page, goTo } = visitor;
    const wrong = ['mx', 'dkim'].map((record) => ({ record, required: true, status: 'missing' }));
    await page.route('**/domains/no-mx.example/dns-check', (route) => route.fulfill({ json: { checks: wrong } }));
    await goTo('/');
    const rows = page.locator('section[aria-label="What needs you"] .portal-row');
    await rows.first().waitFor();
    await page.getByRole('link', { name: `${Object.keys(LACKING).length} with MX or SPF missing` }).waitFor();
    await rows
      .filter({ hasText: 'no-mx.example' })
      .getByText('Wrong or missing: MX, DKIM. See its DNS records')
      .waitFor();
    const known = new Map(ALL.map(([name, ...rest]) => [name, rest]));
    for (const row of await rows.all()) {
      const name = await row.getByRole('link').first().innerText();
      const [sends, receives] = known.get(name) ?? [];
      if (sends === undefined || receives === undefined) throw new Error(`Home has ${name}`);
      expect([name, ...(await pillsIn(row))]).toEqual([name, ...wantedOnce(sends, receives)]);
    }
    await lookAt(browser, visitor, 'Home with domains in need');
    await page.unroute('**/domains/no-mx.example/dns-check');
  });

  it('of missing DNS records is told in a sentence on Overview, Sending and a mailbox, with a link to the records', async () => {
    const { page, goTo } = visitor;
    for (const [name, [verdict, lacks]] of Object.entries(LACKING)) {
      const box = `ann@${name}`;
      await service.call('POST', '/users/', { email: box, password: 'correct horse battery' });
      for (const screen of ['', '/sending', `/mailboxes/${box}`]) {
        await goTo(`/domains/${name}${screen}`);
        const told = page.getByRole('region', { name: 'Mail now' });
        await told.getByText(verdict).waitFor();
        const link = told.getByRole('link', { name: 'Which DNS records are missing' }).first();
        await link.waitFor();
        const text = await told.innerText();
        expect([name, LACK_SENTENCES.filter((each) => text.includes(each))]).toEqual([name, lacks]);
        expect([name, /Incoming mail/.test(text)]).toEqual([name, !text.includes('No mail arrives')]);
        expect(text).toContain('Who must act: you.');
      }
      if (name === 'no-records.example') await lookAt(browser, visitor, 'A domain without MX and SPF');
    }
    await goTo('/domains/no-mx.example');
    await page.getByRole('link', { name: 'Which DNS records are missing' }).click();
    await page.waitForURL('**/domains/no-mx.example/dns');
  });

  it.each([
    ['a.debtor', ['yes', 'Receives']],
    ['b.debtor', ['off', 'Partner suspended']],
  ] as const)('of a suspended partner is told in each of its domains: %s', async (partner, [receives, word]) => {
    const debtor = await browser.enter(service.url, await service.key(partner), size);
    await debtor.goTo('/domains');
    const row = debtor.page.getByRole('row').filter({ hasText: `${partner}.example` });
    await row.waitFor();
    expect(await pillsIn(row)).toEqual([
      ['Partner suspended', COLOURS.off],
      [word, COLOURS[receives]],
    ]);
    await debtor.context.close();
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
    expect(await page.locator('.portal-pill').count()).toBe(0);
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
