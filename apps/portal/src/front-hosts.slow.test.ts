import { DnsServer } from '@mailstead/adapters/dns/testing/dns-server';
import { DAY_MS } from '@mailstead/core/clock';
import { until } from '@mailstead/core/testing/until';
import { SIZES, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const OURS = 'mx1.platform.test';
const FILTER = 'mx.filter.example';
const GOOGLE = 'aspmx.l.google.com';
const SAY = 'These hosts stand in front of us';

describe.each(SIZES)('hosts in front of the service, at $at', ({ size }) => {
  let dns: DnsServer;
  let service: TestService;
  let browser: TestBrowser;
  let visitor: Visitor;
  let token: string;

  beforeAll(async () => {
    dns = await DnsServer.start();
    const settings = { DNS_SERVERS: dns.address, MX_HOSTS: OURS, SPF_INCLUDE: 'spf.platform.test' };
    dns.a(OURS, '192.0.2.1').a(FILTER, '198.51.100.7').txt('spf.platform.test', 'v=spf1 ip4:192.0.2.1 -all');
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    token = await service.key('acme');
    const lacking = { 'filtered.com': 'mx_elsewhere', 'split.com': 'mx_mailboxes', 'alias.com': 'mx_mailboxes' };
    dns.cname('alias.com', 'target.com');
    for (const name of Object.keys(lacking)) {
      const at = name === 'alias.com' ? 'target.com' : name;
      dns.txt(at, 'v=spf1 include:spf.platform.test ~all');
      publish(at, name === 'filtered.com' ? FILTER : GOOGLE, OURS);
      await service.call('POST', '/domains/', { name }, token);
      const isVerified = async () => (await service.call('GET', `/domains/${name}/relay-status`)).verified === true;
      await until(`${name} is verified`, isVerified);
      await service.call('POST', '/users/', { email: `ann@${name}`, password: 'correct horse battery' }, token);
    }
    // As two looks ten minutes apart found it.
    await service.whileDown(async (database) => {
      for (const [name, lacks] of Object.entries(lacking)) {
        const ofDomain = 'domain_id = (SELECT id FROM domain WHERE name = ?)';
        const found = [lacks, Date.now() + DAY_MS, name];
        await database.write(`UPDATE dns_look SET lacks = ?, suspected = '', due_at = ? WHERE ${ofDomain}`, found, []);
        await database.write(
          `INSERT INTO domain_attention (domain_id, reason, partner_id, period)
           SELECT id, 'dns_missing', partner_id, '' FROM domain WHERE name = ?`,
          [name],
        );
      }
    });
    visitor = await browser.enter(service.url, token, size);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([service?.stop(), dns?.close()]);
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const publish = (name: string, ...hosts: string[]) =>
    dns.mx(name, ...hosts.map((exchange, index) => ({ exchange, preference: index })));
  const pill = (word: string) => visitor.page.locator('.portal-pill', { hasText: word });
  const section = () => visitor.page.getByRole('region', { name: 'Hosts in front of this service' });
  const card = () => visitor.page.getByRole('region', { name: 'Mail arrives here (MX)', exact: true });

  it('the overview says at which host mail arrives first, and leads to where that can be said', async () => {
    await visitor.goTo('/domains/filtered.com');
    const now = visitor.page.getByRole('region', { name: 'Mail now' });
    const stop = now.getByRole('region', { name: 'Mail arrives at other hosts first.' });
    await stop.getByText(`Mail arrives at ${FILTER} first.`).waitFor();
    await stop.getByText('If it is passed on to this service').waitFor();
    await now.getByRole('link', { name: 'Which DNS records are missing' }).click();
    await card().getByText('Not right').waitFor();
    await lookAt(browser, visitor, 'A host that comes first');
  });

  it('one click says it, and the pill follows; a withdrawal asks again', async () => {
    await visitor.goTo('/domains/filtered.com/dns');
    await pill('MX elsewhere').waitFor();
    await card().getByRole('button', { name: SAY }).click();
    await section()
      .getByText(/^In front of this service stand, as was said on .*: mx\.filter\.example\.$/)
      .waitFor();
    await visitor.page.getByRole('button', { name: SAY }).waitFor({ state: 'detached' });
    await pill('Receives').waitFor();
    await lookAt(browser, visitor, 'Hosts in front of the service');
    await section().getByRole('button', { name: 'Withdraw' }).click();
    await card().getByRole('button', { name: SAY }).waitFor();
    expect(await section().innerText()).not.toContain('as was said');
  });

  it('another host is asked about beside what was said, and whoever keeps the DNS alone can say nothing', async () => {
    await service.call('PUT', '/domains/filtered.com/front-hosts', { hosts: ['old.filter.example'] }, token);
    await visitor.goTo('/domains/filtered.com/dns');
    await card().getByText('old.filter.example.').waitFor();
    await card().getByRole('button', { name: SAY }).waitFor();
    const link = { domain: 'filtered.com', scope: 'dns' };
    const { url } = await service.call<{ url: string }>('POST', '/portal-links', link, token);
    const keeper = await browser.visit(service.url, size);
    await keeper.page.goto(service.url + url);
    await keeper.page.getByRole('button', { name: 'Enter' }).click();
    await keeper.page.getByText('old.filter.example.').waitFor();
    for (const name of [SAY, 'Withdraw']) expect(await keeper.page.getByRole('button', { name }).count()).toBe(0);
    await keeper.context.close();
    await card().getByRole('button', { name: SAY }).click();
    await section().getByText(`: ${FILTER}.`).waitFor();
  });

  it.each(['split.com', 'alias.com'])('of mailboxes it is asked whether mail is passed on (%s)', async (domain) => {
    await visitor.goTo(`/domains/${domain}/dns`);
    await pill('MX of Google or Microsoft').waitFor();
    await card().getByText(`arrives at ${GOOGLE} first, in mailboxes of Google.`).waitFor();
    await card().getByRole('button', { name: SAY }).click();
    const dialog = visitor.page.getByRole('dialog', { name: 'Hosts in front of this service' });
    await dialog.getByText(`At ${GOOGLE} there are mailboxes, which keep the mail that arrives.`).waitFor();
    await lookAt(browser, visitor, 'Mailboxes in front of the service');
    await dialog.getByRole('button', { name: SAY }).click();
    await section().getByText(`: ${GOOGLE}.`).waitFor();
    await pill('Receives').waitFor();
  });
});
