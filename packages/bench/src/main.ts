import { createHmac, randomUUID } from 'node:crypto';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { createConnection } from 'mysql2/promise';
import { against, type Load, median, round } from './load.js';
import { seed } from './seed.js';
import { call, MASTER, residentMb, type Served, startFloor, startService, WEBHOOK_KEY, type World } from './service.js';

const CLIENT = 'client-token-of-the-benchmarks';
const JSON_TYPE = { 'content-type': 'application/json' };
const client = { authorization: `Bearer ${CLIENT}`, ...JSON_TYPE };
const master = { authorization: `Bearer ${MASTER}`, ...JSON_TYPE };

interface Row {
  what: string;
  measured: string;
  target: string;
  held: boolean;
}

const rows: Row[] = [];
const note = (what: string, measured: string, target: string, held: boolean) => {
  rows.push({ what, measured, target, held });
  console.log(`${held ? 'ok  ' : 'MISS'} ${what}: ${measured} (${target})`);
};

const benches: Record<string, (world: World) => Promise<void>> = {
  async start(world) {
    const times: number[] = [];
    let memory = 0;
    for (let index = 0; index < 3; index += 1) {
      const service = await startService(world);
      times.push(service.startedInMs);
      memory = residentMb(service);
      await service.stop();
    }
    note(
      `start, ${world}`,
      `${Math.round(median(times))} ms, ${Math.round(memory)} MB`,
      '≤ 1,500 ms, ≤ 150 MB',
      median(times) <= 1_500 && memory <= 150,
    );
  },

  async reads(world) {
    const service = await withClient(world);
    for (let index = 0; index < 20; index += 1)
      await call(service, 'POST', '/domains/', { name: `d${index}.example` }, CLIENT);
    for (const path of ['/domains/d7.example', '/domains/']) {
      const floor = await startFloor(await call(service, 'GET', path, undefined, CLIENT), null);
      const { ratio, ...measured } = await against(floor, service, {
        method: 'GET',
        request: () => ({ path, headers: client }),
      });
      note(
        `GET ${path === '/domains/' ? '/domains/ (20)' : '/domains/{name}'}, ${world}`,
        compared(measured, ratio),
        '≥ 0.70 of bare Express',
        ratio >= 0.7,
      );
      await floor.stop();
    }
    await service.stop();
  },

  async increments(world) {
    const service = await startService(world);
    await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
    const names = Array.from({ length: 500 }, (_, index) => `d${index}.example`);
    for (const name of names) await call(service, 'POST', '/domains/', { name });
    for (const name of names) await call(service, 'GET', `/domains/${name}/relay-status`);
    const path = (name: string) => `/domains/${name}/outbound/increment`;
    const floor = await startFloor(null, await call(service, 'POST', path('d7.example'), { count: 1 }));
    const any = () => names[Math.floor(Math.random() * names.length)] ?? '';
    const load = (name: () => string, body: () => object): Load => ({
      method: 'POST',
      request: () => ({ path: path(name()), headers: master, body: JSON.stringify(body()) }),
    });
    const target = world === 'mariadb' ? 0.75 : 0.6;
    const plain = () => ({ count: 1, bytes: 2_000 });
    const named = () => ({ count: 1, bytes: 2_000, id: randomUUID(), sender: 'a@d7.example' });
    for (const [what, least, each] of [
      ['one hot domain', target, load(() => 'd7.example', plain)],
      ['500 domains', target, load(any, plain)],
      ['with id and sender', 0.6, load(() => 'd7.example', named)],
    ] as const) {
      const { ratio, ...measured } = await against(floor, service, each);
      const slow = measured.service.p99Ms / measured.floor.p99Ms;
      note(
        `increment, ${what}, ${world}`,
        `${compared(measured, ratio)}; p99 × ${slow.toFixed(1)}`,
        `≥ ${least} of bare Express, p99 < × 3`,
        ratio >= least && slow < 3,
      );
    }
    const single = await round(
      service,
      load(() => 'd7.example', plain),
    );
    const items = () => JSON.stringify({ items: Array.from({ length: 200 }, () => ({ domain: any(), count: 1 })) });
    const bulk = await round(
      service,
      { method: 'POST', request: () => ({ path: '/outbound/increments', headers: master, body: items() }) },
      8,
    );
    const gain = (bulk.requestsPerSecond * 200) / single.requestsPerSecond;
    note(
      `bulk of 200, ${world}`,
      `${Math.round(bulk.requestsPerSecond * 200)} increments/s, × ${gain.toFixed(1)}`,
      '≥ × 5 of single ones',
      gain >= 5,
    );
    await floor.stop();
    await service.stop();
  },

  async webhook(world) {
    const service = await startService(world);
    const floor = await startFloor(null, { status: 'stored' });
    const request = () => {
      const id = randomUUID();
      const now = new Date();
      const body = JSON.stringify({
        notificationType: 'Bounce',
        mail: {
          timestamp: now.toISOString(),
          messageId: id,
          source: 'a@nobody.example',
          destination: ['b@example.net'],
        },
        bounce: {
          bounceType: 'Permanent',
          bounceSubType: 'General',
          bouncedRecipients: [{ emailAddress: 'b@example.net' }],
          timestamp: now.toISOString(),
          feedbackId: id,
        },
      });
      const timestamp = String(Math.floor(now.getTime() / 1_000));
      const signature = createHmac('sha256', Buffer.from(WEBHOOK_KEY, 'base64'))
        .update(`${id}.${timestamp}.${body}`)
        .digest('base64');
      return {
        path: '/webhooks/relay',
        body,
        headers: {
          ...JSON_TYPE,
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
      };
    };
    const { ratio, ...measured } = await against(floor, service, { method: 'POST', request });
    note(`webhook intake, ${world}`, compared(measured, ratio), '≥ 0.5 of bare Express', ratio >= 0.5);
    await floor.stop();
    await service.stop();
  },

  async list(world) {
    if (world === 'sqlite') return;
    const empty = await startService(world);
    await empty.stop();
    await seed(empty.databaseUrl ?? '', { domains: 100_000, mailboxesPerDomain: 0 });
    const service = await startService(world, empty);
    await streamed(service);
    const before = residentMb(service);
    const { firstByteMs, wholeMs, peakMb } = await streamed(service);
    const floorMs = await bareLoop(empty.databaseUrl ?? '');
    const growth = peakMb - before;
    note(
      'GET /domains/, 100,000 rows',
      `${Math.round(wholeMs)} ms, × ${(wholeMs / floorMs).toFixed(1)} of a bare loop`,
      '≤ × 2',
      wholeMs / floorMs <= 2,
    );
    note(
      'its first byte',
      `${((firstByteMs / wholeMs) * 100).toFixed(1)} %`,
      '≤ 5 % of the whole time',
      firstByteMs / wholeMs <= 0.05,
    );
    note('its memory', `${Math.round(growth)} MB`, '< 30 MB', growth < 30);
    await service.stop();
  },

  async growth(world) {
    if (world === 'sqlite') return;
    const costs: Record<string, number>[] = [];
    for (const domains of [1_000, 100_000]) {
      const empty = await startService(world);
      await empty.stop();
      await seed(empty.databaseUrl ?? '', { domains, mailboxesPerDomain: 10 });
      const service = await startService(world, empty);
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
      note(
        `${name} at 100,000 domains, 1,000,000 mailboxes`,
        `× ${factor.toFixed(2)} of its cost at 1,000`,
        '≤ × 1.2',
        factor <= 1.2,
      );
    }
  },
};

async function withClient(world: World): Promise<Served> {
  const service = await startService(world);
  await call(service, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'bench', mailboxes_per_domain: 0 });
  return service;
}

