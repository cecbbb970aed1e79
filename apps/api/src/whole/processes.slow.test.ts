import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_KINDS } from '@mailstead/adapters/database/testing/database-fixture';
import { freePort } from '../../../../scripts/free-port.mjs';
import { CHILD_MASTER, ChildService } from '../testing/child-service.js';
import { ChildServices, namesOf } from '../testing/child-services.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

const services = new ChildServices();
afterEach(() => services.end());

/** Sends requests until the process is killed. @returns the indexes of the acknowledged requests. */
async function callUntilKilled(
  service: ChildService,
  calls: number,
  call: (index: number) => Promise<{ status: number }>,
  killAfter: number,
): Promise<number[]> {
  const acknowledged: number[] = [];
  let next = 0;
  const caller = async () => {
    while (next < calls) {
      const index = next;
      next += 1;
      const answer = await call(index).catch(() => null);
      if (answer === null) return;
      if (answer.status < 300) acknowledged.push(index);
      if (acknowledged.length === killAfter) service.process.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  await service.exit();
  return acknowledged;
}

describe('processes that are killed, compete for something or cannot start', () => {
  it('prints an unusable data folder, an unreachable database or a port in use, and exits with 1', async () => {
    const environment = await services.environment('sqlite');
    const file = join(environment.DATA_DIR ?? '', 'file');
    await writeFile(file, '');
    const wrong = await ChildService.spawn('api', { DATA_DIR: join(file, 'data') });
    expect(await wrong.exit()).toBe(1);
    expect(wrong.output).toContain('DATA_DIR');
    const away = await ChildService.spawn('api', { DATABASE_URL: `mysql://u:p@127.0.0.1:${await freePort()}/x` });
    expect(await away.exit()).toBe(1);
    expect(away.output).toContain('The database cannot be opened');
    const first = await services.start(environment);
    const second = await ChildService.spawn('api', {
      ...(await services.environment('sqlite')),
      PORT: new URL(first.url).port,
    });
    expect(await second.exit()).toBe(1);
    expect(second.output).toContain('cannot listen');
  });

  it('is the only process on its embedded database, also after a kill', async () => {
    const environment = await services.environment('sqlite');
    const first = await services.start(environment);
    const second = await ChildService.spawn('api', environment);
    expect(await second.exit()).toBe(1);
    expect(second.output).toContain('Another process');
    await first.end('SIGKILL');
    expect((await (await services.start(environment)).call('GET', '/domains/')).status).toBe(200);
  });

  it('starts at the same time as others on one empty database', async () => {
    const environment = await services.environment('mariadb');
    const processes = await Promise.all([
      services.start(environment),
      services.start(environment),
      services.start(environment),
    ]);
    for (const service of processes) expect((await service.call('GET', '/domains/')).status).toBe(200);
  });

  it.each(DATABASE_KINDS)('has no metric for written database nodes without Galera, on %s', async (kind) => {
    const service = await services.start(await services.environment(kind));
    const ready = await service.call('GET', '/health/ready');
    expect(ready.status).toBe(200);
    expect(JSON.stringify(ready.body)).not.toContain('several_database_writers');
    const metrics = await fetch(`${service.url}/metrics`, { headers: { Authorization: `Bearer ${CHILD_MASTER}` } });
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).not.toContain('mailstead_database_writer_nodes');
  });

  it('serves for DRAIN_SECONDS after SIGTERM without being ready, then exits with 0, also after a second signal', async () => {
    const service = await services.start({ ...(await services.environment('sqlite')), DRAIN_SECONDS: '3' });
    service.process.kill('SIGTERM');
    await service.said('stopping');
    const stopped = Date.now();
    const [ready, domains] = await Promise.all([
      fetch(`${service.url}/health/ready`),
      service.call('GET', '/domains/'),
    ]);
    service.process.kill('SIGTERM');
    expect([ready.status, ready.headers.get('connection'), domains.status]).toEqual([503, 'close', 200]);
    expect(await service.exit()).toBe(0);
    expect(Date.now() - stopped).toBeGreaterThan(2_500);
  });

  it.each(DATABASE_KINDS)(
    'keeps everything that it acknowledged when it is killed during creations, on %s',
    async (kind) => {
      const environment = await services.environment(kind);
      const service = await services.start(environment);
      await service.call('POST', '/domains/', { name: 'home.example', partner_ref: null });
      const domains = await callUntilKilled(
        service,
        400,
        (index) =>
          index % 2 === 0
            ? service.call('POST', '/domains/', { name: `kill-${index}.example` })
            : service.call('POST', '/users/', { email: `u${index}@home.example`, password_hash: HASH }),
        60,
      );
      expect(domains.length).toBeGreaterThanOrEqual(60);
      const again = await services.start(environment);
      const names = new Set(await namesOf(again));
      const mailboxes = (await again.call('GET', '/users/?domain=home.example')).body as unknown as { email: string }[];
      const emails = new Set(mailboxes.map(({ email }) => email));
      const lost = domains.filter((index) =>
        index % 2 === 0 ? !names.has(`kill-${index}.example`) : !emails.has(`u${index}@home.example`),
      );
      expect(lost).toEqual([]);
      expect((await again.call('GET', '/domains/home.example')).body.mailboxes).toBe(emails.size);
    },
  );

  it('creates exactly as many domains as the quota allows with two processes', async () => {
    const environment = await services.environment('mariadb');
    const processes = [await services.start(environment), await services.start(environment)];
    const token = 'a-client-token-of-two-processes';
    await processes[0]?.call('POST', '/api-keys/', { token, partner_ref: 'acme', domains_allowed: 7 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        processes[index % 2]?.call('POST', '/domains/', { name: `two-${index}.example` }, token),
      ),
    );
    expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(7);
    expect(answers.filter((answer) => answer?.status === 403)).toHaveLength(53);
  });

  it.each(DATABASE_KINDS)('counts every acknowledged increment once although it is killed, on %s', async (kind) => {
    const environment = { ...(await services.environment(kind)), SANDBOX_VERIFY_AFTER: '0' };
    const service = await services.start(environment);
    await service.call('PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
    await service.call('POST', '/domains/', { name: 'count.example' });
    const increment = (to: ChildService, index: number) =>
      to.call('POST', '/domains/count.example/outbound/increment', { id: `m${index}` });
    await service.until(
      async () => (await service.call('GET', '/domains/count.example/relay-status')).body.verified === true,
    );
    const total = 600;
    const acknowledged = await callUntilKilled(service, total, (index) => increment(service, index), 200);
    const again = await services.start(environment);
    const counted = async () => Number((await again.call('GET', '/domains/count.example/outbound')).body.sent_today);
    expect(await counted()).toBeGreaterThanOrEqual(acknowledged.length);
    // Requests without a response are sent again with the same id.
    await Promise.all(Array.from({ length: total }, (_, index) => increment(again, index)));
    expect(await counted()).toBe(total);
  });
});
