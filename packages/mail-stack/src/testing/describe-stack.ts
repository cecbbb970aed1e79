import { mailServersUnavailable } from './mail-packages.js';

const unavailable = await mailServersUnavailable();
if (unavailable !== null && process.env.CI === 'true') {
  throw new Error(`The mail servers cannot be tested: ${unavailable}.`);
}

/**
 * `describe` for tests that need the real mail servers: skipped, with the reason in the name, where they cannot run;
 * under `CI` that fails.
 */
export function describeStack(name: string, body: () => void): void {
  if (unavailable === null) {
    describe(name, body);
  } else {
    describe.skip(`${name} (skipped: ${unavailable})`, body);
  }
}
