import { createClient } from '@mailstead/client';
import { PASSWORD_HASH } from '../../service.js';
import { MASTER, type WholeCluster } from './whole-cluster.js';

const CALLERS = 16;
const DOMAINS = 8;
const ROUND_MS = 8_000;

/** Acknowledged requests a second of a closed loop with 16 callers, which share the machine with the cluster. */
export interface Rates {
  apis: number;
  incrementsASecond: number;
  creationsASecond: number;
}

/** Measures with one API of the cluster, and with all. */
export async function measureRates(cluster: WholeCluster): Promise<Rates[]> {
  const names = Array.from({ length: DOMAINS }, (_, index) => `rate-${index}.example`);
  const client = createClient({ url: cluster.addresses(0), token: MASTER });
  const tier = { params: { path: { tier: 'basic' } }, body: { daily_limit: 0, monthly_limit: 0 } };
  await client.PUT('/outbound/tiers/{tier}', tier);
  for (const [index, name] of names.entries()) {
    const body = { token: `key-of-rate-${index}-0123456789`, partner_ref: `rate-${index}`, mailboxes_per_domain: 0 };
    await client.POST('/api-keys/', { body });
    await createClient({ url: cluster.addresses(0), token: body.token }).POST('/domains/', { body: { name } });
    await client.GET('/domains/{domain_name}/relay-status', { params: { path: { domain_name: name } } });
  }
  const rates: Rates[] = [];
  for (const apis of [1, cluster.apis.length]) {
    const incrementsASecond = await rateOf(cluster, apis, (caller, index, api) =>
      api.POST('/domains/{domain_name}/outbound/increment', {
        params: { path: { domain_name: names[caller % DOMAINS] ?? '' } },
        body: { id: `${apis}-${caller}-${index}` },
      }),
    );
    const creationsASecond = await rateOf(cluster, apis, (caller, index, api) =>
      api.POST('/users/', {
        body: { email: `m-${apis}-${caller}-${index}@${names[caller % DOMAINS]}`, password_hash: PASSWORD_HASH },
      }),
    );
    rates.push({ apis, incrementsASecond, creationsASecond });
  }
  return rates;
}

async function rateOf(
  cluster: WholeCluster,
  apis: number,
  send: (caller: number, index: number, api: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let answered = 0;
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const api = createClient({ url: cluster.addresses(caller, apis), token: MASTER });
    for (let index = 0; performance.now() < end; index += 1) {
      await send(caller, index, api);
      answered += 1;
    }
  });
  await Promise.all(callers);
  return Math.round(answered / (ROUND_MS / 1_000));
}
