import { installedPhp } from '../../../../scripts/service-programs.mjs';

const found = installedPhp();
if (found === undefined && process.env.CI === 'true') {
  throw new Error('The module for WHMCS cannot be tested without PHP: install php-cli.');
}

/** The PHP that runs the module for WHMCS. */
export const PHP = found ?? 'php';

/**
 * `describe` for tests that need PHP. Without it they are skipped with the reason in their name, or fail if the environment
 * variable `CI` is set. `npm run test:slow` installs it as root on Debian.
 */
export function describePhp(name: string, body: () => void): void {
  if (found === undefined) {
    describe.skip(`${name} (skipped: PHP is not installed; install php-cli)`, body);
  } else {
    describe(name, body);
  }
}
