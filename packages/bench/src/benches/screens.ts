import { type BrowserContext, chromium } from 'playwright-core';
import { median } from '../load.js';
import type { Report } from '../report.js';
import { CLIENT, call, type DatabaseKind } from '../service.js';
import { filled } from './finding.js';

const DOMAINS = Number(process.env.SCREENS_DOMAINS ?? 100_000);
const LOADS = 11;
const TARGET_MS = 300;

/** Each with the API's answers that its first content needs, and that content. */
const SCREENS = [
  {
    name: 'Home',
    address: '/portal/',
    answers: ['/me/attention', '/domains/?state=no', '/domains/?state=pending'],
    content: 'section[aria-label="What needs you"] a[href*="/domains/"]',
  },
  { name: 'Domains', address: '/portal/domains', answers: ['/domains/?'], content: 'main tbody tr' },
];

/**
 * The screens of a partner with many domains, in Chromium: from the last byte of the answers that the content needs,
 * and from the beginning of the load, to the picture with that content. Each load is a new page, with the scripts in
 * the browser's cache. Needs `npm run portal`.
 */
export async function screens(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await filled(kind, DOMAINS, 1);
  await call(service, 'POST', '/api-keys/', {
    token: CLIENT,
    partner_ref: 'big',
    domains_allowed: DOMAINS * 2,
    mailboxes_per_domain: 10,
    aliases_per_mailbox: 10,
  });
  const browser = await chromium.launch({
    executablePath: process.env.MAILSTEAD_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${service.url}/portal/enter`);
  await page.getByLabel('Key', { exact: true }).fill(CLIENT);
  await page.getByRole('button', { name: 'Enter', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.close();
  for (const { name, address, answers, content } of SCREENS) {
    const loads: Shown[] = [];
    for (let load = 0; load < LOADS; load += 1)
      loads.push(await shownBy(context, service.url + address, answers, content));
    const waits = loads.map(({ afterAnswers }) => Math.round(afterAnswers));
    const whole = median(loads.map(({ afterBegin }) => afterBegin));
    report.note(
      `${name} at ${DOMAINS.toLocaleString('en')} domains, ${kind}`,
      `${median(waits)} ms after the answers (${Math.min(...waits)} to ${Math.max(...waits)} in ${LOADS} loads), ${Math.round(whole)} ms after the load began`,
      `≤ ${TARGET_MS} ms`,
      median(waits) <= TARGET_MS,
    );
  }
  await browser.close();
  await service.stop();
}

/** Milliseconds to the frame that shows the content. */
interface Shown {
  /** From the last byte of the last answer that it needs. */
  afterAnswers: number;
  afterBegin: number;
}

async function shownBy(context: BrowserContext, url: string, answers: string[], content: string): Promise<Shown> {
  const page = await context.newPage();
  // As text, because this package is compiled without the types of browsers.
  await page.addInitScript(`
    window.contentShown = new Promise((resolve) => {
      const look = () => {
        if (document.querySelector(${JSON.stringify(content)}) === null) return;
        observer.disconnect();
        // The second frame begins after the first, with the content, was drawn.
        requestAnimationFrame(() => requestAnimationFrame((at) => resolve(at)));
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { childList: true, subtree: true });
    });`);
  await page.goto(url);
  const { at, ends } = await page.evaluate<{ at: number; ends: number[] }>(`
    window.contentShown.then((at) => {
      const entries = performance.getEntriesByType('resource')
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= at);
      const endOf = (answer) => entries.filter(({ name }) => name.includes(answer)).map(({ responseEnd }) => responseEnd);
      return { at, ends: ${JSON.stringify(answers)}.map((answer) => Math.max(0, ...endOf(answer))) };
    })`);
  await page.close();
  if (ends.includes(0)) throw new Error(`${url} did not ask for ${answers.join(', ')} before its content`);
  return { afterAnswers: at - Math.max(...ends), afterBegin: at };
}
