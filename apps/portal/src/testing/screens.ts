import type { TestBrowser, Visitor } from './browser.js';
import { lookAt } from './looks.js';

/** The screens of the menu, with their addresses. */
export const SCREENS: Record<string, string> = {
  Home: '/',
  Domains: '/domains',
  Messages: '/messages',
  Events: '/events',
  Suppressions: '/suppressions',
  Keys: '/keys',
  Brand: '/brand',
  Links: '/links',
  Webhooks: '/webhooks',
  Usage: '/usage',
  Deleted: '/deleted',
  Sessions: '/sessions',
  Partners: '/operator/partners',
  'Plans and tiers': '/operator/plans',
  Jobs: '/operator/jobs',
  Relay: '/operator/relay',
  Audit: '/operator/audit',
};

/** The screens of a domain, below its address. */
export const DOMAIN_SCREENS = ['', '/dns', '/mailboxes', '/aliases', '/sending', '/messages', '/history', '/settings'];

/** Those that an operator with the scope `billing` has: it reads nothing of what is in a domain. */
export const DOMAIN_SCREENS_OF_BILLING = ['', '/dns', '/settings'];

/** What a screen shows when it could not read something. */
const FAILURE = /This could not be read|There is nothing here|There is no such page/;

/** Opens a screen by its link in the menu or else by its address, waits until all of it is there, and looks at it. */
export async function openScreen(
  browser: TestBrowser,
  visitor: Visitor,
  { address, title, as }: { address: string; title: string; as: string },
): Promise<void> {
  const inMenu = menuLinks(visitor).getByText(title, { exact: true });
  // The master loads each of them by its address.
  if (as !== 'master' && (await inMenu.count()) > 0) await inMenu.click();
  else await visitor.goTo(address);
  await visitor.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  expect(new URL(visitor.page.url()).pathname.replace(/\/$/, '')).toBe(`/portal${address}`.replace(/\/$/, ''));
  await loaded(visitor);
  const failures = await visitor.page.getByText(FAILURE).count();
  if (failures > 0) browser.report(`${address} as ${as}: ${await visitor.page.locator('#content').innerText()}`);
  await lookAt(browser, visitor, `${address} as ${as}`);
}

/** Waits until nothing on the screen loads any more. */
export async function loaded({ page }: Visitor): Promise<void> {
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
}

/** The parts of the domain that is shown, below its address. */
export async function partsOf({ page }: Visitor, domain: string): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Parts of the domain' }).getByRole('link');
  const targets = await links.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('href') ?? ''));
  return targets.map((target) => target.split(`/domains/${domain}`)[1]?.replace(/\/$/, '') ?? target);
}

/** The labels of the menu. */
export async function menuOf(visitor: Visitor): Promise<string[]> {
  return menuLinks(visitor).allInnerTexts();
}

function menuLinks({ page }: Visitor) {
  return page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
}
