import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { MASTER, TestService } from './testing/test-service.js';

const DOMAIN = 'juniper.com';
const BOX = `ann@${DOMAIN}`;
const CUSTOMER = 'key-of-a-customer-0123456789-abcdef';
const SCREENS = ['', '/sending', `/mailboxes/${BOX}`];

describe.each([WIDE, NARROW])(
  'at $width px, what the page says about the mail of a domain, on Overview, Sending and a mailbox',
  (size) => {
    let service: TestService;
    let browser: TestBrowser;
    let partner: Visitor;
    let customer: Visitor;
    let operator: Visitor;

    beforeAll(async () => {
      [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
      const token = await service.key('acme');
      await service.call('POST', '/domains/', { name: DOMAIN }, token);
      await service.call('POST', '/users/', { email: BOX, password: 'correct horse battery' }, token);
      await until('the domain is verified', async () => {
        const { verified } = await service.call('GET', `/domains/${DOMAIN}/relay-status`);
        return verified === true;
      });
      partner = await browser.enter(service.url, token, size);
      await service.key('acme', { token: CUSTOMER, domains: [DOMAIN] });
      customer = await browser.enter(service.url, CUSTOMER, size);
      operator = await browser.enter(service.url, MASTER, size);
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });
    afterEach(() => expect(browser.takeFaults()).toEqual([]));

    const asMaster = (method: string, path: string, body: object = {}) => service.call(method, path, body, MASTER);

    /** @returns the text of the box */
    async function box(visitor: Visitor, screen: string): Promise<string> {
      await visitor.goTo(`/domains/${DOMAIN}${screen}`);
      const found = visitor.page.getByRole('region', { name: 'Mail now' });
      await found.getByText(/Incoming mail/).waitFor();
      const tooWide = await visitor.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (tooWide > 0) browser.report(`${screen} is ${tooWide} px too wide`);
      return found.innerText();
    }

    it.each(SCREENS)('at …%s: that mail goes out and comes in', async (screen) => {
      const text = await box(partner, screen);
      expect(text).toContain('May send');
      expect(text).toContain('Incoming mail is accepted');
      expect(text).not.toMatch(/Who must act|since|Also/i);
    });

    it.each(SCREENS)(
      'at …%s: a suspended domain, why, since when, who lifts it, and that no mail comes in',
      async (screen) => {
        await asMaster('PUT', `/domains/${DOMAIN}/suspend`, { cause: 'abuse' });
        const text = await box(partner, screen);
        expect(text).toContain('Suspended, so its mail waits');
        expect(text).toMatch(/Suspended because of abuse \(set by operator\), since /);
        expect(text).toContain('Who must act: the operator.');
        expect(text).toContain('Incoming mail waits at its senders');
        expect(text).not.toContain('accepted');
        expect(await box(operator, screen)).toContain('Who must act: the operator (you).');
        await asMaster('PUT', `/domains/${DOMAIN}/activate`);
      },
    );

    it.each(SCREENS)('at …%s: a suspended partner, and its debts to itself alone', async (screen) => {
      await asMaster('PUT', '/partners/acme/suspend', { cause: 'billing', stage: 'changes' });
      const text = await box(partner, screen);
      expect(text).toContain('Suspended, with all domains of its partner, because of an unpaid bill');
      expect(text).toContain('Who must act: billing, once the bill is paid.');
      expect(text).toContain('Incoming mail is accepted');
      const seen = await box(customer, screen);
      expect(seen).toContain('Suspended, so its mail waits');
      expect(seen).toContain('Ask your provider');
      expect(seen).not.toMatch(/bill|operator|key:/);
      await asMaster('PUT', '/partners/acme/activate');
    });

    it('a domain that is not verified, who publishes the records, and where they are', async () => {
      const slow = await TestService.start('sqlite', { SANDBOX_VERIFY_AFTER: '86400' });
      try {
        const token = await slow.key('acme');
        await slow.call('POST', '/domains/', { name: DOMAIN }, token);
        const visitor = await browser.enter(slow.url, token, size);
        for (const screen of ['', '/sending']) {
          const text = await box(visitor, screen);
          expect(text).toContain('Not verified, so it may not send');
          expect(text).toContain('Who must act: you.');
          expect(text).toContain('Incoming mail is not accepted until the domain was verified once');
        }
        await visitor.page.getByRole('link', { name: 'Which DNS records are missing' }).click();
        await visitor.page.waitForURL(`**/domains/${DOMAIN}/dns`);
        await visitor.context.close();
      } finally {
        await slow.stop();
      }
    });

    it('an inactive mailbox is told before what its domain may do', async () => {
      await asMaster('PUT', `/users/${BOX}`, { active: false });
      const text = await box(partner, `/mailboxes/${BOX}`);
      expect(text.indexOf('Switched off: nobody can log in')).toBeLessThan(text.indexOf('May send'));
      expect(text).toContain('Switched off');
      await asMaster('PUT', `/users/${BOX}`, { active: true });
    });

    it('a reached limit, since when, when it ends, and what else holds', async () => {
      await asMaster('POST', `/domains/${DOMAIN}/outbound/increment`, { count: 200 });
      await asMaster('PUT', `/domains/${DOMAIN}/outbound`, { monthly_limit: 200 });
      for (const screen of SCREENS) {
        const text = await box(partner, screen);
        expect(text).toContain('The limit of today is reached, so its mail waits until 00:00 UTC');
        expect(text).toMatch(/Since .*\./);
        expect(text).toContain('Also: the limit of this month is reached.');
        expect(text).toMatch(/It ends by itself at .*\./);
        expect(text).not.toContain('Who must act');
      }
    });
  },
);
