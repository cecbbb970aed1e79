import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEDULE_NAMES } from '@mailstead/core/jobs/schedules';
import { CHILD_MASTER } from '../testing/child-service.js';
import { type MailPlatform, startMailPlatform } from '../testing/mail-platform.js';
import type { TestPlatform } from '../testing/platform.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

describe('jobs and schedules of two workers', () => {
  let platform: TestPlatform;
  let mail: MailPlatform;

  beforeAll(async () => {
    mail = await startMailPlatform({ DELETED_MAIL_GRACE_DAYS: '0' });
    platform = mail.platform;
  });
  afterAll(() => mail.stop());

  const runs = () =>
    platform.sql<{ name: string; period: string; outcome: string; attempts: number }>(
      "SELECT name, period, outcome, attempts FROM job_run WHERE period > '2021' ORDER BY name",
    );

  it('run each due period once, although the database and Redis are killed and Redis loses its data', async () => {
    await platform.api.until(async () => (await runs()).length === SCHEDULE_NAMES.length);
    // As if no process had run since 2020: every schedule missed its newest period.
    await platform.sql("UPDATE job_run SET period = '2020-01-01T00', outcome = 'done'");
    await Promise.all([platform.services.mariadb.kill(), platform.services.redis.kill()]);
    const killedAt = Date.now();
    expect(await platform.api.readyAnew()).toBe(503);
    await Promise.all([platform.services.mariadb.start(), platform.services.redis.start()]);
    const lost = new Set<string>();
    await platform.api.until(async () => {
      // Lets the lease of a run that lost its database expire.
      const leased = 'leased_until > 0 AND started_at <= ?';
      for (const { name } of await platform.sql(`SELECT name FROM job_run WHERE ${leased}`, [killedAt])) lost.add(name);
      await platform.sql(`UPDATE job_run SET leased_until = 0 WHERE ${leased}`, [killedAt]);
      const done = (await runs()).filter(({ outcome }) => outcome === 'done');
      return done.length === SCHEDULE_NAMES.length;
    });
    const periods = (await runs()).map(({ name, period }) => `${name} ${period}`);
    expect(new Set(periods).size).toBe(SCHEDULE_NAMES.length);
    expect((await runs()).filter(({ name, attempts }) => attempts > (lost.has(name) ? 2 : 1))).toEqual([]);
    await platform.api.until(async () => (await platform.api.call('GET', '/health/ready')).status === 200);
    await platform.api.call('POST', '/domains/', { name: 'after.example' });
    await platform.api.until(
      async () => (await platform.api.call('GET', '/domains/after.example')).body.verification_status === 'verified',
    );
  });

  it('remove all mail of a deleted domain and no other mail, although the worker is killed in between', async () => {
    const mailboxOf = async (email: string, messages: number): Promise<string> => {
      await platform.api.call('POST', '/users/', { email, password_hash: HASH });
      const [row] = await platform.sql<{ home: string }>('SELECT home FROM mailbox WHERE email = ?', [email]);
      const folder = join(mail.maildirOf(row?.home ?? ''), 'cur');
      await mkdir(folder, { recursive: true });
      await Promise.all(
        Array.from({ length: messages }, (_, index) => writeFile(join(folder, `${index}.m:2,S`), 'mail')),
      );
      return folder;
    };
    await platform.api.call('POST', '/domains/', { name: 'gone.example' });
    await platform.api.call('POST', '/domains/', { name: 'stays.example' });
    const going = await Promise.all([1, 2, 3].map((index) => mailboxOf(`m${index}@gone.example`, 6_000)));
    const staying = await mailboxOf('m@stays.example', 500);
    const left = async () => (await Promise.all(going.map((each) => readdir(each).catch(() => [])))).flat().length;
    await platform.api.call('DELETE', '/domains/gone.example');
    const [worker, other] = platform.workers;
    await other.end('SIGKILL');
    await platform.api.call('POST', '/jobs/deleted-mail.remove/run');
    await worker.pauseWhen('the first removed messages', async () => (await left()) < 18_000);
    await worker.end('SIGKILL');
    expect(await left()).toBeGreaterThan(0);
    await platform.replaceWorker(0);
    await platform.replaceWorker(1);
    await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
    await platform.api.until(async () => (await left()) === 0);
    expect(await readdir(staying)).toHaveLength(500);
    const lastRun = async () => {
      const jobs = (await platform.api.call('GET', '/jobs')).body as unknown as { name: string; last_run: object }[];
      return jobs.find(({ name }) => name === 'deleted-mail.remove')?.last_run;
    };
    await platform.api.until(async () => JSON.stringify(await lastRun()).includes('"outcome":"done"'));
    expect(await lastRun()).toMatchObject({ period: 'manual', reason: null });
  });

  it('store their heartbeats, and one API publishes the shared state, also after that API is killed', async () => {
    const beating = () =>
      platform.sql<{ kind: string }>(
        'SELECT kind FROM process_heartbeat WHERE has_ended = 0 AND seen_at > UNIX_TIMESTAMP() * 1000 - 30000',
      );
    await platform.api.until(async () => (await beating()).filter(({ kind }) => kind === 'worker').length >= 2);
    const texts = () =>
      Promise.all(
        platform.apis.map(async ({ url }) => {
          const headers = { Authorization: `Bearer ${CHILD_MASTER}` };
          return (await fetch(`${url}/metrics`, { headers })).text();
        }),
      );
    const publishers = async () => (await texts()).map((text) => text.includes('\nmailstead_workers '));
    expect((await publishers()).filter((publishes) => publishes)).toHaveLength(1);
    const first = (await publishers()).indexOf(true) === 0 ? 0 : 1;
    await platform.replaceApi(first);
    expect((await publishers()).filter((publishes) => publishes)).toHaveLength(0);
    // As if the lease of the killed process had ended.
    await platform.sql("UPDATE installation SET value = 'ended 0' WHERE name = 'metrics_publisher'");
    expect((await publishers()).filter((publishes) => publishes)).toHaveLength(1);
    const [worker] = platform.workers;
    await worker.end('SIGTERM');
    expect(await platform.sql('SELECT 1 FROM process_heartbeat WHERE has_ended = 1')).toHaveLength(1);
  });
});
