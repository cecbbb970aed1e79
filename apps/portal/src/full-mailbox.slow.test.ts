import { DoveadmServer } from '@mailstead/adapters/dovecot/testing/doveadm-server';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { MASTER, TestService } from './testing/test-service.js';

const MB = 1_048_576;
const DOVEADM_KEY = 'key-of-doveadm-0123456789';

describe('the page of a mailbox says how much of its quota is used', () => {
  let service: TestService;
  let browser: TestBrowser;
  let dovecot: DoveadmServer;
  let token: string;

  beforeAll(async () => {
    dovecot = await DoveadmServer.start(DOVEADM_KEY);
    const settings = { DOVEADM_URL: dovecot.url, DOVEADM_API_KEY: DOVEADM_KEY };
    [service, browser] = await Promise.all([TestService.start('sqlite', settings), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: 'juniper.com' }, token);
    for (const [name, quota_mb] of [
      ['full', 1],
      ['free', 0],
    ] as const) {
      const email = `${name}@juniper.com`;
      await service.call('POST', '/users/', { email, password: 'a-password-of-juniper', quota_mb }, MASTER);
      dovecot.messages.push({ user: email, bytes: 3 * MB, savedAt: 1 });
    }
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await dovecot?.close();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  /** Enters with a link of the domain, in a browser of this language. `enter` is the name of the button. */
  const enter = async (locale: string, enter: string) => {
    const body = { domain: 'juniper.com', scope: 'manage' };
    const { url } = await service.call<{ url: string }>('POST', '/portal-links', body, token);
    const visitor = await browser.visit(service.url, undefined, locale);
    await visitor.page.goto(service.url + url);
    await visitor.page.getByRole('button', { name: enter, exact: true }).click();
    await visitor.page.waitForURL((address) => !address.pathname.endsWith('/enter'));
    return visitor;
  };
  const storageOf = async ({ page, goTo }: Visitor, name: string, title: string) => {
    await goTo(`/domains/juniper.com/mailboxes/${name}@juniper.com`);
    const text = await page.getByRole('region', { name: title, exact: true }).innerText();
    return text
      .replaceAll(/[\u00a0\u202f]/g, ' ')
      .split('\n')
      .at(-1);
  };

  it.each([
    ['en-GB', 'Enter', 'Storage', /^Uses 3 MB of 1 MB: new mail waits at its sender until there is space\. 1 message$/],
    [
      'de-DE',
      'Anmelden',
      'Speicher',
      /^Belegt 3 MB von 1 MB: Neue E-Mails warten beim Absender, bis wieder Platz ist\. 1 Nachricht$/,
    ],
    ['es-ES', 'Entrar', 'Almacenamiento', /^Usa 3 MB de 1 MB: el correo nuevo espera en su remitente .*\. 1 mensaje$/],
    [
      'fr-FR',
      'Entrer',
      'Stockage',
      /^Utilise 3 Mo sur 1 Mo : les nouveaux e-mails attendent chez leur expéditeur .*\. 1 message$/,
    ],
  ])('and that new mail waits when it is more, in the language %s', async (locale, button, title, sentence) => {
    const visitor = await enter(locale, button);
    expect(await storageOf(visitor, 'full', title)).toMatch(sentence);
    await visitor.context.close();
  });

  it('and nothing of waiting when there is space, or no quota', async () => {
    await service.call('PUT', '/users/full@juniper.com/quota', { quota_mb: 3 }, MASTER);
    const visitor = await enter('en-GB', 'Enter');
    expect(await storageOf(visitor, 'full', 'Storage')).toBe('3 MB of 3 MB, 1 message');
    expect(await storageOf(visitor, 'free', 'Storage')).toBe('3 MB · no limit, 1 message');
    await visitor.context.close();
  });
});
