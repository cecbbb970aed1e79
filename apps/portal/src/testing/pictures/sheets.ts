import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TestBrowser } from '../browser.js';
import { fileOf, LOOKS, SCREENS, SIZES } from './screens.js';

const MOST_BYTES = 200_000;
const QUALITIES = [72, 64, 56, 48, 40];
const SCALE = 0.5;
const GAP_PX = 16;
/** What is below is cut off. */
const MOST_HEIGHT_PX = 1_000 * SCALE;

/**
 * Makes a sheet for each screen: before above, after below, each in both looks and widths.
 * @param before a folder that `makeScreens` filled, as is `after`
 * @returns the size of each sheet by its name, bytes
 */
export async function makeSheets(before: string, after: string, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const browser = await TestBrowser.start();
  try {
    for (const { name } of SCREENS) sizes.set(name, await makeSheet(browser, name, { before, after }, folder));
    return sizes;
  } finally {
    await browser.close();
  }
}

async function makeSheet(
  browser: TestBrowser,
  name: string,
  folders: Record<'before' | 'after', string>,
  folder: string,
): Promise<number> {
  const rows = await Promise.all(
    Object.entries(folders).map(async ([label, from]) => `<h1>${label}</h1><div>${await picturesOf(name, from)}</div>`),
  );
  const page = await browser.blank();
  try {
    await page.setContent(`<style>${STYLE}</style>${rows.join('')}`);
    const path = join(folder, `${name}.jpg`);
    for (const quality of QUALITIES) {
      await page.locator('body').screenshot({ path, type: 'jpeg', quality });
      const { size } = await stat(path);
      if (size <= MOST_BYTES) return size;
    }
    throw new Error(`The sheet of ${name} has more than ${MOST_BYTES} bytes`);
  } finally {
    await page.context().close();
  }
}

async function picturesOf(name: string, folder: string): Promise<string> {
  const pictures = SIZES.flatMap(({ width }) => LOOKS.map((look) => ({ width, file: fileOf(name, look, width) })));
  const images = await Promise.all(
    pictures.map(async ({ width, file }) => {
      const data = await readFile(join(folder, file), 'base64');
      return `<img width="${Math.round(width * SCALE)}" src="data:image/png;base64,${data}">`;
    }),
  );
  return images.join('');
}

const STYLE = `
  body { display: inline-block; margin: 0; padding: ${GAP_PX}px; background: #777; }
  h1 { margin: 0 0 8px; color: #fff; font: 600 18px sans-serif; }
  div { display: flex; gap: ${GAP_PX}px; margin-bottom: ${GAP_PX}px; }
  img { height: ${Math.round(MOST_HEIGHT_PX)}px; object-fit: cover; object-position: top; }
`;
