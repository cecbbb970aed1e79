import { DATABASE_KINDS, endAll } from '../service.js';
import { runSoak } from './run-soak.js';
import { explainedHeap, ROWS_A_ROUND, type SoakResult, slopeOf, steadyRounds, unexplained } from './verdict.js';

const DEFAULT_MINUTES = 10;
const SAMPLES = 20;
const MINUTE_MS = 60_000;
const MB = 1_000_000;

/** `npm run soak [-- minutes]`: the load for ten minutes on each database, and what it leaves. */
async function main(): Promise<void> {
  const minutes = Number(process.argv[2] ?? DEFAULT_MINUTES);
  if (!(minutes > 0)) throw new Error('npm run soak [-- <minutes on each database>]');
  const redis = process.env.MAILSTEAD_TEST_REDIS_URL;
  for (const kind of DATABASE_KINDS) {
    const stretchMs = (minutes * MINUTE_MS) / SAMPLES;
    let stretches = 0;
    let beganAt = 0;
    const result = await runSoak(kind, {
      redisUrl: kind === 'mariadb' ? (redis ?? null) : null,
      goesOn: () => {
        stretches += 1;
        beganAt = Date.now();
        return stretches <= SAMPLES;
      },
      stretchEnds: () => Date.now() - beganAt >= stretchMs,
    });
    print(kind, result);
    const found = unexplained(result);
    console.log(found.length === 0 ? 'Verdict: bounded.' : `Verdict: NOT BOUNDED.\n  ${found.join('\n  ')}`);
    if (found.length > 0) process.exitCode = 1;
  }
}

function print(kind: string, { processes, rounds, requests, rows }: SoakResult): void {
  console.log(`\n${kind}: ${rounds} rounds, ${requests} requests`);
  for (const { name, samples } of processes) {
    const heap = slopeOf(samples, ({ heapBytes }) => heapBytes);
    const most = explainedHeap(steadyRounds(samples));
    console.log(
      `\n${name} (the heap grows by ${Math.round(heap)} bytes in a round; up to ${Math.round(most)} are explained)`,
    );
    const shown = samples.map((sample) => ({
      rounds: sample.rounds,
      'heap after collection, MB': Number((sample.heapBytes / MB).toFixed(1)),
      descriptors: sample.descriptors,
      'event-loop lag (99 %), ms': Number(sample.lagMs.toFixed(1)),
    }));
    console.table(shown);
  }
  const counted = [...rows].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  console.table(
    counted.map(([table, count]) => ({
      table,
      rows: count,
      'rows in a round': Number((count / rounds).toFixed(2)),
      'at most': ROWS_A_ROUND[table] ?? 0,
    })),
  );
}

try {
  await main();
} finally {
  await endAll();
}
