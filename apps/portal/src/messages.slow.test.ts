import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const DOMAIN = 'juniper.com';
const ANN = `ann@${DOMAIN}`;
const MINUTE_MS = 60_000;

describe.each([WIDE, NARROW])('at $width px, what became of a message', (size) => {
  let service: TestService;
  let browser: TestBrowser;
  let staff: Visitor;
  let customer: Visitor;
  let queue = 0;

  /** Reports steps of one message, a minute apart, the last one a minute ago. */
  async function report(message: object, steps: object[]): Promise<void> {
    queue += 1;
    const common = { host: 'mx1', queue_id: `Q${queue}`, direction: 'out', domain: DOMAIN, sender: ANN, ...message };
    const at = (index: number) => new Date(Date.now() - (100 - queue - index) * MINUTE_MS).toISOString();
    const items = steps.map((step, index) => ({ ...common, at: at(index), ...step }));
    await service.call('POST', '/outbound/trail', { items }, MASTER);
  }

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    const token = await service.key('acme');
    await service.call('POST', '/domains/', { name: DOMAIN }, token);
    await service.call('POST', '/users/', { email: ANN, password: 'correct horse battery' }, token);
    await report({ recipient: 'jane@far.example', message_id: '<7f3a@juniper.com>', size: 2_048 }, [
      { step: 'accepted' },
      { step: 'deferred', detail: 'host mx.far.example said: 450 4.2.1 <b>later</b>' },
      { step: 'relayed', detail: '250 Ok 0102018f2c6e4b11-000000' },
    ]);
    await report({ recipient: 'gone@far.example' }, [{ step: 'accepted' }, { step: 'bounced', reason: 'NoEmail' }]);
    await report({ recipient: 'late@far.example' }, [{ step: 'refused', reason: 'daily_limit' }]);
    await report({ recipient: 'odd@far.example' }, [{ step: 'refused', reason: '5.7.99' }]);
    await report({ recipient: 'none@far.example' }, [{ step: 'refused', reason: 'recipient_suppressed' }]);
    await report({ recipient: 'full@far.example' }, [
      { step: 'accepted' },
      { step: 'relayed' },
      { step: 'bounced', reason: 'General', detail: '554 5.7.1 no' },
    ]);
    await report({ recipient: ANN, sender: '', direction: 'in' }, [{ step: 'accepted' }, { step: 'stored' }]);
    staff = await browser.enter(service.url, token, size);
    const link = { domain: DOMAIN, scope: 'manage' };
    const { url } = await service.call<{ url: string }>('POST', '/portal-links', link, token);
    customer = await browser.visit(service.url, size);
    await customer.page.goto(service.url + url);
    await customer.page.getByRole('button', { name: 'Enter' }).click();
    await customer.page.getByRole('heading', { level: 1, name: DOMAIN }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const row = ({ page }: Visitor, text: string) =>
    page.getByRole('table', { name: 'messages' }).getByRole('row').filter({ hasText: text });
  const steps = ({ page }: Visitor) => page.getByRole('list', { name: 'What happened' }).getByRole('listitem');

  it('is asked on Home by its recipient, and told in a sentence; the words of the server are behind a click', async () => {
    const { page } = staff;
    await staff.goTo('/');
    const field = page.getByRole('searchbox', { name: 'What became of a message?' });
    await field.fill('Jane@far.example');
    await field.press('Enter');
    await row(staff, 'jane@far.example').getByText('Handed over for delivery').waitFor();
    expect(await row(staff, '@').count()).toBe(1);
    await lookAt(browser, staff, 'Messages');
    await row(staff, 'jane@far.example').getByRole('link').click();
    await steps(staff).nth(2).waitFor();
    const said = page.getByText('450 4.2.1 <b>later</b>');
    expect(await said.isVisible()).toBe(false);
    const texts = await steps(staff).allInnerTexts();
    expect(texts[0]).toContain('It was taken from its sender.');
    expect(texts[1]).toContain('It waits, and is tried again.');
    expect(texts[2]).toContain('It was handed to the service that delivers mail');
    await steps(staff).nth(1).getByText('What the server said').click();
    await said.waitFor();
    await lookAt(browser, staff, 'A message');
  });

  it('is found by its Message-ID and by its state; what no search finds is said', async () => {
    const { page } = staff;
    await staff.goTo('/messages');
    await page.getByText('These are the messages of the last 24 hours').waitFor();
    await row(staff, 'gone@far.example').getByText('Not delivered, and given up: the address does not exist').waitFor();
    await row(staff, 'late@far.example').getByText('Refused here: the limit of today is reached').waitFor();
    await row(staff, 'odd@far.example').getByText('Refused here: 5.7.99').waitFor();
    await row(staff, 'a notice of a mail server').getByText('In the mailbox').waitFor();
    await page.getByLabel('Recipient, or Message-ID').fill('<7f3a@juniper.com>');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await row(staff, 'late@far.example').waitFor({ state: 'detached' });
    expect(await row(staff, '@').count()).toBe(1);
    await staff.goTo('/messages?state=bounced');
    await row(staff, 'gone@far.example').waitFor();
    expect(await row(staff, '@').count()).toBe(2);
    await staff.goTo('/messages?about=nobody@far.example');
    await page.getByText('No message is known').waitFor();
    await page.getByText('Not seen here: mail that never reached these servers').waitFor();
  });

  it('may not be here yet, which the list says', async () => {
    const late = {
      host: 'mx1',
      queue_id: 'L1',
      direction: 'out',
      domain: DOMAIN,
      sender: ANN,
      recipient: 'x@far.example',
    };
    const report = (agoMs: number) => {
      const items = [{ ...late, step: 'accepted', at: new Date(Date.now() - agoMs).toISOString() }];
      return service.call('POST', '/outbound/trail', { items }, MASTER);
    };
    await report(9.5 * MINUTE_MS);
    await staff.goTo('/messages');
    await staff.page.getByText('The mail servers report with a delay of 10 minutes').waitFor();
    await lookAt(browser, staff, 'Messages that come late');
    await report(0);
    await staff.goTo('/messages');
    await row(staff, 'late@far.example').waitFor();
    expect(await staff.page.getByText('with a delay').count()).toBe(0);
  });

  it('is told by the box of its mailbox and domain when it did not arrive, with the reason, and one click from its steps', async () => {
    for (const [visitor, screen] of [
      [staff, `/mailboxes/${ANN}`],
      [customer, ''],
    ] as const) {
      const { page } = visitor;
      await visitor.goTo(`/domains/${DOMAIN}${screen}`);
      const box = page.getByRole('region', { name: 'Mail now' });
      const failed = box.getByRole('list', { name: 'Messages of the last 24 hours that did not arrive:' });
      await failed.getByText('Refused here: 5.7.99').waitFor();
      await failed.getByText('Refused here: this address does not work, or does not want mail').waitFor();
      await failed.getByText('Not delivered, and given up: the server of the recipient refused it').waitFor();
      expect(await failed.getByRole('listitem').count()).toBe(3);
      await lookAt(browser, visitor, 'The box with messages that did not arrive');
      await failed.getByRole('link', { name: 'full@far.example' }).click();
      await steps(visitor).getByText('It was given up: the recipient does not get it.').waitFor();
      expect(await page.getByText('554 5.7.1 no').isVisible()).toBe(false);
    }
  });

  it('of a partner is not mixed with those of others, when an operator sees as the partner', async () => {
    const operator = await browser.enter(service.url, MASTER, size);
    await operator.goTo('/messages?as=acme');
    await operator.page.getByText('stands at each of its domains').waitFor();
    expect(await row(operator, '@').count()).toBe(0);
    await operator.goTo(`/domains/${DOMAIN}/messages?as=acme`);
    await row(operator, 'jane@far.example').waitFor();
    await operator.context.close();
  });

  it('is asked on the screen of a mailbox, by a customer too, who sees its own domain alone', async () => {
    for (const visitor of [staff, customer]) {
      const { page } = visitor;
      await visitor.goTo(`/domains/${DOMAIN}/mailboxes/${ANN}`);
      const field = page.getByRole('searchbox', { name: 'What became of its mail?' });
      await field.fill('jane@far.example');
      await field.press('Enter');
      await row(visitor, 'jane@far.example').getByRole('link').click();
      await steps(visitor).nth(2).waitFor();
      await lookAt(browser, visitor, 'A message of a domain');
    }
  });
});
