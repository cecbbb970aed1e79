// @ts-check
// `npm run bench -- <benches>`: measures, with a private MariaDB and Redis, and stores the results.
// `npm run bench -- page`: writes the tables and pictures of docs/performance.md from the stored results.
import { parseArgs } from 'node:util';
import { main } from './main.mjs';
import { findNode } from './node-versions.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './processes.mjs';

const PROGRAM = 'packages/bench/dist/main.js';

await main(async () => {
  const args = process.argv.slice(2);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { print: { type: 'boolean' }, anew: { type: 'boolean' }, node: { type: 'string' } },
  });
  await prepare();
  const other = values.node === undefined ? {} : { BENCH_OTHER_NODE: (await findNode(Number(values.node))).program };
  const measures = positionals.length > 0 && !positionals.includes('page');
  const services = measures ? ['scripts/services.mjs', '--', process.execPath] : [];
  const { code } = await runStep(process.execPath, [...services, PROGRAM, ...args], {
    env: { ...process.env, ...other },
  });
  return code;
});
