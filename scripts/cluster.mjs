// @ts-check
// `npm run cluster [-- --logs <folder> --minutes <n>]`: a whole cluster under load, whose processes are killed and
// frozen.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { main, Stop } from './main.mjs';
import { missingPrograms } from './needed-programs.mjs';
import { prepare } from './prepare.mjs';
import { onStopSignal, ROOT } from './processes.mjs';

const PROGRAM = 'packages/bench/src/cluster/testing/main.ts';
/** As deep in the checkout as the file itself, because of the paths to the scripts. */
const BUNDLE = join(ROOT, 'packages/bench/dist/cluster/testing/main.mjs');
const INTERRUPTED = 130;

await main(async () => {
  const { values } = parseArgs({ options: { logs: { type: 'string' }, minutes: { type: 'string' } } });
  const missing = missingPrograms('the cluster');
  if (missing !== null) throw new Stop(missing);
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) throw new Stop('--minutes must be a number above 0');
  await prepare();
  await build({
    absWorkingDir: ROOT,
    entryPoints: [PROGRAM],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // The workspace packages as their sources, because what only tests use is not in `dist`.
    conditions: ['mailstead-source'],
    external: ['mysql2', 'ioredis', './scripts/*'],
  });
  // The servers are killed when this process ends (guard.mjs).
  onStopSignal(() => process.exit(INTERRUPTED));
  const { watchCluster } = await import(pathToFileURL(BUNDLE).href);
  return (await watchCluster(values.logs ?? null, minutes)) ? 0 : 1;
});
