import { join } from 'node:path';
import { TestBrowser, type Visitor } from '../browser.js';
import { loaded } from '../screens.js';
import { BEGIN, BLOCKED, BUSY, NOW, PARTNER_KEY, UNVERIFIED } from './invented.js';
import { MASTER, PicturedService } from './pictured-service.js';
import { seed } from './seed.js';

export const LOOKS = ['light', 'dark'] as const;
export const SIZES = [
  { width: 1280, height: 1000 },
  { width: 390, height: 1400 },
];

type Who = 'operator' | 'partner' | 'customer';

/** The screens that a change of the look is judged by. */
export const SCREENS: { name: string; who: Who; address: string }[] = [
  { name: 'home-operator', who: 'operator', address: '/' },
  { name: 'home-partner', who: 'partner', address: '/' },
  { name: 'domains', who: 'operator', address: '/domains' },
  { name: 'stopped', who: 'operator', address: `/domains/${BLOCKED}` },
  { name: 'dns', who: 'partner', address: `/domains/${UNVERIFIED}/dns` },
  { name: 'mailboxes', who: 'partner', address: `/domains/${BUSY}/mailboxes` },
  { name: 'mailbox', who: 'partner', address: `/domains/${BUSY}/mailboxes/orders@${BUSY}` },
  { name: 'sending', who: 'partner', address: `/domains/${BUSY}/sending` },
  { name: 'keys', who: 'partner', address: '/keys' },
  { name: 'partners', who: 'operator', address: '/operator/partners' },
  { name: 'messages', who: 'partner', address: '/messages' },
  { name: 'customer', who: 'customer', address: `/domains/${BLOCKED}` },
];

/** @returns the name of the file of a screen in one look and width */
export function fileOf(screen: string, look: string, width: number): string {
  return `${screen}-${look}-${width}.png`;
}

/**
 * Saves each screen in both looks and widths, to compare two versions of the page.
 * @param root the folder of the repository
 * @returns how many pictures were saved
 */
export async function makeScreens(root: string, folder: string): Promise<number> {
  const service = await PicturedService.start(root, BEGIN);
  try {
    await seed(service);
    const browser = await TestBrowser.start();
    try {
      const visitors = await enterAll(browser, service);
      for (const { name, who, address } of SCREENS) await take(visitors[who], folder, name, address);
      const faults = browser.takeFaults();
      if (faults.length > 0) throw new Error(`The pages had faults:\n${faults.join('\n')}`);
      return SCREENS.length * LOOKS.length * SIZES.length;
    } finally {
      await browser.close();
    }
  } finally {
    await service.stop();
  }
}

async function take(visitor: Visitor, folder: string, name: string, address: string): Promise<void> {
  const { page } = visitor;
  await visitor.goTo(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await loaded(visitor);
  await page.waitForLoadState('networkidle');
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${look}]`).waitFor({ state: 'attached' });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const path = join(folder, fileOf(name, look, size.width));
      await page.screenshot({ path, scale: 'css', animations: 'disabled', caret: 'hide' });
    }
  }
}

async function enterAll(browser: TestBrowser, service: PicturedService): Promise<Record<Who, Visitor>> {
  await service.call('PUT', '/me/brand', {
    body: { name: 'Harbour Hosting', colour: '#2f5d3a', support_email: 'help@harbour-hosting.example' },
    token: PARTNER_KEY,
  });
  const link = await service.call<{ url: string }>('POST', '/portal-links', {
    body: { domain: BLOCKED, scope: 'manage' },
    token: PARTNER_KEY,
  });
  return {
    operator: await enter(browser, service, MASTER),
    partner: await enter(browser, service, PARTNER_KEY),
    customer: await enterByLink(browser, service, link.url),
  };
}

async function enter(browser: TestBrowser, service: PicturedService, token: string): Promise<Visitor> {
  const visitor = await visit(browser, service);
  const { page, goTo } = visitor;
  await goTo('/enter');
  await page.getByLabel('Key', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  return visitor;
}

async function enterByLink(browser: TestBrowser, service: PicturedService, link: string): Promise<Visitor> {
  const visitor = await visit(browser, service);
  await visitor.page.goto(new URL(link, service.url).href);
  await visitor.page.getByRole('button', { name: 'Enter' }).click();
  await visitor.page.getByRole('heading', { level: 1, name: BLOCKED }).waitFor();
  return visitor;
}

async function visit(browser: TestBrowser, service: PicturedService): Promise<Visitor> {
  const visitor = await browser.visit(service.url, SIZES[0]);
  await visitor.page.clock.setFixedTime(NOW);
  return visitor;
}
