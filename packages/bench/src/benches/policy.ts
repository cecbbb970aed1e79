import { median } from '../load.js';
import { policyRound } from '../policy-load.js';
import { messageRound } from '../policy-messages.js';
import { startPolicyPeers } from '../policy-peers.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, residentMb, startPolicyd, startService } from '../service.js';

const ROUNDS = 3;
const TARGETS = { 8: 1.5, 64: 5 } as const;

/**
 * Policy requests and messages through the policy daemon, the API and MariaDB, compared with Debian's policy daemons that
 * count.
 */
export async function policy(kind: DatabaseKind, report: Report): Promise<void> {
  if (kind === 'sqlite') return;
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
  const login = () => `m1@seed-${1 + Math.floor(Math.random() * 100)}.example`;
  for (const connections of [8, 64] as const) {
    const rates = new Map<string, number[]>();
    for (let round = 0; round <= ROUNDS; round += 1) {
      const note = async (name: string, measuring: Promise<number>) => {
        const rate = await measuring.catch(() => 0);
        if (round > 0) rates.set(name, [...(rates.get(name) ?? []), rate]);
      };
      await note('previews', policyRound(policyd.port, 'RCPT', connections, login));
      await note('messages', messageRound(policyd.milterPort, connections, login));
      for (const { name, port, stage } of peers) await note(name, policyRound(port, stage, connections, login));
    }
    const rateOf = (name: string) => median(rates.get(name) ?? []);
    const beside = peers.map(({ name }) => `${name} ${Math.round(rateOf(name))}/s`).join(', ');
    for (const [what, name] of [
      ['policy previews at RCPT', 'previews'],
      ['messages checked and counted by the milter', 'messages'],
    ] as const) {
      const factor = rateOf(name) / rateOf('postfwd1');
      report.note(
        `${what}, ${connections} connections`,
        `${Math.round(rateOf(name))}/s; ${beside === '' ? 'no peer is installed' : beside}: × ${factor.toFixed(1)} of postfwd1`,
        `≥ × ${TARGETS[connections]} of postfwd1`,
        factor >= TARGETS[connections],
      );
    }
  }
  for (const peer of peers) await peer.stop();
  await policyd.stop();
  await service.stop();
}
