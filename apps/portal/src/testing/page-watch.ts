import type { Page, Request } from 'playwright-core';

/**
 * Chromium writes a line for each response that is not 2xx, and in outages. What the page makes of it, the tests check.
 */
const REFUSED =
  /^Failed to load resource: (the server responded with a status of|net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING))/;

/**
 * Reports violations of the content security policy, errors on the console, errors that nothing caught, and requests to
 * another host.
 */
export async function watchPage(page: Page, origin: string, report: (fault: string) => void): Promise<void> {
  await page.exposeFunction('reportViolation', (violation: string) => report(`policy violated: ${violation}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, lineNumber, sample }) => {
      const { reportViolation } = window as unknown as { reportViolation: (text: string) => void };
      reportViolation(`${violatedDirective} at ${sourceFile}:${lineNumber} ${sample}`);
    });
  });
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || REFUSED.test(message.text())) return;
    report(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => report(`not caught: ${error.stack ?? error.message}`));
  page.on('request', (request: Request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin) report(`request to ${url.origin}`);
  });
}
