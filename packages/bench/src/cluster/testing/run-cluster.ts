import { setTimeout as delay } from 'node:timers/promises';
import type { Work } from '../work.js';
import { findAll } from './find-all.js';
import { Load } from './load.js';
import { type Fault, KINDS, type Kind } from './part.js';
import type { WholeCluster } from './whole-cluster.js';

/** One process that fails and comes back. */
export type Step = readonly [Kind, Fault];

/** Each kind killed and frozen. */
export const LONG: readonly Step[] = KINDS.flatMap((kind): Step[] => [
  [kind, 'killed'],
  [kind, 'frozen'],
]);
/** The written node in both ways, each other kind in one. */
export const SHORT: readonly Step[] = [
  ['written database node', 'killed'],
  ['written database node', 'frozen'],
  ['other database node', 'killed'],
  ['HAProxy', 'killed'],
  ['Redis primary', 'frozen'],
  ['sentinel', 'killed'],
  ['API', 'frozen'],
  ['worker', 'killed'],
  ['policy daemon', 'frozen'],
];

export interface ClusterRun {
  works: readonly Work[];
  /** Sentences about processes that did not work again. */
  notBack: string[];
}

/**
 * Runs the load, and lets each process of the steps fail and come back, one after the other.
 *
 * @param minutes from the first step to the last; longer when a process takes longer to come back
 */
export async function runCluster(
  cluster: WholeCluster,
  steps: readonly Step[],
  minutes: number,
  say: (line: string) => void,
): Promise<ClusterRun> {
  const load = new Load(cluster);
  const notBack: string[] = [];
  await load.start();
  say('the load runs');
  const slotMs = (minutes * 60_000) / steps.length;
  const awayMs = slotMs / 2;
  for (const [kind, fault] of steps) {
    const begun = performance.now();
    for (const work of load.works) work.takeGap();
    const part = await cluster.part(kind);
    say(`${part.name} (${kind}) is ${fault}`);
    await part.fail(fault);
    await delay(awayMs);
    const returned = performance.now();
    try {
      await part.comeBack(fault);
      await cluster.ready();
    } catch (error) {
      notBack.push(`${part.name}, which was ${fault}: ${String(error)}`);
      say(`${part.name} DID NOT COME BACK: ${String(error)}`);
    }
    const takenS = ((performance.now() - returned) / 1_000).toFixed(1);
    await delay(Math.max(0, slotMs - (performance.now() - begun)));
    say(`  back after ${(awayMs / 1_000).toFixed(0)} s and ${takenS} s; longest gaps: ${gapsOf(load.works)}`);
  }
  // Before the callers stop: that nothing is sent then is no gap.
  for (const work of load.works) work.closeGap();
  await load.end();
  say('the load ended; everything acknowledged is looked up');
  await findAll(cluster, load);
  return { works: load.works, notBack };
}

function gapsOf(works: readonly Work[]): string {
  return works.map((work) => `${work.name} ${(work.takeGap() / 1_000).toFixed(1)} s`).join(', ');
}
