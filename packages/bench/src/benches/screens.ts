import { type BrowserContext, chromium } from 'playwright-core';
import type { Report } from '../report.js';
import { CLIENT, call, type DatabaseKind } from '../service.js';
import { filled } from './finding.js';

const DOMAINS = Number(process.env.SCREENS_DOMAINS ?? 100_000);
const LOADS = 11;
const TARGET_MS = 300;

/** Each with the API's answer that its first content needs, and that content. */
const SCREENS = [
  {
    name: 'Home',
    address: '/portal/',
    answer: '/me/attention',
    content: 'section[aria-label="What needs you"] a[href*="/domains/"]',
  },
  { name: 'Domains', address: '/portal/domains', answer: '/domains/?', content: 'main tbody tr' },
];

/**
 * The screens of a partner with many domains, in Chromium: from the last byte of the API's answer to the picture with
 * its content. Each load is a new page, with the scripts in the browser's cache. Needs `npm run portal`.
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
  for (const { name, address, answer, content } of SCREENS) {
    const times = [];
    for (let load = 0; load < LOADS; load += 1)
      times.push(await timeOf(context, service.url + address, answer, content));
    times.sort((left, right) => left - right);
    const median = times[Math.floor(LOADS / 2)] ?? Number.NaN;
    report.note(
      `${name} at ${DOMAINS.toLocaleString('en')} domains, ${kind}`,
      `${Math.round(median)} ms after the answer (${Math.round(times[0] ?? Number.NaN)} to ${Math.round(times.at(-1) ?? Number.NaN)} in ${LOADS} loads)`,
      `≤ ${TARGET_MS} ms`,
      median <= TARGET_MS,
    );
  }
  await browser.close();
  await service.stop();
}

/** Milliseconds from the last byte of the answer to the frame that shows the content. */
async function timeOf(context: BrowserContext, url: string, answer: string, content: string): Promise<number> {
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
  const waited = await page.evaluate<number>(`
    window.contentShown.then((at) => {
      const answers = performance.getEntriesByType('resource')
        .filter(({ name, responseEnd }) => name.includes(${JSON.stringify(answer)}) && responseEnd > 0 && responseEnd <= at);
      return at - Math.max(...answers.map(({ responseEnd }) => responseEnd));
    })`);
  await page.close();
  if (!Number.isFinite(waited)) throw new Error(`${url} asked for no ${answer} before its content`);
  return waited;
}
