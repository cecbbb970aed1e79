import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { TestService } from './testing/test-service.js';

const GERMAN = 'de-DE';

describe('a customer’s page in the language of its reader', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'shared.com' }, token);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const linkOf = async (scope: 'dns' | 'manage') => {
    const { url } = await service.call<{ url: string }>(
      'POST',
      '/portal-links',
      { domain: 'shared.com', scope },
      token,
    );
    return service.url + url;
  };
  const langOf = ({ page }: Visitor) => page.evaluate(() => document.documentElement.lang);
  const choose = async ({ page }: Visitor, menu: string, language: string) => {
    await page.getByRole('button', { name: 'shared.com', exact: true }).click();
    await page.getByRole('menu').getByText(menu, { exact: true }).waitFor();
    await page.getByRole('menuitem', { name: language }).click();
  };

  describe('of a dns link on a phone, with a German browser', () => {
    let customer: Visitor;

    it('is German from the door on', async () => {
      customer = await browser.visit(service.url, NARROW, GERMAN);
      await customer.page.goto(await linkOf('dns'));
      await customer.page.getByText('Sie sehen dann die DNS-Einträge von shared.com, und sonst nichts.').waitFor();
      await lookAt(browser, customer, 'The door by a link, in German');
      await customer.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
      await customer.page.getByRole('region', { name: 'E-Mails werden signiert (DKIM)' }).waitFor();
      expect(await langOf(customer)).toBe('de');
      expect(await customer.page.getByRole('main').innerText()).toMatch(/konnte nicht abgefragt werden/);
      await lookAt(browser, customer, 'DNS of a link, in German');
    });

    it('keeps the language that the reader chose, over a reload and for the next link, and nothing else', async () => {
      await choose(customer, 'Sprache', 'Français');
      await customer.page.getByRole('button', { name: 'Vérifier maintenant' }).waitFor();
      expect(await langOf(customer)).toBe('fr');
      await customer.page.reload();
      await customer.page.getByRole('button', { name: 'Vérifier maintenant' }).waitFor();
      const kept = await customer.page.evaluate(() =>
        Object.entries(localStorage).filter(([key]) => !key.startsWith('mantine-color-scheme')),
      );
      expect(kept).toEqual([['mailstead-language', 'fr']]);
      await customer.page.goto('about:blank');
      await customer.page.goto(await linkOf('dns'));
      await customer.page.getByText('Vous êtes connecté en tant que shared.com').waitFor();
    });

    it('has each language as a script of its own, which nobody else loads', async () => {
      const english = await browser.visit(service.url);
      const scripts: string[] = [];
      english.page.on('request', (request) => scripts.push(request.url()));
      await english.page.goto(await linkOf('dns'));
      await english.page.getByText('You will see the DNS records of shared.com').waitFor();
      expect(scripts.filter((url) => /\/all-[^/]*\.js/.test(url))).toEqual([]);
      await until('the door is English', async () => (await langOf(english)) === 'en');
    });
  });

  it('of a manage link is German on every screen of the domain', async () => {
    const customer = await browser.visit(service.url, NARROW, GERMAN);
    await customer.page.goto(await linkOf('manage'));
    await customer.page.getByText('Sie verwalten dann shared.com').waitFor();
    await customer.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await customer.page.getByRole('region', { name: 'E-Mail jetzt' }).waitFor();
    await lookAt(browser, customer, 'The overview of a link, in German');
    const english = /\b(the|are|mailbox|mailboxes|aliases|nothing|not|and|with)\b/i;
    for (const tab of ['Überblick', 'Postfächer', 'Aliasse', 'Versand', 'Verlauf', 'Einstellungen']) {
      await customer.page.getByRole('link', { name: tab, exact: true }).click();
      await customer.page.locator(`a[aria-current=page]`, { hasText: tab }).waitFor();
      await until('the screen is there', async () => (await customer.page.getByText('Wird geladen').count()) === 0);
      const text = await customer.page.getByRole('main').innerText();
      expect([tab, english.exec(text)?.[0]]).toEqual([tab, undefined]);
    }
    await customer.page.getByRole('link', { name: 'Postfächer', exact: true }).click();
    await customer.page.getByRole('button', { name: 'Postfach hinzufügen', exact: true }).click();
    const dialog = customer.page.getByRole('dialog');
    await dialog.getByLabel('Adresse').fill('ada');
    await dialog.getByRole('button', { name: 'Postfach hinzufügen' }).click();
    await dialog.getByText('Nicht gültig: ').first().waitFor();
    await dialog.getByRole('button', { name: 'Erzeugen' }).click();
    await dialog.getByRole('button', { name: 'Postfach hinzufügen' }).click();
    await dialog.getByRole('heading', { name: 'ada@shared.com ist bereit' }).waitFor();
    await dialog.getByText('Ausgehende E-Mails (SMTP)').waitFor();
    await lookAt(browser, customer, 'The card of a new mailbox, in German');
  });

  it('is English for a key, whatever the browser speaks', async () => {
    const staff = await browser.visit(service.url, NARROW, GERMAN);
    await staff.goTo('/enter');
    await staff.page.getByLabel('Schlüssel', { exact: true }).fill(token);
    await staff.page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await staff.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(await langOf(staff)).toBe('en');
  });
});
