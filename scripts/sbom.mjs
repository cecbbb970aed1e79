// @ts-check
// Writes sbom.cdx.json, or the file that is given: the npm packages of the image, as a bill of materials in CycloneDX.
//   npm run sbom [-- file]
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { main } from './main.mjs';

/** The packages that the image runs, and the page, whose libraries are built into it. */
const WORKSPACES = ['apps/api', 'apps/worker', 'apps/policyd', 'apps/billing', 'apps/portal', 'packages/mail-stack'];

await main(async () => {
  const [file = 'sbom.cdx.json'] = process.argv.slice(2);
  const cli = fileURLToPath(new URL('../node_modules/.bin/cyclonedx-npm', import.meta.url));
  // From the lock file, so that the result does not depend on what is installed here, and without a random number.
  const options = ['--package-lock-only', '--omit', 'dev', '--output-format', 'JSON', '--output-reproducible'];
  const workspaces = WORKSPACES.flatMap((workspace) => ['-w', workspace]);
  execFileSync(process.execPath, [cli, ...options, '--validate', ...workspaces, '--output-file', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return 0;
});
