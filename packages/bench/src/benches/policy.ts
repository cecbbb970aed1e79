import { closedLoop, type Rate } from '../closed-loop.js';
import { median } from '../load.js';
import { mailSession, type PolicyStage, policySession } from '../mail-sessions.js';
import { type PolicyPeer, startPolicyPeers } from '../policy-peers.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, residentMb, startPolicyd, startService } from '../service.js';

const ROUNDS = 3;
const TARGETS = { 8: 1.5, 64: 5 } as const;

/** A program and what it is asked about each message. */
interface Contender {
  name: string;
  asked: string;
  round: (sessions: number) => Promise<Rate>;
}

/** Programs that do the same about a message. The first one is ours. */
interface Contest {
  what: string;
  ours: Contender;
  peers: Contender[];
}

/**
 * Looks and whole messages through the policy daemon, the API and MariaDB, compared with Debian's policy daemons that
 * count.
 */
export async function policy(kind: DatabaseKind, report: Report): Promise<void> {
  const token = 'policy-token-of-the-benchmarks-0123456789';
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: 1_000, mailboxesPerDomain: 1, counters: true });
  const service = await startService(kind, empty, { OPERATOR_TOKENS: `policyd:policy:${token}` });
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  const policyd = await startPolicyd(service.url, token);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const idleMb = residentMb(policyd);
  report.note('policy daemon, idle', `${Math.round(idleMb)} MB`, '< 80 MB', idleMb < 80);
  const peers = await startPolicyPeers();
  const contests = contestsOf({ policy: policyd.port, milter: policyd.milterPort }, peers);
  try {
    for (const sessions of [8, 64] as const) {
      for (const contest of contests) await hold(contest, sessions, report);
    }
  } finally {
    for (const peer of peers) await peer.stop();
  }
  await policyd.stop();
  await service.stop();
}

function contestsOf(ours: { policy: number; milter: number }, peers: PolicyPeer[]): Contest[] {
  const login = () => `m1@seed-${1 + Math.floor(Math.random() * 100)}.example`;
  const policyRound = (port: number, stages: readonly PolicyStage[]) => (sessions: number) =>
    closedLoop(sessions, (index) => policySession(port, stages, login, index));
  const at = ({ name, port, countsAt }: PolicyPeer, stages: readonly PolicyStage[]): Contender => ({
    name,
    asked: stages.map((stage) => (stage === countsAt ? `${stage}, counts` : stage)).join(' and '),
    round: policyRound(port, stages),
  });
  return [
    {
      what: 'looks at RCPT',
      ours: { name: 'ours', asked: 'RCPT', round: policyRound(ours.policy, ['RCPT']) },
      peers: peers.map((peer) => at(peer, ['RCPT'])),
    },
    {
      what: 'whole messages',
      ours: {
        name: 'ours',
        asked: 'RCPT and milter, counts',
        round: (sessions) => closedLoop(sessions, (index) => mailSession(ours, login, index)),
      },
      // A message also costs a peer one request only, when Postfix asks it at the stage at which it counts and at no
      // other.
      peers: peers.flatMap((peer) => [at(peer, ['RCPT', 'END-OF-MESSAGE']), at(peer, [peer.countsAt])]),
    },
  ];
}

/** Runs alternating rounds, after one of each to warm up. */
async function hold({ what, ours, peers }: Contest, sessions: 8 | 64, report: Report): Promise<void> {
  const contenders = [ours, ...peers];
  const rates = new Map<Contender, Rate[]>(contenders.map((each) => [each, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const contender of contenders) {
      const rate = await contender.round(sessions);
      if (round > 0) rates.get(contender)?.push(rate);
    }
  }
  const rateOf = (contender: Contender) => median((rates.get(contender) ?? []).map(({ perSecond }) => perSecond));
  const failuresOf = (contender: Contender) => (rates.get(contender) ?? []).flatMap(({ failures }) => failures);
  const texts = contenders.map((contender) => {
    const { name, asked } = contender;
    const factor = contender === ours ? '' : `, ours × ${(rateOf(ours) / rateOf(contender)).toFixed(1)}`;
    return `${name} ${Math.round(rateOf(contender))}/s (${asked}${factor}${failureText(failuresOf(contender), sessions)})`;
  });
  const first = peers.find(({ name }) => name === 'postfwd1');
  const factor = first === undefined ? Number.NaN : rateOf(ours) / rateOf(first);
  report.note(
    `${what}, ${sessions} sessions`,
    `${texts.join('; ')}${first === undefined ? '; postfwd1 is not installed' : ''}`,
    `≥ × ${TARGETS[sessions]} of postfwd1${first === undefined ? '' : ` (${first.asked})`}; no session fails`,
    Number.isFinite(factor) && factor >= TARGETS[sessions] && failuresOf(ours).length === 0,
  );
}

function failureText(failures: string[], sessions: number): string {
  if (failures.length === 0) return '';
  return `; ${failures.length} of ${sessions * ROUNDS} sessions failed, as: ${failures[0]}`;
}
