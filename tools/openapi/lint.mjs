// @ts-check
// Lints an OpenAPI document with Redocly's recommended rules: node tools/openapi/lint.mjs <file>
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
const CONFIG = fileURLToPath(new URL('redocly.yaml', import.meta.url));

// Neither usage data nor a search for updates leaves the machine.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { status } = spawnSync(process.execPath, [CLI, 'lint', '--config', CONFIG, ...process.argv.slice(2)], {
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
