import { closedLoop, type Session } from '../closed-loop.js';
import { median, ROUND_SECONDS } from '../load.js';
import { processorMs } from '../mail/processor-time.js';
import { mailSession, policySession } from '../mail-sessions.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, freePort, startPolicyd, startService } from '../service.js';

const TOKEN = 'policy-token-of-the-benchmarks-0123456789';
const ROUNDS = 5;
const DOMAINS = 500;
const SESSIONS = [1, 8, 64];
/** By frames, of the processor time by HTTP. */
const TARGET = 0.9;

type Policyd = Awaited<ReturnType<typeof startPolicyd>>;

interface Cost {
  perSecond: number;
  /** Milliseconds of processor time for each preview or message. */
  apiMs: number;
  policydMs: number;
}

/**
 * What a preview, and a message with its count, costs API and policy daemon in processor time: by HTTP and by frames,
 * in turns, with one API. A message asks for a preview only once in 2 s for its login.
 */
export async function frames(kind: DatabaseKind, report: Report): Promise<void> {
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: DOMAINS, mailboxesPerDomain: 1, counters: true });
  const address = `127.0.0.1:${await freePort()}`;
  const service = await startService(kind, empty, {
    OPERATOR_TOKENS: `policyd:policy:${TOKEN}`,
    POLICY_API_LISTEN: address,
  });
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  const ways = {
    http: await startPolicyd(service.url, TOKEN),
    frames: await startPolicyd(service.url, TOKEN, { POLICY_API: address }),
  };
  const login = () => `m1@seed-${1 + Math.floor(Math.random() * DOMAINS)}.example`;
  const kinds: Record<string, (policyd: Policyd, index: number) => Promise<Session>> = {
    preview: ({ port }, index) => policySession(port, ['RCPT'], login, index),
    message: ({ port, milterPort }, index) => mailSession({ policy: port, milter: milterPort }, login, index),
  };
  const costOf = (policyd: Policyd, sessions: number, open: (index: number) => Promise<Session>) =>
    measure({ api: service.child.pid ?? 0, policyd: policyd.child.pid ?? 0 }, sessions, open);
  for (const sessions of SESSIONS) {
    for (const [what, open] of Object.entries(kinds)) {
      const rounds: Record<keyof typeof ways, Cost[]> = { http: [], frames: [] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        for (const way of ['http', 'frames'] as const) {
          const cost = await costOf(ways[way], sessions, (index) => open(ways[way], index));
          // The first round warms up.
          if (round > 0) rounds[way].push(cost);
        }
      }
      compare(`a ${what}, ${sessions} in flight`, rounds, report);
    }
  }
  for (const policyd of Object.values(ways)) await policyd.stop();
  await service.stop();
}

async function measure(
  pids: { api: number; policyd: number },
  sessions: number,
  open: (index: number) => Promise<Session>,
): Promise<Cost> {
  const before = { api: processorMs(pids.api), policyd: processorMs(pids.policyd) };
  const { perSecond, failures } = await closedLoop(sessions, open);
  if (failures[0] !== undefined) throw new Error(failures[0]);
  const answered = perSecond * ROUND_SECONDS;
  return {
    perSecond,
    apiMs: (processorMs(pids.api) - before.api) / answered,
    policydMs: (processorMs(pids.policyd) - before.policyd) / answered,
  };
}

function compare(what: string, rounds: { http: Cost[]; frames: Cost[] }, report: Report): void {
  const both = (costs: Cost[]) => median(costs.map(({ apiMs, policydMs }) => apiMs + policydMs));
  const text = (costs: Cost[]) => {
    const [api, policyd] = [median(costs.map(({ apiMs }) => apiMs)), median(costs.map(({ policydMs }) => policydMs))];
    const perSecond = Math.round(median(costs.map((cost) => cost.perSecond)));
    return `${api.toFixed(3)} + ${policyd.toFixed(3)} ms, ${perSecond}/s`;
  };
  const ratio = both(rounds.frames) / both(rounds.http);
  report.note(
    `${what}: API + policy daemon`,
    `${ratio.toFixed(2)} of HTTP: ${text(rounds.frames)}; by HTTP ${text(rounds.http)}`,
    `≤ ${TARGET}`,
    ratio <= TARGET,
  );
}
