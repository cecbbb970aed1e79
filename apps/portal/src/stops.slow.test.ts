import { createHmac, randomUUID } from 'node:crypto';
import { until } from '@mailstead/core/testing/until';
import { SIZES, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const KEY = Buffer.from('a secret that only the tests know').toString('base64');
const SECRET = `whsec_${KEY}`;
const SENT = 100;
/** The third one blocks the domain, at 3 %; two more arrive after it. */
const BLOCKS = 3;
const LATER = 2;
const MESSAGE = 'Please call us about your last newsletter.';
/** Whoever is behind a customer's provider. */
const OTHERS = /operator|billing|unpaid|bounce-rule|key:|relay|Mailstead/i;

describe.each(SIZES)('the card of a stop, at $at', ({ size }) => {
  let service: TestService;
  let browser: TestBrowser;
  let partner: Visitor;
  let operator: Visitor;
  let customer: Visitor;
  let token: string;

  beforeAll(async () => {
    const settings = { RELAY_WEBHOOK_SECRET: SECRET };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    token = await service.key('acme');
    for (const name of ['bouncing.com', 'shop.com']) {
      await service.call('POST', '/domains/', { name }, token);
      const isVerified = async () => (await service.call('GET', `/domains/${name}/relay-status`)).verified === true;
      await until(`${name} is verified`, isVerified);
    }
    await service.call('POST', '/users/', { email: 'jo@shop.com', password: 'correct horse battery' }, token);
    const brand = { name: 'Alpen Web', language: 'en', support_email: 'help@alpen-web.example' };
    await service.call('PUT', '/me/brand', brand, token);
    await service.call('POST', '/domains/bouncing.com/outbound/increment', { count: SENT });
    for (let count = 0; count < BLOCKS; count += 1) await bounce('bouncing.com');
    await until('the bounces have blocked the domain', async () => {
      const { outbound_status } = await service.call('GET', '/domains/bouncing.com/outbound');
      return outbound_status === 'blocked';
    });
    for (let count = 0; count < LATER; count += 1) await bounce('bouncing.com');
    await until('the later bounces are counted', async () => {
      const { bounces } = await service.call('GET', '/domains/bouncing.com/outbound');
      return bounces === BLOCKS + LATER;
    });
    partner = await browser.enter(service.url, token, size);
    operator = await browser.enter(service.url, MASTER, size);
    customer = await byLink('bouncing.com');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  async function bounce(domain: string): Promise<void> {
    const [id, at] = [randomUUID(), new Date().toISOString()];
    const recipient = `${randomUUID()}@far.example`;
    const body = JSON.stringify({
      notificationType: 'Bounce',
      mail: { timestamp: at, messageId: randomUUID(), source: `news@${domain}`, destination: [recipient] },
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: recipient }],
        timestamp: at,
      },
    });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(`${id}.${timestamp}.${body}`);
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature.digest('base64')}`,
    };
    const { status } = await fetch(`${service.url}/webhooks/relay`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  }

  async function byLink(domain: string): Promise<Visitor> {
    const { url } = await service.call<{ url: string }>('POST', '/portal-links', { domain, scope: 'manage' }, token);
    const visitor = await browser.visit(service.url, size);
    await visitor.page.goto(service.url + url);
    await visitor.page.getByRole('button', { name: 'Enter' }).click();
    await visitor.page.getByRole('heading', { level: 1, name: domain }).waitFor();
    return visitor;
  }

  const card = ({ page }: Visitor, what: string) =>
    page.getByRole('region', { name: 'Mail now' }).getByRole('region', { name: what });
  const textOf = async (visitor: Visitor, path: string, what: string) => {
    await visitor.goTo(path);
    await card(visitor, what).waitFor();
    return card(visitor, what).innerText();
  };
  const put = (path: string, body: object, as = MASTER) => service.call('PUT', path, body, as);

  it('of bounces has the rate and the counts of the moment of the block, the limit, and the addresses one click away', async () => {
    for (const path of ['/domains/bouncing.com', '/domains/bouncing.com/sending']) {
      const text = await textOf(partner, path, 'Sending is blocked');
      expect(text).toMatch(/3 of 100 messages bounced between .+ and .+: 3%\. The limit is 3%\./);
      expect(text).toContain('Who must act: the operator.');
    }
    await partner.page.getByText('5% of its mail bounced in 30 days (5).').waitFor();
    await lookAt(browser, partner, 'Sending that bounces blocked');
    await partner.goTo('/domains/bouncing.com');
    await card(partner, 'Sending is blocked').getByRole('link', { name: 'Look at the addresses' }).click();
    const bounces = partner.page.getByRole('region', { name: 'Bounces and spam reports' });
    await bounces.getByText('@far.example').first().waitFor();
    await until('the list is in sight', () =>
      bounces.evaluate((node) => node.getBoundingClientRect().top < window.innerHeight),
    );
  });

  it('has its button for the operator, on the first screen of the domain too, and for nobody else', async () => {
    await textOf(partner, '/domains/bouncing.com', 'Sending is blocked');
    expect(await card(partner, 'Sending is blocked').getByRole('button').count()).toBe(0);
    await textOf(operator, '/domains/bouncing.com', 'Sending is blocked');
    await lookAt(browser, operator, 'A stop as the operator sees it');
    await card(operator, 'Sending is blocked').getByRole('button', { name: 'Let it send again' }).waitFor();
  });

  it('names a customer one counterpart, with its address in the same box', async () => {
    for (const path of ['/domains/bouncing.com', '/domains/bouncing.com/sending']) {
      const text = await textOf(customer, path, 'Sending is blocked');
      expect(text).toContain('Stopped because too many messages bounced');
      expect(text).toContain('3 of 100 messages bounced');
      expect(text).toContain('Ask Alpen Web: help@alpen-web.example');
    }
    await lookAt(browser, customer, 'A stop as a customer sees it');
    await put('/domains/bouncing.com/suspend', { cause: 'billing', message: MESSAGE });
    const text = await textOf(customer, '/domains/bouncing.com', 'Suspended, so its mail waits');
    expect(text).toContain('Incoming mail waits at its senders, and is not lost.');
    const shown = {
      '': /Ask /,
      '/sending': /Ask /,
      '/history': /was suspended/,
      '/settings': /Nothing to change|Mail from/,
    };
    for (const [screen, words] of Object.entries(shown)) {
      await customer.goTo(`/domains/bouncing.com${screen}`);
      await customer.page.getByText(words).first().waitFor();
      await until('all of it is there', async () => (await customer.page.getByText('Loading').count()) === 0);
      const seen = await customer.page.locator('body').innerText();
      expect([screen, OTHERS.exec(seen)?.[0] ?? null]).toEqual([screen, null]);
      expect(seen).not.toContain(MESSAGE);
    }
  });

  it('has the button that lifts a cause, which offers to set it again with its message', async () => {
    await textOf(operator, '/domains/bouncing.com', 'Suspended, so its mail waits');
    await card(operator, 'Suspended, so its mail waits').getByText(`The operator says: ${MESSAGE}`).waitFor();
    await card(operator, 'Suspended, so its mail waits')
      .getByRole('button', { name: /lifting the cause/ })
      .click();
    await card(operator, 'Sending is blocked').waitFor();
    await operator.page.getByRole('button', { name: 'Undo' }).click();
    await card(operator, 'Suspended, so its mail waits').getByText(`The operator says: ${MESSAGE}`).waitFor();
    // The block is lifted here, whatever else stops the domain.
    await card(operator, 'Suspended, so its mail waits').getByRole('button', { name: 'Let it send again' }).click();
    await card(operator, 'Suspended, so its mail waits')
      .getByRole('button', { name: 'Let it send again' })
      .waitFor({ state: 'detached' });
    await put('/domains/bouncing.com/activate', {});
  });

  it('says what the operator says, which it writes with the suspension and changes later', async () => {
    await operator.goTo('/domains/shop.com/settings');
    await operator.page.getByLabel('Message to the partner').fill(MESSAGE);
    await operator.page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await operator.page.getByText('shop.com is suspended.').waitFor();
    let text = await textOf(partner, '/domains/shop.com', 'Suspended, so its mail waits');
    expect(text).toContain(`The operator says: ${MESSAGE}`);
    await operator.goTo('/domains/shop.com/settings');
    await operator.page.getByLabel('Message to the partner').first().fill('Please write.');
    await lookAt(browser, operator, 'The message of a suspension');
    const suspended = operator.page.getByRole('region', { name: 'Suspended', exact: true });
    await suspended.getByRole('button', { name: 'Save' }).click();
    await operator.page.getByText('Saved').waitFor();
    text = await textOf(partner, '/domains/shop.com', 'Suspended, so its mail waits');
    expect(text).toContain('The operator says: Please write.');
    await put('/domains/shop.com/activate', {});
  });

  it('lets a partner take back what it lifted, also a cause about which the operator said something', async () => {
    await put('/domains/shop.com/suspend', { cause: 'partner', message: MESSAGE });
    await textOf(partner, '/domains/shop.com', 'Suspended, so its mail waits');
    await card(partner, 'Suspended, so its mail waits')
      .getByRole('button', { name: /lifting the cause/ })
      .click();
    await card(partner, 'Suspended, so its mail waits').waitFor({ state: 'detached' });
    await partner.page.getByRole('button', { name: 'Undo' }).click();
    await card(partner, 'Suspended, so its mail waits').waitFor();
    await put('/domains/shop.com/activate', {});
  });

  it('of a block by the operator has what it wrote with it', async () => {
    await operator.goTo('/domains/shop.com/sending');
    const stop = operator.page.getByRole('region', { name: 'Stop sending' });
    await stop.getByLabel('Message to the partner').fill(MESSAGE);
    await stop.getByRole('button', { name: 'Stop sending' }).click();
    await operator.page.getByText('shop.com may no longer send.').waitFor();
    const text = await textOf(partner, '/domains/shop.com', 'Sending is blocked');
    expect(text).toContain('Blocked by the operator (set by operator), since');
    expect(text).toContain(`The operator says: ${MESSAGE}`);
    await lookAt(browser, operator, 'Sending that the operator blocked');
    await operator.page.getByRole('button', { name: 'Undo' }).click();
    await operator.page.getByRole('region', { name: 'Stop sending' }).waitFor();
  });

  it('of a limit says how much of it is used and whose it is, and leads to where it is raised', async () => {
    await put('/domains/shop.com/outbound', { daily_limit: 2 }, token);
    await service.call('POST', '/domains/shop.com/outbound/increment', { count: 2, sender: 'jo@shop.com' });
    const what = 'The limit of today is reached, so its mail waits until 00:00 UTC';
    const text = await textOf(partner, '/domains/shop.com', what);
    expect(text).toContain(
      '2 of 2 recipients of today are used. It is your own limit, below what the operator allows.',
    );
    expect(await textOf(operator, '/domains/shop.com', what)).toContain('It is the partner’s own limit');
    const byCustomer = await byLink('shop.com');
    const seen = await textOf(byCustomer, '/domains/shop.com', what);
    expect(seen).toContain('It is a limit that was set for this domain.');
    expect(seen).not.toMatch(OTHERS);
    await byCustomer.context.close();
    await card(partner, what).getByRole('link', { name: 'Raise it' }).click();
    await partner.page.getByRole('region', { name: 'Own limits' }).waitFor();
    await put('/domains/shop.com/outbound', { daily_limit: null }, token);
    await service.call('POST', '/domains/shop.com/outbound/increment', { count: 1, bytes: 3 * 1_048_576 });
    await put('/domains/shop.com/transfer', { transfer_monthly_mb: 1 });
    const capped = await textOf(partner, '/domains/shop.com', 'The transfer cap of this month is reached');
    expect(capped).toContain('3 MB of 1 MB of this month are used.');
    await put('/domains/shop.com/transfer', { transfer_monthly_mb: 0 });
  });
});
