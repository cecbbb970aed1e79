import { randomUUID } from 'node:crypto';
import { type Load, median, round } from '../load.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { type DatabaseKind, masterHeaders as master, startService } from '../service.js';

export async function growth(kind: DatabaseKind, report: Report): Promise<void> {
  if (kind === 'sqlite') return;
  const costs: Record<string, number>[] = [];
  for (const domains of [1_000, 100_000]) {
    const empty = await startService(kind);
    await empty.stop();
    await seed(empty.databaseUrl ?? '', { domains, mailboxesPerDomain: 10 });
    const service = await startService(kind, empty);
    let next = 0;
    const fresh = () => `${(next += 1)}-${randomUUID().slice(0, 8)}`;
    const random = () => `seed-${1 + Math.floor(Math.random() * domains)}.example`;
    const post = (path: string, body: () => object): Load => ({
      method: 'POST',
      request: () => ({ path, headers: master, body: JSON.stringify(body()) }),
    });
    const loads: Record<string, Load> = {
      'GET /domains/{name}': { method: 'GET', request: () => ({ path: `/domains/${random()}`, headers: master }) },
      'POST /domains/': post('/domains/', () => ({ name: `n${fresh()}.example` })),
      'POST /users/': post('/users/', () => ({ email: `u${fresh()}@${random()}`, password: 'correct horse' })),
    };
    const cost: Record<string, number> = {};
    for (const [name, load] of Object.entries(loads)) {
      await round(service, load, 16);
      cost[name] =
        1 /
        median(
          [await round(service, load, 16), await round(service, load, 16), await round(service, load, 16)].map(
            (each) => each.requestsPerSecond,
          ),
        );
    }
    costs.push(cost);
    await service.stop();
  }
  for (const [name, small] of Object.entries(costs[0] ?? {})) {
    const factor = (costs[1]?.[name] ?? Number.NaN) / small;
    report.note(
      `${name} at 100,000 domains, 1,000,000 mailboxes`,
      `× ${factor.toFixed(2)} of its cost at 1,000`,
      '≤ × 1.2',
      factor <= 1.2,
    );
  }
}
