import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { watchPage } from './page-watch.js';

export const WIDE = { width: 1280, height: 900 };
export const NARROW = { width: 390, height: 844 };
/** For `it.each`. */
export const SIZES = [
  { at: 'desktop', size: WIDE },
  { at: '390px', size: NARROW },
];

/** Debian's Chromium, which `npm test` installs when it is missing. */
const PROGRAMS = [
  process.env.MAILSTEAD_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A person at a browser: one window with its own cookies. */
export interface Visitor {
  page: Page;
  context: BrowserContext;
  /** Goes to an address below `/portal`. */
  goTo: (address: string) => Promise<void>;
}

/** A real browser whose pages are watched: see `watchPage`. */
export class TestBrowser {
  private readonly faults: string[] = [];

  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<TestBrowser> {
    const executablePath = PROGRAMS.find((path) => path !== undefined && existsSync(path));
    if (executablePath === undefined) {
      throw new Error(
        'No Chromium was found. Install it (`apt-get install chromium`), or name it in MAILSTEAD_TEST_CHROMIUM.',
      );
    }
    // Chromium's sandbox refuses root. Without a graphics card it would compute one.
    const args = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    return new TestBrowser(await chromium.launch({ executablePath, args, timeout: PATIENCE_MS }));
  }

  /** Opens a window on a service. */
  async visit(url: string, size: { width: number; height: number } = WIDE, locale = 'en-GB'): Promise<Visitor> {
    const context = await this.browser.newContext({ viewport: size, locale, timezoneId: 'Europe/Berlin' });
    context.setDefaultTimeout(PATIENCE_MS);
    return this.openPage(url, context);
  }

  /** Opens another page in a window, with the same session. */
  async openPage(url: string, context: BrowserContext): Promise<Visitor> {
    const page = await context.newPage();
    await watchPage(page, new URL(url).origin, (fault) => this.faults.push(fault));
    return {
      page,
      context,
      goTo: async (address) => void (await page.goto(`${url}/portal${address}`)),
    };
  }

  /** Opens an empty page in a window of its own, which is not watched. */
  async blank(): Promise<Page> {
    return (await this.browser.newContext()).newPage();
  }

  /** Opens a window and enters with a key, as a person does. */
  async enter(url: string, token: string, size = WIDE): Promise<Visitor> {
    const visitor = await this.visit(url, size);
    await visitor.goTo('/enter');
    await visitor.page.getByLabel('Key', { exact: true }).fill(token);
    await visitor.page.getByRole('button', { name: 'Enter', exact: true }).click();
    await visitor.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    return visitor;
  }

  /** Reports a finding as a fault of the page. */
  report(fault: string): void {
    this.faults.push(fault);
  }

  /** Returns what the pages did wrong since the last call. */
  takeFaults(): string[] {
    return this.faults.splice(0);
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
