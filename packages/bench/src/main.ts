import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BENCHES } from './benches.js';
import { writePage } from './page/make-page.js';
import { ROOT } from './root.js';
import { measureSteps } from './run/measure-steps.js';
import { stepsOf, usageOf } from './run/steps.js';
import { Unfinished } from './run/unfinished.js';

const RESULTS = join(ROOT, 'packages/bench/results');
/** Is not in the repository. */
const UNFINISHED = join(ROOT, '.npm-test/unfinished-benches.json');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { print: { type: 'boolean' }, anew: { type: 'boolean' }, node: { type: 'string' } },
});
if (positionals.length === 0) {
  console.error(usageOf(BENCHES));
  process.exitCode = 2;
} else if (positionals.includes('page')) {
  writePage(ROOT);
} else {
  const steps = stepsOf(positionals, BENCHES, values.node ?? null);
  const asked = [...positionals, ...(values.node === undefined ? [] : [`--node ${values.node}`])].join(' ');
  const unfinished = values.print === true ? null : new Unfinished(UNFINISHED, asked);
  if (values.anew === true) unfinished?.forget();
  const options = { results: RESULTS, unfinished, otherNode: process.env.BENCH_OTHER_NODE ?? null };
  if (!(await measureSteps(steps, options))) process.exitCode = 1;
  if (values.print !== true) writePage(ROOT);
}
