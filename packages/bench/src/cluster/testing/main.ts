import { mkdir } from 'node:fs/promises';
import { makeFolder } from '../../../../../scripts/services.mjs';
import { tableOf, unkept } from '../work.js';
import { measureRates } from './measure-rates.js';
import { LONG, runCluster } from './run-cluster.js';
import { WholeCluster } from './whole-cluster.js';

const MINUTES = 6;

/**
 * `npm run cluster`. @returns whether nothing was lost or doubled and every process came back
 *
 * @param logs a folder for the logs of our processes; null: a temporary one
 */
export async function watchCluster(logs: string | null, minutes = MINUTES): Promise<boolean> {
  const begun = performance.now();
  const say = (line: string) => {
    const seconds = Math.round((performance.now() - begun) / 1_000);
    const time = `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`;
    console.log(`${time}  ${line}`);
  };
  if (logs !== null) await mkdir(logs, { recursive: true });
  const folder = logs ?? (await makeFolder());
  const cluster = await WholeCluster.start(folder, say);
  try {
    for (const { apis, incrementsASecond, creationsASecond } of await measureRates(cluster)) {
      const rates = `${incrementsASecond} increments or ${creationsASecond} creations of mailboxes a second`;
      say(`16 callers with ${apis === 1 ? 'one API' : `${apis} APIs`}: ${rates}`);
    }
    const { works, notBack } = await runCluster(cluster, LONG, minutes, say);
    console.table(tableOf(works));
    const problems = [...unkept(works), ...notBack];
    console.log(problems.length === 0 ? 'Nothing was lost or doubled.' : problems.join('\n'));
    return problems.length === 0;
  } finally {
    await cluster.stop();
  }
}
