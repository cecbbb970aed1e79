import { qrCodeOf } from './parts/qr/qr-code-of.js';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const SERVERS = [
  'Incoming mail (IMAP): imap.host.example, port 993, SSL/TLS',
  'Outgoing mail (SMTP): smtp.host.example, port 587, STARTTLS',
];

const WINDOWS = [
  { window: 'a wide window', size: { width: 1280, height: 900 }, name: 'wide' },
  { window: 'a narrow window', size: NARROW, name: 'narrow' },
];

describe('a new mailbox', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    const settings = { MAIL_IMAP: 'imap.host.example:993', MAIL_SUBMISSION: 'smtp.host.example:587' };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'handed-over.com' }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  describe.each(WINDOWS)('is handed over with $window', ({ size, name }) => {
    const email = `${name}@handed-over.com`;
    const handover = [...SERVERS, `User name: ${email}`].join('\n');
    let visitor: Visitor;
    let password: string;

    const dialog = () => visitor.page.getByRole('dialog', { name: 'Add a mailbox' });
    const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();
    /** What the browser keeps, and what it shows in its bar. */
    const kept = () =>
      visitor.page.evaluate(async () =>
        JSON.stringify([
          location.href,
          history.state,
          document.title,
          document.cookie,
          Object.entries(localStorage),
          Object.entries(sessionStorage),
          await indexedDB.databases(),
          await caches.keys(),
        ]),
      );

    it('on one card: address, password and servers', async () => {
      visitor = await browser.enter(service.url, token, size);
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await visitor.goTo('/domains/handed-over.com/mailboxes');
      await visitor.page.getByRole('button', { name: 'Add mailbox' }).click();
      await dialog().getByLabel('Address', { exact: true }).fill(name);
      await press('Generate');
      password = await dialog().getByLabel('Password', { exact: true }).inputValue();
      await press('Add mailbox');
      await dialog()
        .getByRole('heading', { name: `${email} is ready` })
        .waitFor();
      for (const value of [email, password, 'imap.host.example, port 993, SSL/TLS'])
        await dialog().getByText(value, { exact: true }).first().waitFor();
    });

    it('with its buttons above the fold, although the card is longer', async () => {
      for (const button of ['Copy all', 'Print']) {
        const box = await dialog().getByRole('button', { name: button, exact: true }).boundingBox();
        expect((box?.y ?? size.height) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
      }
      const link = await dialog().getByRole('link', { name: 'To the mailbox' }).boundingBox();
      expect((link?.y ?? size.height) + (link?.height ?? 0)).toBeLessThanOrEqual(size.height);
    });

    it('and stays when Escape is pressed, until something was copied', async () => {
      await visitor.page.keyboard.press('Escape');
      await dialog().getByText(password, { exact: true }).waitFor();
      await visitor.page.keyboard.press('Escape');
      await press('Copy all');
      await dialog().getByRole('button', { name: 'Copied' }).waitFor();
      await dialog().getByRole('button', { name: 'Copy all', exact: true }).waitFor();
    });

    it('with a QR code of the settings, which has no password', async () => {
      const image = dialog().getByRole('img', { name: `QR code of the settings of ${email}` });
      expect(await image.getAttribute('src')).toBe(qrCodeOf(handover));
      expect(handover).not.toContain(password);
      expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
      await lookAt(browser, visitor, 'A new mailbox');
    });

    it('by a copy of all of it', async () => {
      await press('Copy all');
      await dialog().getByRole('button', { name: 'Copied' }).waitFor();
      expect(await visitor.page.evaluate(() => navigator.clipboard.readText())).toBe(
        `Address: ${email}\nPassword: ${password}\n${handover}`,
      );
    });

    it('on paper, without the page around it and dark on light', async () => {
      await visitor.page.evaluate(() => {
        window.print = () => document.body.classList.add('printed');
      });
      await press('Print');
      expect(await visitor.page.evaluate(() => document.body.className)).toContain('printed');
      await visitor.page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const printed = await visitor.page.evaluate(() => document.body.innerText.trim().split(/\s*\n\s*/));
      const { color } = await dialog()
        .getByText(password, { exact: true })
        .evaluate((shown) => ({ color: getComputedStyle(shown).color }));
      await visitor.page.emulateMedia({ media: null, colorScheme: null });
      expect(printed.slice(0, 5)).toEqual([`${email} is ready`, 'Address', email, 'Password', password]);
      expect(printed).not.toContain('Copy all');
      expect(color).toBe('rgb(0, 0, 0)');
    });

    it('once: the password is in no address, history, title or storage, and gone with the card', async () => {
      expect(await kept()).not.toContain(password);
      await dialog().getByRole('link', { name: 'To the mailbox' }).click();
      await visitor.page.getByRole('heading', { level: 2, name: email }).waitFor();
      await visitor.page.getByText('imap.host.example, port 993, SSL/TLS').waitFor();
      expect(await kept()).not.toContain(password);
      await visitor.page.goBack();
      await visitor.page.getByRole('row', { name: email }).waitFor();
      await visitor.page.getByRole('button', { name: 'Add mailbox' }).click();
      expect(await dialog().getByLabel('Password', { exact: true }).inputValue()).toBe('');
      expect(await visitor.page.content()).not.toContain(password);
    });
  });

  describe('of an international domain', () => {
    const stored = 'anna@xn--bcher-kva.com';
    /** What each language says about a login as people read it. */
    const REASONS = [
      ['de-DE', /schlägt die Anmeldung fehl/],
      ['fr-FR', /la connexion échoue/],
      ['es-ES', /el inicio de sesión falla/],
    ] as const;

    beforeAll(() => service.call('POST', '/domains/', { name: 'bücher.com' }, token));

    it('has the user name that logs in on its card, in the code and in the copy, and the reason for it', async () => {
      const visitor = await browser.enter(service.url, token);
      const { page } = visitor;
      await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await visitor.goTo('/domains/xn--bcher-kva.com/mailboxes');
      await page.getByRole('button', { name: 'Add mailbox' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a mailbox' });
      await dialog.getByLabel('Address', { exact: true }).fill('anna@Bücher.com');
      await dialog.getByLabel('Password', { exact: true }).fill('a-password-of-its-own-6402');
      await dialog.getByRole('button', { name: 'Add mailbox', exact: true }).click();
      await dialog.getByRole('heading', { name: `anna@bücher.com\u2069 (${stored}) is ready` }).waitFor();
      const reason = dialog.getByText('With \u2068anna@bücher.com\u2069 the login fails.');
      await reason.waitFor();
      await lookAt(browser, visitor, 'A new mailbox of an international domain');
      const settings = [...SERVERS, `User name: ${stored}`].join('\n');
      const image = dialog.getByRole('img', { name: `QR code of the settings of ${stored}` });
      expect(await image.getAttribute('src')).toBe(qrCodeOf(settings));
      await dialog.getByRole('button', { name: 'Copy all' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
        `Address: ${stored}\nPassword: a-password-of-its-own-6402\n${settings}\n\n${await reason.innerText()}`,
      );
    });

    it('has them on its page too, also when the address of the page has the name as people read it', async () => {
      const { page, goTo } = await browser.enter(service.url, token);
      await goTo('/domains/bücher.com/mailboxes/anna@bücher.com');
      await page.getByRole('row', { name: `User name ${stored}` }).waitFor();
      await page.getByText('With \u2068anna@bücher.com\u2069 the login fails.').waitFor();
    });

    it.each(REASONS)('says why in the language %s', async (locale, text) => {
      const link = { domain: 'bücher.com', scope: 'manage' };
      const { url } = await service.call<{ url: string }>('POST', '/portal-links', link, token);
      const { page, goTo } = await browser.visit(service.url, NARROW, locale);
      await page.goto(service.url + new URL(url, service.url).pathname + new URL(url, service.url).hash);
      await page.getByRole('button').first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await goTo(`/domains/xn--bcher-kva.com/mailboxes/${stored}`);
      await page.getByText(text).waitFor();
      expect(await page.getByText(text).innerText()).toContain('anna@bücher.com');
    });

    it('says nothing of it for a domain of ASCII', async () => {
      await service.call('POST', '/users/', { email: 'x@handed-over.com', password: 'a-password-of-x-01' }, token);
      const { page, goTo } = await browser.enter(service.url, token);
      await goTo('/domains/handed-over.com/mailboxes/x@handed-over.com');
      await page.getByRole('row', { name: 'User name x@handed-over.com' }).waitFor();
      expect(await page.getByText('xn--').count()).toBe(0);
    });
  });

  it('has its card without the password after the session has ended', async () => {
    const { page } = await browser.enter(service.url, token);
    await page.goto(`${service.url}/portal/domains/handed-over.com/mailboxes`);
    await page.getByRole('button', { name: 'Add mailbox' }).click();
    await page.getByLabel('Address', { exact: true }).fill('left-alone');
    await page.getByLabel('Password', { exact: true }).fill('a-password-of-its-own-4821');
    await page.getByRole('dialog').getByRole('button', { name: 'Add mailbox' }).click();
    await page.getByText('a-password-of-its-own-4821', { exact: true }).waitFor();
    const sessions = await service.call<{ id: number }[]>('GET', '/sessions', undefined, token);
    for (const { id } of sessions) await service.call('DELETE', `/sessions/${id}`, undefined, token);
    await page.getByText('You are logged out').waitFor();
    expect(await page.content()).not.toContain('a-password-of-its-own-4821');
    await page.getByLabel('Key', { exact: true }).fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('left-alone@handed-over.com is ready').waitFor();
    await page.getByText('no longer shown; set another one').waitFor();
  });

  it('has its card without the code when the code’s script does not come', async () => {
    const visitor = await browser.visit(service.url);
    await visitor.page.route(/\/assets\/qr-image-[\w-]+\.js$/, (route) => route.fulfill({ status: 404 }));
    await visitor.goTo('/enter?to=/domains/handed-over.com/mailboxes');
    await visitor.page.getByLabel('Key', { exact: true }).fill(token);
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('button', { name: 'Add mailbox' }).click();
    await visitor.page.getByLabel('Address', { exact: true }).fill('without-code');
    await visitor.page.getByLabel('Password', { exact: true }).fill('a-password-of-its-own-7319');
    await visitor.page.getByRole('dialog').getByRole('button', { name: 'Add mailbox' }).click();
    await visitor.page.getByText('The QR code could not be loaded.').waitFor();
    await visitor.page.getByText('a-password-of-its-own-7319', { exact: true }).waitFor();
  });
});
