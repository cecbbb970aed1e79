import { SECOND_MS } from '@mailstead/core/clock';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';

const FACTOR = 5;
/** What `docs/operations.md` promises, with the factor. */
const ALL_SERVED_MS = 10 * SECOND_MS * FACTOR;
const ANOTHER_CHANGE_MS = 15 * SECOND_MS * FACTOR;
const CALLERS = 12;

it('a firewall that forgets all connections to MariaDB delays API and worker, and nothing acknowledged is lost or doubled', async () => {
  const services = await startServices({ mariadb: true, redis: true });
  const front = await TcpBalancer.start([Number(new URL(services.mariadbUrl).port)], 'backup');
  const children: ChildService[] = [];
  try {
    const environment = {
      DATABASE_URL: front.urlOf(services.mariadbUrl),
      REDIS_URL: services.redisUrl,
      SANDBOX_VERIFY_AFTER: '1',
      DEADLINE_FACTOR: String(FACTOR),
    };
    const api = await ChildService.start(environment);
    children.push(api);
    await api.call('POST', '/api-keys/', { token: 'key-of-acme-0123456789-0123456789', partner_ref: 'acme' });
    const worker = await ChildService.spawn('worker', environment);
    children.push(worker);
    await worker.until(async () => worker.output.includes('working'));

    const load = { isOn: true };
    let hushedAt = 0;
    /** Since the connections fell silent, in milliseconds. */
    let lastFault = 0;
    const codes = new Set<unknown>();
    const names: string[] = [];
    const note = ({ status, body: { code } }: Answer): boolean => {
      if (status < 400) return true;
      codes.add(code);
      // The key of a request that could not be freed is so for a minute.
      if (code !== 'idempotency_in_progress') lastFault = performance.now() - hushedAt;
      return false;
    };
    /** Creates domains one after the other, each until it is acknowledged, as a client with keys does. */
    const caller = async (number: number) => {
      for (let index = 0; load.isOn; index += 1) {
        const name = `c${number}-${index}.example`;
        names.push(name);
        while (!note(await create(api, name)));
        note(await api.call('GET', `/domains/${name}`));
      }
    };
    const callers = Array.from({ length: CALLERS }, (_, number) => caller(number));
    const roundsOf = async (most: number) => api.until(async () => names.length > most);
    for (let round = 1; round <= 3; round += 1) {
      await roundsOf(names.length + 5 * CALLERS);
      hushedAt = performance.now();
      front.hush();
      // All changes are of one partner, whose row is locked by those that the silence interrupts.
      const name = `after-${round}.example`;
      names.push(name);
      while (!note(await create(api, name)));
      expect(performance.now() - hushedAt).toBeLessThan(ANOTHER_CHANGE_MS);
      await roundsOf(names.length + 5 * CALLERS);
      expect(lastFault).toBeLessThan(ALL_SERVED_MS);
      lastFault = 0;
    }
    load.isOn = false;
    await Promise.all(callers);
    const honest = ['database_unavailable', 'busy', 'idempotency_in_progress'];
    expect([...codes].filter((code) => !honest.includes(String(code)))).toEqual([]);
    // The worker does its jobs too.
    const last = names.at(-1) ?? '';
    await api.until(async () => (await api.call('GET', `/domains/${last}`)).body.verification_status === 'verified');
    // No other domain, such as a second one of the same name, is counted.
    const connection = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
    const [rows] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS stored FROM domain');
    await connection.end();
    expect(Number(rows[0]?.stored)).toBe(names.length);
  } finally {
    for (const child of children) await child.end('SIGKILL');
    await front.stop();
    await services.stop();
  }
});

type Answer = Awaited<ReturnType<ChildService['call']>>;

/** With one key for a name, so that a repetition of what was done is answered as the first time. */
async function create(api: ChildService, name: string): Promise<Answer> {
  const response = await fetch(`${api.url}/domains/`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${CHILD_MASTER}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': name,
    },
    body: JSON.stringify({ name, partner_ref: 'acme' }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
