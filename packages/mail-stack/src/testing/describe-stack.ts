import { mailServersUnavailable } from './mail-packages.js';

const unavailable = await mailServersUnavailable();
if (unavailable !== null && process.env.CI === 'true') {
  throw new Error(`The mail servers cannot be tested: ${unavailable}.`);
}

/**
 * `describe` for tests that need the real mail servers. When these cannot run, the tests are skipped with the reason in
 * their name, or fail if the environment variable `CI` is set.
 */
export function describeStack(name: string, body: () => void): void {
  if (unavailable === null) {
    describe(name, body);
  } else {
    describe.skip(`${name} (skipped: ${unavailable})`, body);
  }
}
