import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '@mailstead/core/clock';
import { SCHEDULE_NAMES } from '@mailstead/core/jobs/schedules';
import { type MailPlatform, startMailPlatform } from '../testing/mail-platform.js';
import type { TestPlatform } from '../testing/platform.js';
import { filesOlder, preload } from '../testing/preload.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const EXPIRING = Array.from({ length: 12 }, (_, index) => `old-${String(index).padStart(2, '0')}.example`);
const MESSAGES = 1_200;
const LATER = 3 * DAY_MS;

describe('the daily purge, when its worker is killed in between', () => {
  let platform: TestPlatform;
  let mail: MailPlatform;

  beforeAll(async () => {
    mail = await startMailPlatform({ RETENTION_GRACE_HOURS: '0' });
    platform = mail.platform;
  });
  afterAll(() => mail.stop());

  /** Creates a domain with one mailbox and this number of messages. @returns the mailbox's folder. */
  async function stored(domain: string, retentionDays: number, messages: number): Promise<string> {
    await platform.api.call('POST', '/domains/', { name: domain });
    await platform.api.call('PUT', `/domains/${domain}/retention`, { retention_days: retentionDays });
    await platform.api.call('POST', '/users/', { email: `a@${domain}`, password_hash: HASH });
    const [row] = await platform.sql<{ home: string }>('SELECT home FROM mailbox WHERE email = ?', [`a@${domain}`]);
    const maildir = mail.maildirOf(row?.home ?? '');
    for (const part of ['cur', 'tmp']) await mkdir(join(maildir, part), { recursive: true });
    await writeFile(join(maildir, 'dovecot.index'), 'index');
    await writeFile(join(maildir, 'tmp', 'half'), 'half a message');
    for (let index = 0; index < messages; index += 1) await writeFile(join(maildir, 'cur', `${index}.m:2,S`), 'mail');
    return maildir;
  }

  const messagesIn = async (maildir: string) => (await readdir(join(maildir, 'cur'))).length;
  const newest = async () => {
    const rows = await platform.sql<{ name: string; outcome: string; attempts: number; resume_after: number }>(
      "SELECT name, outcome, attempts, resume_after FROM job_run WHERE period > '2021' ORDER BY name",
    );
    return new Map(rows.map((row) => [row.name, row]));
  };

  it('continues where it stopped, removes exactly the expired mail, and is one run', async () => {
    await platform.api.until(
      async () => (await platform.sql('SELECT name FROM job_run')).length === SCHEDULE_NAMES.length,
    );
    const [expiring, kept, suspended] = [
      await Promise.all(EXPIRING.map((name) => stored(name, 1, MESSAGES))),
      await stored('young.example', 30, 50),
      await stored('suspended.example', 1, 50),
    ];
    await platform.api.call('PUT', '/domains/suspended.example/suspend');
    const replaceWorkers = () =>
      Promise.all(([0, 1] as const).map((index) => platform.replaceWorker(index, preload(filesOlder(LATER)))));
    await Promise.all(platform.workers.map((worker) => worker.end('SIGKILL')));
    // As if no process had run since 2020: every schedule missed its newest period.
    await platform.sql("UPDATE job_run SET period = '2020-01-01T00', outcome = 'done'");
    await platform.replaceWorker(0, preload(filesOlder(LATER)));
    const [worker] = platform.workers;
    await worker.pauseWhen(
      'the first domains',
      async () => Number((await newest()).get('retention.purge')?.resume_after) > 0,
    );
    await worker.end('SIGKILL');
    expect((await newest()).get('retention.purge')).toMatchObject({ outcome: 'running', attempts: 1 });
    const left = await Promise.all(expiring.map(messagesIn));
    expect(left.at(-1)).toBeGreaterThan(0);

    // Expired mail that is added to a purged domain shows whether the purge starts from the beginning.
    const done = left.indexOf(0);
    await writeFile(join(expiring[done] ?? '', 'cur', 'another.m:2,S'), 'mail');
    await platform.sql('UPDATE job_run SET leased_until = 0 WHERE leased_until IS NOT NULL');
    await replaceWorkers();
    await platform.api.until(
      async () =>
        [...(await newest()).values()].filter(({ outcome }) => outcome === 'done').length === SCHEDULE_NAMES.length,
    );
    expect((await newest()).get('retention.purge')).toMatchObject({ outcome: 'done', attempts: 2 });
    const after = await Promise.all(expiring.map(messagesIn));
    expect(after).toEqual(EXPIRING.map((_, index) => (index === done ? 1 : 0)));
    for (const maildir of [kept, suspended]) expect(await messagesIn(maildir)).toBe(50);
    for (const maildir of expiring) expect((await readdir(maildir)).sort()).toEqual(['cur', 'dovecot.index', 'tmp']);
    expect(await readdir(join(expiring[0] ?? '', 'tmp'))).toEqual(['half']);
  });
});
