import { call, PASSWORD_HASH, type Served } from '../service.js';

/** The requests of one round. */
export const REQUESTS_A_ROUND = 15;

/**
 * One round of the mixed load: a domain is made, used and deleted, so that what remains is what the product keeps of
 * it.
 */
export async function runRound(api: Served, index: number): Promise<void> {
  const name = `soak-${index}.example`;
  const [anna, bert] = [`anna@${name}`, `bert@${name}`];
  await call(api, 'POST', '/domains/', { name });
  // Verifies it at once: the increment below is accepted.
  await call(api, 'GET', `/domains/${name}/relay-status`);
  for (const email of [anna, bert]) await call(api, 'POST', '/users/', { email, password_hash: PASSWORD_HASH });
  await call(api, 'POST', '/aliases/', { address: `info@${name}`, destination: anna });
  await Promise.all([
    call(api, 'GET', `/domains/${name}`),
    call(api, 'GET', `/users/${anna}`),
    call(api, 'GET', '/domains/?limit=50'),
    call(api, 'GET', '/audit?limit=20&order=desc'),
    call(api, 'GET', '/events?limit=20'),
    call(api, 'POST', '/outbound/looks', { items: [{ domain: name, sender: anna, recipient: 'a@elsewhere.example' }] }),
    call(api, 'POST', '/outbound/increments', { items: [{ domain: name, sender: anna, id: `soak:${index}` }] }),
  ]);
  await call(api, 'PUT', `/users/${bert}/quota`, { quota_mb: 10 + (index % 5) });
  await call(api, 'GET', `/domains/${name}/outbound`);
  await call(api, 'DELETE', `/domains/${name}`);
}
