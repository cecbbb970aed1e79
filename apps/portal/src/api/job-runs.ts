import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies } from './shapes.js';

// Apart from what Home reads of the jobs.

export const runNow = (name: string) => change({ run: () => runJob(name, {}), touches: [keys.jobs] });

/** Lets the purge apply the lowered retentions that it holds now. */
export const releaseBrake = change({
  run: () => runJob('retention.purge', { release_brake: true }),
  touches: [keys.jobs, keys.health],
});

/** Lets what domains lack in the DNS, which is held now, be told. */
export const releaseLooks = change({
  run: () => runJob('dns.look', { release_brake: true }),
  touches: [keys.jobs, keys.health],
});

async function runJob(name: string, body: Bodies['RunJobBody']): Promise<void> {
  await api.POST('/jobs/{name}/run', { params: { path: { name } }, body });
}
