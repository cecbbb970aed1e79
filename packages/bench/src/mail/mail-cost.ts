import type { Connection, RowDataPacket } from 'mysql2/promise';
import { median } from '../load.js';
import { type MailLoad, mailRound } from './mail-round.js';
import type { PostfixVariant } from './postfix-variant.js';
import { processorMs } from './processor-time.js';

/** What one message costs. */
export interface MailCost {
  messagesPerSecond: number;
  /** Milliseconds from MAIL to the reply to the final dot. */
  p50: number;
  p99: number;
  /** Milliseconds of processor time by program. */
  processor: Record<string, number>;
  /** Statements in the database by user, and requests to the API. */
  questions: Record<string, number>;
}

/** What is measured beside Postfix. */
export interface Surroundings {
  database: Connection;
  /** The process ids of the programs whose processor time is measured. */
  programs: Record<string, number>;
  /** The policy daemon's metrics. */
  metricsUrl: string;
}

/** Runs one round and divides what it took by its messages. */
export async function mailCost(
  variant: PostfixVariant,
  load: MailLoad,
  { database, programs, metricsUrl }: Surroundings,
): Promise<MailCost> {
  const read = async () => ({
    processor: {
      ...Object.fromEntries(Object.entries(programs).map(([name, pid]) => [name, processorMs(pid)])),
      postfix: variant.masters.reduce((sum, pid) => sum + processorMs(pid), 0),
    },
    questions: { ...(await statementsByUser(database)), api: await requestsToApi(metricsUrl) },
  });
  const before = await read();
  const { seconds, durations } = await mailRound(variant, load);
  const after = await read();
  const sorted = durations.toSorted((left, right) => left - right);
  const perMessage = (now: Record<string, number>, then: Record<string, number>) =>
    Object.fromEntries(Object.entries(now).map(([name, value]) => [name, (value - (then[name] ?? 0)) / load.messages]));
  return {
    messagesPerSecond: load.messages / seconds,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    processor: perMessage(after.processor, before.processor),
    questions: perMessage(after.questions, before.questions),
  };
}

/** Returns the median of each value. */
export function medianCost(costs: readonly MailCost[]): MailCost {
  const of = (read: (cost: MailCost) => number | undefined) => median(costs.map((cost) => read(cost) ?? 0));
  const each = (key: 'processor' | 'questions') =>
    Object.fromEntries(Object.keys(costs[0]?.[key] ?? {}).map((name) => [name, of((cost) => cost[key][name])]));
  return {
    messagesPerSecond: of((cost) => cost.messagesPerSecond),
    p50: of((cost) => cost.p50),
    p99: of((cost) => cost.p99),
    processor: each('processor'),
    questions: each('questions'),
  };
}

/** MariaDB counts them with `userstat`. */
async function statementsByUser(database: Connection): Promise<Record<string, number>> {
  const [rows] = await database.query<RowDataPacket[]>(
    'SELECT user, SELECT_COMMANDS + UPDATE_COMMANDS + OTHER_COMMANDS AS statements FROM information_schema.USER_STATISTICS',
  );
  return Object.fromEntries(rows.map(({ user, statements }) => [String(user), Number(statements)]));
}

async function requestsToApi(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return [...text.matchAll(/^mailstead_policyd_api_seconds_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}
