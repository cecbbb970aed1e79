import type { Look } from './probe.js';

/** A look at a process after this number of rounds of the load. */
export interface Sample extends Look {
  rounds: number;
}

interface ProcessSamples {
  name: string;
  samples: readonly Sample[];
}

export interface SoakResult {
  processes: readonly ProcessSamples[];
  rounds: number;
  requests: number;
  /** The rows of each table at the end. */
  rows: ReadonlyMap<string, number>;
}

/** Rows that one round of the load leaves at most. All other tables must not grow with the load. */
export const ROWS_A_ROUND: Readonly<Record<string, number>> = {
  audit_log: 12,
  event_position: 12,
  tombstone: 1,
  deleted_domain: 1,
  deleted_verification: 1,
  deleted_mailbox: 2,
  deleted_alias: 1,
  outbound_sender: 2,
  outbound_history: 4,
  outbound_counter: 4,
  outbound_day: 2,
  outbound_counted_id: 1,
  usage_day: 4,
  usage_counted: 2,
  idempotency: 1,
};
/** Rows that an installation has, whatever its load: tiers, schedules, processes, jobs that run now. */
const ROWS_WITHOUT_LOAD = 300;
/** Caches and compiled code grow at first; so the first third of the samples says nothing. */
const WARM_UP_SHARE = 1 / 3;
/** A forgotten listener, timer or map entry for each round needs more. */
export const HEAP_BYTES_A_ROUND = 2_000;
/** What a heap may differ by between two looks without a cause: code that was compiled meanwhile, pools. */
const HEAP_SLACK_BYTES = 3_000_000;
/** Connections of pools and keep-alive come and go. */
const DESCRIPTOR_SLACK = 20;

/**
 * The short form: rounds between two looks, and the number of stretches. Counted in rounds, so the machine's speed
 * changes nothing. It takes a minute on each database, and finds what leaves 20 kB in a round of 15 requests, such as
 * what one request and its response need, kept for each; the form of ten minutes finds 4 kB. The heap of an API on
 * MariaDB grows by some megabytes at first, in steps, and stays from about the 300th round on.
 */
export const SHORT_FORM = { roundsOfStretch: 24, stretches: 14 };

/** The growth of a value for each round, by the least squares of the samples after the warm-up. */
export function slopeOf(samples: readonly Sample[], value: (sample: Sample) => number): number {
  const steady = steadyOf(samples);
  const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const x = mean(steady.map(({ rounds }) => rounds));
  const y = mean(steady.map(value));
  const square = steady.reduce((sum, { rounds }) => sum + (rounds - x) ** 2, 0);
  if (square === 0) return 0;
  return steady.reduce((sum, sample) => sum + (sample.rounds - x) * (value(sample) - y), 0) / square;
}

/** The growth of the heap in each round that is explained, for this number of rounds after the warm-up. */
export function explainedHeap(rounds: number): number {
  return HEAP_BYTES_A_ROUND + HEAP_SLACK_BYTES / rounds;
}

/** The rounds that the samples after the warm-up cover. */
export function steadyRounds(samples: readonly Sample[]): number {
  const steady = steadyOf(samples);
  return (steady.at(-1)?.rounds ?? 0) - (steady[0]?.rounds ?? 0);
}

/** Returns a sentence for everything that grew more than the load explains. Nothing in it depends on time. */
export function unexplained({ processes, rounds, rows }: SoakResult): string[] {
  const ofProcesses = processes.flatMap(({ name, samples }) => {
    const grownRounds = steadyRounds(samples);
    if (grownRounds === 0) return [`${name}: too few samples`];
    const heap = slopeOf(samples, ({ heapBytes }) => heapBytes);
    const files = slopeOf(samples, ({ descriptors }) => descriptors) * grownRounds;
    return [
      ...(heap > explainedHeap(grownRounds)
        ? [`${name}: the heap grew by ${Math.round(heap)} bytes in each round`]
        : []),
      ...(files > DESCRIPTOR_SLACK ? [`${name}: ${Math.round(files)} descriptors were opened and not closed`] : []),
    ];
  });
  const ofTables = [...rows]
    .filter(([table, count]) => count > (ROWS_A_ROUND[table] ?? 0) * rounds + ROWS_WITHOUT_LOAD)
    .map(
      ([table, count]) =>
        `${table}: ${(count / rounds).toFixed(1)} rows in each round, of which ${ROWS_A_ROUND[table] ?? 0} are explained`,
    );
  return [...ofProcesses, ...ofTables];
}

function steadyOf(samples: readonly Sample[]): readonly Sample[] {
  return samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
}
