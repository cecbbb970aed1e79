import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { NARROW, type TestBrowser, type Visitor } from './browser.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run: (context: Document, options: unknown) => Promise<AxeResults>;
}

/**
 * Looks at the screen in light and dark, wide and narrow. Reports what axe finds, and a page that scrolls sideways.
 *
 * @param screen names the screen in the report.
 */
export async function lookAt(browser: TestBrowser, { page }: Visitor, screen: string): Promise<void> {
  const size = page.viewportSize();
  // Not a script element, which the content security policy would refuse.
  await page.evaluate(await readAxe());
  for (const { colorScheme, viewport } of looksAt(size ?? NARROW)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.evaluate(settle);
    const look = `${screen}, ${colorScheme}, ${viewport.width} px`;
    for (const finding of await lastingFindingsOf(page)) browser.report(`${look}: ${finding}`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overflow > 0) browser.report(`${look}: the page is ${overflow} px too wide`);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (size !== null) await page.setViewportSize(size);
}

/** Waits for the end of transitions, which the change of colours starts. */
async function settle(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}

/** All four looks in the slow run. In `npm test` two, which have each colour and each width once. */
function looksAt(wide: { width: number; height: number }) {
  const looks = [
    { colorScheme: 'light', viewport: wide },
    { colorScheme: 'dark', viewport: NARROW },
    { colorScheme: 'light', viewport: NARROW },
    { colorScheme: 'dark', viewport: wide },
  ] as const;
  return process.env.MAILSTEAD_TESTS === 'slow' ? looks : looks.slice(0, 2);
}

/** Chromium may need some frames more for the new colours, so what axe finds must be there twice. */
async function lastingFindingsOf(page: Visitor['page']): Promise<string[]> {
  const first = await findingsOf(page);
  if (first.length === 0) return [];
  await page.evaluate(settle);
  const again = await findingsOf(page);
  return first.filter((finding) => again.includes(finding));
}

async function findingsOf(page: Visitor['page']): Promise<string[]> {
  const results = await page.evaluate((tags) => {
    const { axe } = window as unknown as { axe: Axe };
    return axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
  }, TAGS);
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary?.split('\n').slice(1).join(';')}`,
    ),
  );
}

let source: string | undefined;

async function readAxe(): Promise<string> {
  source ??= await readFile(AXE, 'utf8');
  return source;
}
