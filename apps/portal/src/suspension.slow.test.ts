import type { Request } from 'playwright-core';
import { TestBrowser, type Visitor } from './testing/browser.js';
import { lookAt } from './testing/looks.js';
import { loaded } from './testing/screens.js';
import { MASTER, TestService } from './testing/test-service.js';

const DOMAIN = 'juniper.com';
const SETTINGS = `/domains/${DOMAIN}/settings`;

describe('suspensions by cause, on the page', () => {
  let service: TestService;
  let browser: TestBrowser;
  let token: string;
  let partner: Visitor;
  let operator: Visitor;
  /** What the pages sent to suspend and activate, such as `activate abuse`. */
  const sent: string[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([TestService.start('sqlite'), TestBrowser.start()]);
    token = await service.key('acme');
    await service.call('POST', '/domains/', { name: DOMAIN }, token);
    partner = await browser.enter(service.url, token);
    operator = await browser.enter(service.url, MASTER);
    const note = (request: Request) => {
      const [, act] = /\/(suspend|activate)$/.exec(request.url()) ?? [];
      const { cause } = (request.postDataJSON() ?? {}) as { cause?: string };
      if (act !== undefined) sent.push(`${act} ${cause}`);
    };
    for (const { page } of [partner, operator]) page.on('request', note);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });
  beforeEach(() => void sent.splice(0));
  afterEach(() => expect(browser.takeFaults()).toEqual([]));

  const causes = async () => (await service.call('GET', `/domains/${DOMAIN}`)).suspension_causes;
  const activations = ({ page }: Visitor) => page.getByRole('button', { name: /^Activate, lifting the cause/ });

  async function suspendFor({ page }: Visitor, cause: string): Promise<void> {
    await page.getByRole('combobox', { name: 'Cause' }).click();
    await page.getByRole('option', { name: cause, exact: true }).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('button', { name: `Activate, lifting the cause ${cause}` }).waitFor();
  }

  async function undo({ page }: Visitor, done: string): Promise<void> {
    const notice = page.getByRole('alert').filter({ hasText: done });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').first().waitFor();
  }

  it('the operator sets each cause of a domain, and lifts one; undo sets it again', async () => {
    const { page, goTo } = operator;
    await goTo(SETTINGS);
    for (const cause of ['abuse', 'partner', 'billing']) await suspendFor(operator, cause);
    expect(await causes()).toEqual(['partner', 'billing', 'abuse']);
    await lookAt(browser, operator, 'Settings of a domain with three causes');
    await page.getByRole('button', { name: 'Activate, lifting the cause abuse' }).click();
    await page.getByText('Suspended because of abuse.').waitFor({ state: 'detached' });
    await undo(operator, 'the cause abuse is lifted');
    expect(await causes()).toEqual(['partner', 'billing', 'abuse']);
    expect(sent).toEqual(['suspend abuse', 'suspend partner', 'suspend billing', 'activate abuse', 'suspend abuse']);
  });

  it('a partner activates only its own cause, and nothing when the others alone stand', async () => {
    const { page, goTo } = partner;
    await goTo(SETTINGS);
    await activations(partner).first().waitFor();
    expect(await activations(partner).count()).toBe(1);
    await page.getByRole('button', { name: 'Activate, lifting the cause partner' }).click();
    await page.getByText('Suspended by the partner itself.').waitFor({ state: 'detached' });
    await loaded(partner);
    expect(await causes()).toEqual(['billing', 'abuse']);
    await goTo(SETTINGS);
    await page.getByText('Suspended because of abuse.').waitFor();
    await loaded(partner);
    expect(await activations(partner).count()).toBe(0);
    // Its own cause can still be set beside them, and it is asked for no cause.
    expect(await page.getByRole('combobox', { name: 'Cause' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await activations(partner).first().waitFor();
    await undo(partner, 'is suspended');
    expect(sent).toEqual(['activate partner', 'suspend partner', 'activate partner']);
  });

  it('of a partner: the operator chooses cause and stage, and undo of an activation sets both again', async () => {
    const { page, goTo } = operator;
    await goTo('/operator/partners/acme');
    await page.getByRole('radio', { name: 'Changes and outgoing mail' }).check();
    await suspendFor(operator, 'billing');
    const stands = [{ cause: 'billing', stage: 'changes' }];
    expect(await service.call('GET', '/partners/acme')).toMatchObject({ suspension_causes: stands });
    await page.getByRole('button', { name: 'Activate, lifting the cause billing' }).click();
    await undo(operator, 'the cause billing is lifted');
    expect(await service.call('GET', '/partners/acme')).toMatchObject({ suspension_causes: stands });
    expect(sent).toEqual(['suspend billing', 'activate billing', 'suspend billing']);
  });

  it('a suspended partner is offered no change, and again when the suspension is lifted elsewhere', async () => {
    const { page, goTo } = partner;
    await goTo(SETTINGS);
    await page.getByText('Nothing to change here').waitFor();
    await service.call('PUT', '/partners/acme/activate', { cause: 'billing' });
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();
    await service.call('PUT', '/partners/acme/suspend', { cause: 'abuse', stage: 'changes' });
    await page.getByText('Nothing to change here').waitFor();
    await service.call('PUT', '/partners/acme/activate', { cause: 'abuse' });
  });
});
