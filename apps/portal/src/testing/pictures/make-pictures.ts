import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startSesEmulator } from '@mailstead/adapters/ses/testing/ses-emulator';
import { sesSettings } from '@mailstead/adapters/ses/testing/ses-settings';
import { TestBrowser, type Visitor } from '../browser.js';
import { BEGIN, BLOCKED, BUSY, NOW, PARTNER_KEY, UNVERIFIED } from './invented.js';
import { MASTER, PicturedService } from './pictured-service.js';
import { seed } from './seed.js';

/** The README shows them, so they must not be heavy. */
const MOST_BYTES = 150_000;

interface Picture {
  name: string;
  address: string;
  height: number;
  /** Waits until the screen is complete. */
  complete: (visitor: Visitor) => Promise<void>;
}

const PICTURES: Picture[] = [
  {
    name: 'home',
    address: '/',
    height: 932,
    complete: async ({ page }) => {
      await page.locator('.portal-chart').waitFor();
      await page.getByText('Wrong or missing').waitFor();
    },
  },
  {
    name: 'dns',
    address: `/domains/${UNVERIFIED}/dns`,
    height: 936,
    complete: ({ page }) => page.getByText('Recommended').waitFor({ state: 'attached' }),
  },
  {
    name: 'sending',
    address: `/domains/${BUSY}/sending`,
    height: 904,
    complete: ({ page }) => page.locator('.portal-chart').waitFor(),
  },
  {
    name: 'messages',
    address: '/messages',
    height: 720,
    complete: ({ page }) => page.getByText('Not seen here').waitFor(),
  },
  {
    name: 'suppressions',
    address: '/suppressions',
    height: 600,
    complete: ({ page }) => page.getByText('addresses shown').waitFor(),
  },
];

/** The operator's view of the account at Amazon SES, of a service of its own. */
const RELAY: Picture = {
  name: 'relay',
  address: '/operator/relay',
  height: 800,
  complete: ({ page }) => page.getByText(`${SES_DOMAINS.length} identities with this set`).waitFor(),
};
const SES_DOMAINS = [BUSY, UNVERIFIED, BLOCKED];
const SES_ZONE = 'x1y2.dkim.emulated.example';

/**
 * @param root the folder of the repository
 * @returns the size of each picture by its name, bytes
 */
export async function makePictures(root: string, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const service = await PicturedService.start(root, BEGIN);
  try {
    await seed(service);
    const browser = await TestBrowser.start();
    try {
      for (const picture of PICTURES) {
        sizes.set(picture.name, await take(browser, service, picture, folder));
      }
      sizes.set(RELAY.name, await takeRelay(root, browser, folder));
      const faults = browser.takeFaults();
      if (faults.length > 0) throw new Error(`The pages had faults:\n${faults.join('\n')}`);
      return sizes;
    } finally {
      await browser.close();
    }
  } finally {
    await service.stop();
  }
}

/** Each picture is of a session of its own, which ends with the service. */
async function take(
  browser: TestBrowser,
  service: PicturedService,
  { name, address, height, complete }: Picture,
  folder: string,
  token = PARTNER_KEY,
): Promise<number> {
  const path = join(folder, `${name}.png`);
  const visitor = await browser.visit(service.url, { width: 1280, height });
  const { page } = visitor;
  await page.clock.setFixedTime(NOW);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await visitor.goTo(`/enter?to=${encodeURIComponent(address)}`);
  await page.getByLabel('Key', { exact: true }).fill(token);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await complete(visitor);
  await page.screenshot({ path, scale: 'css', animations: 'disabled', caret: 'hide' });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`The picture of ${name} has ${size} bytes, more than ${MOST_BYTES}`);
  await visitor.context.close();
  return size;
}

/** The emulator of SES finds the DNS records of every identity. */
async function takeRelay(root: string, browser: TestBrowser, folder: string): Promise<number> {
  const emulator = await startSesEmulator({
    signingHostedZone: SES_ZONE,
    resolveCname: async (name) => [`${name.split('.')[0] ?? ''}.${SES_ZONE}`],
  });
  emulator.account.state.sent24h = 18_402;
  const service = await PicturedService.start(root, NOW);
  try {
    await service.restart({
      ...sesSettings(emulator),
    });
    const limits = { domains_allowed: 0, mailboxes_per_domain: 0, aliases_per_mailbox: 0 };
    await service.call('POST', '/api-keys/', { body: { token: PARTNER_KEY, partner_ref: 'acme', ...limits } });
    for (const name of SES_DOMAINS) await service.call('POST', '/domains/', { body: { name }, token: PARTNER_KEY });
    await service.until(async () => {
      const { account, identities } = await service.call<{ account: object | null; identities: { aligned: number } }>(
        'GET',
        '/relay',
      );
      return account !== null && identities.aligned === SES_DOMAINS.length;
    });
    return await take(browser, service, RELAY, folder, MASTER);
  } finally {
    await service.stop();
    await emulator.close();
  }
}