function compared(
  { floor, service }: { floor: { requestsPerSecond: number }; service: { requestsPerSecond: number } },
  ratio: number,
): string {
  return `${Math.round(service.requestsPerSecond)}/s of ${Math.round(floor.requestsPerSecond)}/s = ${ratio.toFixed(2)}`;
}

/** Reads the whole list, and watches the memory of the service meanwhile. */
async function streamed(service: Served): Promise<{ firstByteMs: number; wholeMs: number; peakMb: number }> {
  const started = performance.now();
  const response = await fetch(`${service.url}/domains/`, { headers: master });
  let firstByteMs = 0;
  let peakMb = 0;
  for await (const chunk of response.body ?? []) {
    if (firstByteMs === 0 && (chunk as Uint8Array).length > 0) firstByteMs = performance.now() - started;
    peakMb = Math.max(peakMb, residentMb(service));
  }
  return { firstByteMs, wholeMs: performance.now() - started, peakMb };
}

/** The same rows by the bare driver, written as the same JSON. */
async function bareLoop(url: string): Promise<number> {
  const started = performance.now();
  const connection = await createConnection(url);
  let bytes = 0;
  for (let after = 0; ; ) {
    const [page] = await connection.query(
      'SELECT id, name, created_at FROM domain WHERE id > ? ORDER BY id LIMIT 1000',
      [after],
    );
    const list = page as { id: number; name: string; created_at: number }[];
    bytes += JSON.stringify(
      list.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString().slice(0, -1) })),
    ).length;
    const last = list.at(-1);
    if (last === undefined || list.length < 1_000) break;
    after = last.id;
  }
  await connection.end();
  if (bytes === 0) throw new Error('There was nothing to read');
  return performance.now() - started;
}

const chosen = process.argv.slice(2);
console.log(
  `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism()} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}, ${new Date().toISOString().slice(0, 10)}`,
);
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  for (const world of ['mariadb', 'sqlite'] as const) await bench(world);
}
console.log(
  `\n| what | measured | target | held |\n| --- | --- | --- | --- |\n${rows.map(({ what, measured, target, held }) => `| ${what} | ${measured} | ${target} | ${held ? 'yes' : '**no**'} |`).join('\n')}`,
);
