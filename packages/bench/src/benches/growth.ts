import { randomUUID } from 'node:crypto';
import { type Load, median, round } from '../load.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { type DatabaseKind, masterHeaders as master, PASSWORD_HASH, type Served, startService } from '../service.js';

const SMALL = 1_000;
const LARGE = 100_000;
const MAILBOXES_PER_DOMAIN = 10;
const PARTNERS = 1_000;
const CONNECTIONS = 16;
const ROUNDS = 5;
const TARGET = 1.2;

/**
 * Requests of a large installation against the same of a small one, in alternating rounds. Mailboxes are created with a
 * hash: hashing a password takes the same time in both, so it would hide what grows.
 */
export async function growth(kind: DatabaseKind, report: Report): Promise<void> {
  const small = await filled(kind, SMALL);
  const large = await filled(kind, LARGE);
  for (const [name, loadOf] of Object.entries(LOADS)) {
    const factors: number[] = [];
    for (let index = 0; index <= ROUNDS; index += 1) {
      const few = (await round(small, loadOf(SMALL), CONNECTIONS)).requestsPerSecond;
      const many = (await round(large, loadOf(LARGE), CONNECTIONS)).requestsPerSecond;
      if (index > 0) factors.push(few / many);
    }
    const factor = median(factors);
    report.note(
      `${name} at 100,000 domains, 1,000,000 mailboxes`,
      `× ${factor.toFixed(2)} of its cost at 1,000 and 10,000`,
      `≤ × ${TARGET}`,
      factor <= TARGET,
      { factor: Number(factor.toFixed(3)) },
    );
  }
  await small.stop();
  await large.stop();
}

async function filled(kind: DatabaseKind, domains: number): Promise<Served> {
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains, mailboxesPerDomain: MAILBOXES_PER_DOMAIN });
  return startService(kind, empty);
}

/** For a number of domains. The creation of domains comes last, because it makes the small installation larger. */
const LOADS: Record<string, (domains: number) => Load> = {
  'GET /domains/{name}': (domains) => ({
    method: 'GET',
    request: () => ({ path: `/domains/${anySeeded(domains)}`, headers: master }),
  }),
  'POST /users/ with a hash': (domains) =>
    post('/users/', () => ({ email: `${randomUUID()}@${anySeeded(domains)}`, password_hash: PASSWORD_HASH })),
  'POST /domains/': () =>
    post('/domains/', () => ({ name: `${randomUUID()}.example`, partner_ref: `partner-${upTo(PARTNERS)}` })),
};

function post(path: string, body: () => object): Load {
  return { method: 'POST', request: () => ({ path, headers: master, body: JSON.stringify(body()) }) };
}

function anySeeded(domains: number): string {
  return `seed-${upTo(domains)}.example`;
}

function upTo(most: number): number {
  return 1 + Math.floor(Math.random() * most);
}
