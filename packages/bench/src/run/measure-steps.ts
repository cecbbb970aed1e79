import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { tableOf } from '../page/table.js';
import { Report } from '../report.js';
import { endAll, useNode } from '../service.js';
import type { Step } from './steps.js';
import { type Run, storeRun } from './stored-results.js';
import type { Unfinished } from './unfinished.js';

/** The variables that make a run shorter or different. Those that are set are stored with what was measured. */
const SETTINGS = ['ROUND_SECONDS', 'MAIL_ROUNDS', 'FINDING_DOMAINS', 'TRAIL_MESSAGES', 'RATE_LIMIT'];

export interface MeasureOptions {
  /** The folder of the stored results. */
  results: string;
  /** Null: nothing is stored, and all steps are measured. */
  unfinished: Unfinished | null;
  /** The program of the other Node. */
  otherNode: string | null;
}

/**
 * Measures the steps that are not finished yet, prints what it does, and stores each one at its end. A step that fails
 * is not stored and counts as unfinished; the others go on.
 *
 * @returns whether all steps were measured
 */
export async function measureSteps(
  steps: readonly Step[],
  { results, unfinished, otherNode }: MeasureOptions,
): Promise<boolean> {
  const finished = unfinished?.finished ?? [];
  const left = steps.filter(({ name }) => !finished.includes(name));
  if (left.length < steps.length) {
    const done = steps.length - left.length;
    console.log(`Continues: ${done} of ${steps.length} steps were measured before. --anew begins with the first one.`);
  }
  const failed: string[] = [];
  for (const step of left) {
    const begun = performance.now();
    const node = step.isOnOtherNode && otherNode !== null ? otherNode : process.execPath;
    const place = { part: step.part, ...machine(node) };
    console.log(
      `\n${steps.indexOf(step) + 1} of ${steps.length}: ${step.name}, ${place.machine}, ${place.cores} cores, Node ${place.node}, load ${place.load}, ${new Date().toISOString()}`,
    );
    useNode(node);
    const report = new Report();
    try {
      await step.measure(report);
    } catch (error) {
      console.error(error);
      failed.push(step.name);
      await endAll();
      continue;
    }
    console.log(`\n${tableOf(report.rows)}\n\n${Math.round((performance.now() - begun) / 1_000)} s`);
    if (unfinished === null) continue;
    storeRun(results, step.file, { ...place, rows: report.rows });
    unfinished.finish(step.name);
  }
  if (failed.length === 0) unfinished?.forget();
  else console.error(`\nNot measured: ${failed.join(', ')}. The same command measures what is left.`);
  return failed.length === 0;
}

/** The machine now, and what was set. @param node the program of the processes that are measured */
function machine(node: string): Omit<Run, 'part' | 'rows'> {
  const settings = SETTINGS.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim(),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    ...(settings.length === 0 ? {} : { settings: Object.fromEntries(settings) }),
  };
}
