import { seed } from './seed.js';
import { call, type DatabaseKind, PASSWORD_HASH, type Served, startService } from './service.js';

const DOMAINS: Record<DatabaseKind, number> = { mariadb: 100_000, sqlite: 500 };

export interface Sending {
  service: Served;
  names: string[];
}

/**
 * Starts a service with verified domains without limits, each with one mailbox (`senderOf`). On MariaDB they have sent
 * before.
 */
export async function startSending(kind: DatabaseKind): Promise<Sending> {
  const { service, names } = await (kind === 'mariadb' ? seeded() : created());
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  return { service, names };
}

export function senderOf(domain: string): string {
  return `m1@${domain}`;
}

export function anyOf(names: readonly string[]): string {
  return names[Math.floor(Math.random() * names.length)] ?? '';
}

async function seeded(): Promise<Sending> {
  const empty = await startService('mariadb');
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: DOMAINS.mariadb, mailboxesPerDomain: 1, counters: true });
  const names = Array.from({ length: DOMAINS.mariadb }, (_, index) => `seed-${index + 1}.example`);
  return { service: await startService('mariadb', empty), names };
}

async function created(): Promise<Sending> {
  const service = await startService('sqlite');
  const names = Array.from({ length: DOMAINS.sqlite }, (_, index) => `d${index}.example`);
  for (const name of names) {
    await call(service, 'POST', '/domains/', { name });
    await call(service, 'POST', '/users/', { email: senderOf(name), password_hash: PASSWORD_HASH });
  }
  for (const name of names) await call(service, 'GET', `/domains/${name}/relay-status`);
  return { service, names };
}
