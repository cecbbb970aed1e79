import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { NARROW, type TestBrowser, type Visitor } from './browser.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

type Page = Visitor['page'];

/** What tests add to a page. */
interface Examined {
  axe: { run: (context: Document, options: unknown) => Promise<AxeResults> };
  /** The style sheet that stops transitions. */
  still?: CSSStyleSheet;
}

/** How many screens were looked at. */
let looked = 0;

/**
 * Looks at the screen in light and dark, wide and narrow. Reports what axe finds, a page that scrolls sideways, and
 * tables with texts of more than two sizes: that of a row, and that of its head and second facts. In `npm test` each
 * screen has one of the four looks, in turn.
 *
 * @param screen names the screen in the report.
 */
export async function lookAt(browser: TestBrowser, { page }: Visitor, screen: string): Promise<void> {
  const wide = page.viewportSize() ?? NARROW;
  const isWhole = process.env.MAILSTEAD_TESTS === 'slow';
  const turn = looked++ % 4;
  await prepare(page);
  // A change of the colours takes longest, so it is made once, and the next screen begins with these colours.
  const isDark = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme === 'dark');
  const [first, second] = isWhole && isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  const looks = [
    { scheme: first, size: wide },
    { scheme: first, size: NARROW },
    { scheme: second, size: NARROW },
    { scheme: second, size: wide },
  ];
  for (const { scheme, size } of isWhole ? looks : looks.slice(turn, turn + 1)) {
    await show(page, scheme, size);
    const { findings, overflow, sizes } = await examine(page);
    const look = `${screen}, ${scheme}, ${size.width} px`;
    for (const finding of findings) browser.report(`${look}: ${finding}`);
    if (sizes.length > 2) browser.report(`${look}: the texts of tables have the sizes ${sizes.join(', ')}`);
    if (overflow > 0) browser.report(`${look}: the page is ${overflow} px too wide`);
  }
  await page.setViewportSize(wide);
  await page.evaluate(() => (window as unknown as Examined).still?.replaceSync(''));
}

/** Brings axe onto the page, and has it show at once what it otherwise reaches in a transition. */
async function prepare(page: Page): Promise<void> {
  // Not a script element, which the content security policy would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readAxe());
  await page.evaluate(() => {
    const examined = window as unknown as Examined;
    if (examined.still === undefined) {
      examined.still = new CSSStyleSheet();
      document.adoptedStyleSheets.push(examined.still);
    }
    examined.still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important; }');
  });
}

async function show(page: Page, colorScheme: 'light' | 'dark', size: { width: number; height: number }): Promise<void> {
  await page.emulateMedia({ colorScheme });
  if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size);
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
}

/** Chromium may need some frames for new colours and sizes, so what axe finds must be there twice. */
async function examine(page: Page): Promise<{ findings: string[]; overflow: number; sizes: string[] }> {
  return page.evaluate(async (tags) => {
    const frames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { axe } = window as unknown as Examined;
    const find = async () => {
      const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary }) =>
            `${id} at ${target.join(' ')}: ${failureSummary?.split('\n').slice(1).join(';')}`,
        ),
      );
    };
    await frames();
    let findings = await find();
    if (findings.length > 0) {
      await frames();
      const again = await find();
      findings = findings.filter((finding) => again.includes(finding));
    }
    // Buttons, code and pills have sizes of their own.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const sizes = new Set<string>();
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const parent = node.parentElement;
      const isInCell =
        parent?.closest(':is(td, th)') !== null &&
        parent?.closest('button, code, .portal-pill, .portal-chart, .mantine-VisuallyHidden-root') === null;
      if (parent !== null && isInCell && node.nodeValue?.trim() !== '' && parent.checkVisibility()) {
        sizes.add(getComputedStyle(parent).fontSize);
      }
    }
    const overflow = document.documentElement.scrollWidth - window.innerWidth;
    return { findings, overflow, sizes: [...sizes] };
  }, TAGS);
}

let source: string | undefined;

async function readAxe(): Promise<string> {
  source ??= await readFile(AXE, 'utf8');
  return source;
}
