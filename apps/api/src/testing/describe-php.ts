import { findPhp } from '../../../../scripts/service-programs.mjs';

const found = await findPhp().then(
  (program) => ({ program, reason: null }),
  (error: unknown) => ({ program: 'php', reason: error instanceof Error ? error.message : String(error) }),
);
if (found.reason !== null && process.env.CI === 'true') {
  throw new Error(`The module for WHMCS cannot be tested: ${found.reason}.`);
}

/** The PHP that runs the module for WHMCS. */
export const PHP = found.program;

/**
 * `describe` for tests that need PHP. Without it they are skipped with the reason in their name, or fail if the environment
 * variable `CI` is set.
 */
export function describePhp(name: string, body: () => void): void {
  if (found.reason === null) {
    describe(name, body);
  } else {
    describe.skip(`${name} (skipped: ${found.reason})`, body);
  }
}
