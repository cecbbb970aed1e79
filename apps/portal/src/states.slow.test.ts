import type { Database } from '@mailstead/adapters/database/driver/database';
import { HOUR_MS } from '@mailstead/core/clock';
import { FLOWS, type Flow } from '@mailstead/core/domains/flow';
import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const MB = 1_048_576;

interface Seed {
  /** Calls the API about the domain, as master. */
  put: (path: string, body?: object) => Promise<unknown>;
  /** Counts messages, and bytes, that left. */
  sent: (count: number, bytes?: number) => Promise<unknown>;
  /** Changes a field of the row of the domain, or of its verification, while the service does not run. */
  later: (table: 'domain' | 'verification', column: string, value: string | number | null) => void;
  /** Has a reason for attention that comes from outside. */
  needs: (reason: string) => void;
}

/** Each state: how a domain gets it, what it sends and receives, and the words of the page. */
const STATES: Record<string, [(seed: Seed) => unknown, sends: [Flow, RegExp], receives: [Flow, string]]> = {
  'well.example': [() => {}, ['yes', /^Sends$/], ['yes', 'Receives']],
  'abuse.example': [({ put }) => put('suspend', { cause: 'abuse' }), ['off', /^Suspended$/], ['off', 'Suspended']],
  'unpaid.example': [({ put }) => put('suspend', { cause: 'billing' }), ['off', /^Suspended$/], ['off', 'Suspended']],
  'by-operator.example': [
    ({ put }) => put('outbound', { outbound_status: 'blocked' }),
    ['no', /^Sending stopped$/],
    ['yes', 'Receives'],
  ],
  'bounces.example': [
    async ({ put, later }) => {
      await put('outbound', { outbound_status: 'blocked' });
      later('domain', 'blocked_reason', 'bounce_rate');
    },
    ['no', /^Stopped: bounces$/],
    ['yes', 'Receives'],
  ],
  'complaints.example': [
    async ({ put, later }) => {
      await put('outbound', { outbound_status: 'blocked' });
      later('domain', 'blocked_reason', 'complaint_rate');
    },
    ['no', /^Stopped: spam reports$/],
    ['yes', 'Receives'],
  ],
  'failed.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', null);
    },
    ['no', /^Not verified$/],
    ['yes', 'Receives'],
  ],
  'lost-lately.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', Date.now() - HOUR_MS);
    },
    ['waits', /^Sending waits$/],
    ['yes', 'Receives'],
  ],
  'lost.example': [
    ({ later }) => {
      later('verification', 'status', 'failed');
      later('verification', 'lost_at', Date.now() - 100 * HOUR_MS);
    },
    ['no', /^Not verified$/],
    ['yes', 'Receives'],
  ],
  'at-risk.example': [({ needs }) => needs('dns_at_risk'), ['at_risk', /^DNS at risk$/], ['yes', 'Receives']],
  'near-day.example': [({ sent }) => sent(165), ['at_risk', /^Near the limit of the day$/], ['yes', 'Receives']],
  'at-day.example': [({ sent }) => sent(200), ['waits', /^Waits until \S/], ['yes', 'Receives']],
  'near-month.example': [
    async ({ put, sent }) => {
      await put('outbound', { daily_limit: 0, monthly_limit: 100 });
      await sent(80);
    },
    ['at_risk', /^Near the limit of the month$/],
    ['yes', 'Receives'],
  ],
  'monitored.example': [
    async ({ put, sent }) => {
      await put('outbound', { outbound_enforcement: 'monitor' });
      await sent(200);
    },
    ['monitored', /^Over its limit, and still sends$/],
    ['yes', 'Receives'],
  ],
  'capped.example': [
    async ({ put, sent }) => {
      await put('transfer', { transfer_monthly_mb: 10 });
      await sent(1, 30 * MB);
    },
    ['waits', /^Waits until \S/],
    ['yes', 'Receives'],
  ],
  'closed.example': [
    ({ put }) => put('inbound', { inbound: 'pending' }),
    ['yes', /^Sends$/],
    ['no', 'No mail arrives'],
  ],
  'two.example': [
    async ({ put, sent }) => {
      await put('inbound', { inbound: 'pending' });
      await sent(200);
    },
    ['waits', /^Sending waits$/],
    ['no', 'No mail arrives'],
  ],
};

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
      });
    }
    await service.call('PUT', `/domains/${OWN_LIMIT}/outbound`, { daily_limit: 5 }, acme);
    await sent(OWN_LIMIT, 5);
    await service.call('PUT', '/partners/a.debtor/suspend', { cause: 'billing', stage: 'changes' });
    await service.call('PUT', '/partners/b.debtor/suspend', { cause: 'billing', stage: 'all' });
    await service.whileDown((database) => store(database, fields, reasons), { SANDBOX_VERIFY_AFTER: '86400' });
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
  ): Promise<void> {
    for (const [sql, ...parameters] of fields) await database.write(sql, parameters, []);
    for (const [reason, name] of reasons) {
      await database.write(
        `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
         SELECT id, ?, partner_id, '' FROM domain WHERE name = ?`,
        [reason, name],
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
      await page.locator('.portal-pill').first().waitFor();
      expect([name, ...(await pillsIn(page.locator('#content')))]).toEqual([name, ...wantedOnce(sends, receives)]);
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
  });

  it('is on Home the same as in the list', async () => {
    const { page, goTo } = visitor;
    await goTo('/');
    const rows = page.locator('section[aria-label="What needs you"] .mantine-Paper-root');
    await rows.first().waitFor();
    const known = new Map(ALL.map(([name, ...rest]) => [name, rest]));
    for (const row of await rows.all()) {
      const name = await row.getByRole('link').first().innerText();
      const [sends, receives] = known.get(name) ?? [];
      if (sends === undefined || receives === undefined) throw new Error(`Home has ${name}`);
      expect([name, ...(await pillsIn(row))]).toEqual([name, ...wantedOnce(sends, receives)]);
    }
    await lookAt(browser, visitor, 'Home with domains in need');
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
