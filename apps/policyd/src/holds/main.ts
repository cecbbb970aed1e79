import { createPostJson } from '@mailstead/client/post-json';
import { reasonOf } from '@mailstead/core/errors';
import { createLogger } from '../logger.js';
import { replaceFile } from '../replace-file.js';
import { HoldPass, type Waiting } from './hold-pass.js';
import { HoldsApi } from './holds-api.js';
import { readHoldsConfig } from './holds-config.js';
import { Postfix } from './postfix.js';

const API_TIMEOUT_MS = 30_000;

/**
 * Holds and releases queued mail of suspended domains, once over all queues, and ends. A timer of systemd repeats it.
 * It keeps nothing between two passes; the stamp of a whole pass is for the doctor alone.
 */
async function main(): Promise<void> {
  const {
    mailsteadUrl: url,
    policyToken: token,
    postfixMx,
    postfixSubmission,
    holdsStamp,
    logLevel,
  } = readHoldsConfig();
  const logger = createLogger(logLevel);
  const api = new HoldsApi(createPostJson({ url, token, timeoutMs: API_TIMEOUT_MS }));
  const waiting = new Map<string, Waiting>();
  for (const directory of [postfixMx, postfixSubmission]) {
    if (directory === null) continue;
    const isSubmission = directory === postfixSubmission;
    const { waiting: found, ...done } = await HoldPass.run(
      new Postfix(directory),
      (domains) => api.stops(domains),
      isSubmission,
    );
    if (Object.values(done).some((count) => count > 0)) logger.info('pass', { directory, ...done });
    for (const [domain, { messages, oldest }] of found) {
      const before = waiting.get(domain) ?? { messages: 0, oldest };
      waiting.set(domain, { messages: before.messages + messages, oldest: Math.min(before.oldest, oldest) });
    }
  }
  await api.report(waiting, Date.now() / 1_000);
  if (holdsStamp !== null) await replaceFile(holdsStamp, `${new Date().toISOString()}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`Nothing more is held or released in this pass: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});
