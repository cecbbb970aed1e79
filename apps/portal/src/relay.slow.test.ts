import { type SesEmulator, startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';
import { TOPIC_ARN } from '@mailstead/adapters/ses/testing/topic-arn';
import { until } from '@mailstead/core/testing/until';
import { NARROW, TestBrowser, type Visitor, WIDE } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { MASTER, TestService } from './testing/test-service.js';

const DOMAIN = 'juniper.com';
const ZONE = 'x1y2.dkim.emulated.example';

/** The records of every domain are published. */
const resolveCname = async (name: string) => [`${name.split('.')[0] ?? ''}.${ZONE}`];

describe('the relay in the portal', () => {
  let emulator: SesEmulator;
  let service: TestService;
  let browser: TestBrowser;

  beforeAll(async () => {
    [emulator, browser] = await Promise.all([
      startSesEmulator({ signingHostedZone: ZONE, resolveCname }),
      TestBrowser.start(),
    ]);
    service = await TestService.start('sqlite', {
      ...sesSettings(emulator),
      SES_TENANTS: 'on',
    });
    const token = await service.key('acme');
    await service.call('POST', '/domains/', { name: DOMAIN }, token);
    const tenant = async () => (await service.call('GET', '/partners/acme/relay')).tenant !== null;
    await until('the tenant of the partner', tenant);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await emulator?.close();
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  describe.each([WIDE, NARROW])('at $width px', (size) => {
    let master: Visitor;

    beforeAll(async () => {
      master = await browser.enter(service.url, MASTER, size);
    });
    afterAll(() => master.context.close());

    it('says what the account may send, what it publishes, and which identities have the set', async () => {
      const { page } = master;
      await master.goTo('/operator/relay');
      await page.getByText('The provider sends its mail').waitFor();
      await page.getByText('Reputation: HEALTHY').waitFor();
      await page.getByText('The configuration set mailstead publishes BOUNCE, COMPLAINT to').waitFor();
      await page.getByText(TOPIC_ARN).waitFor();
      await page.getByText(/1 identity with this set/).waitFor();
      await lookAt(browser, master, 'Relay');
    });

    it('says what needs somebody, in a sentence', async () => {
      const { page } = master;
      emulator.account.state.enforcement = 'PROBATION';
      await service.call('POST', '/jobs/relay.account/run', {});
      const warned = async () =>
        (await service.call<{ warnings: { name: string }[] }>('GET', '/relay')).warnings.some(
          ({ name }) => name === 'relay_probation',
        );
      await until('the warning', warned);
      await master.goTo('/operator/relay');
      await page.getByText('The provider reviews the account').waitFor();
      await lookAt(browser, master, 'Relay with a warning');
      emulator.account.state.enforcement = 'HEALTHY';
      await service.call('POST', '/jobs/relay.account/run', {});
      await until('the end of the warning', async () => !(await warned()));
    });

    it('takes an address off the list of the account', async () => {
      const { page } = master;
      emulator.suppressed.add('Joe@Far.example');
      await master.goTo('/operator/relay');
      await page.getByLabel('Address, as the provider writes it').fill('Joe@Far.example');
      await page.getByRole('button', { name: 'Take off the list' }).click();
      await page.getByText('Joe@Far.example is taken off the list in a moment.').waitFor();
      await until('the provider to have taken it off', async () => !emulator.suppressed.has('Joe@Far.example'));
    });

    it('pauses and resumes the mail of a partner, and says when the provider has confirmed it', async () => {
      const { page } = master;
      await master.goTo('/operator/partners/acme');
      const part = page.getByRole('region', { name: 'Relay' });
      await part.getByText('The relay provider sends its mail').waitFor();
      await part.getByRole('button', { name: 'Pause its mail' }).click();
      await part.getByText('The relay provider does not send its mail, which waits').waitFor();
      await lookAt(browser, master, 'A paused partner');
      const { verdict } = await service.call<{ verdict: { reason: string } }>('GET', `/domains/${DOMAIN}/outbound`);
      expect(verdict.reason).toBe('relay_paused');
      await part.getByRole('button', { name: 'Resume its mail' }).click();
      await part.getByText('The relay provider sends its mail').waitFor();
    });
  });
});
