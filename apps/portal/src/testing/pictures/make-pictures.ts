import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TestBrowser, type Visitor } from '../browser.js';
import { BEGIN, BUSY, NOW, PARTNER_KEY, UNVERIFIED } from './invented.js';
import { PicturedService } from './pictured-service.js';
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
        sizes.set(picture.name, await take(browser, service, picture, join(folder, `${picture.name}.png`)));
      }
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
  path: string,
): Promise<number> {
  const visitor = await browser.visit(service.url, { width: 1280, height });
  const { page } = visitor;
  await page.clock.setFixedTime(NOW);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await visitor.goTo(`/enter?to=${encodeURIComponent(address)}`);
  await page.getByLabel('Key', { exact: true }).fill(PARTNER_KEY);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await complete(visitor);
  await page.screenshot({ path, scale: 'css', animations: 'disabled', caret: 'hide' });
  const { size } = await stat(path);
  if (size > MOST_BYTES) throw new Error(`The picture of ${name} has ${size} bytes, more than ${MOST_BYTES}`);
  await visitor.context.close();
  return size;
}
