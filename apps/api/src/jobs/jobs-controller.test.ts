import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { HOUR_MS } from '@mailstead/core/clock';
import { Housekeeping } from '@mailstead/core/jobs/housekeeping';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { latestPeriod, SCHEDULES } from '@mailstead/core/jobs/schedules';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface JobBody {
  name: string;
  last_run: Record<string, unknown> | null;
  waiting: number | null;
  failed: { reason: string }[];
}

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  describe('the jobs', () => {
    const job = async (name: string) => {
      const jobs = (await api.as(MASTER).get('/jobs').expect(200)).body as JobBody[];
      return jobs.find((each) => each.name === name);
    };
    const audit = async () => {
      const rows = (await api.as(MASTER).get('/audit').expect(200)).body as { action: string }[];
      return rows.filter(({ action }) => action === 'job.run');
    };

    it('have the number that waits for each kind of job, none for schedules, for master and for read', async () => {
      const store = api.container.get(JobStore);
      for (const domainId of [1, 2]) await store.add('domain.verify', { domainId }, {}, api.clock.now());
      for (const token of [MASTER, READ]) {
        const jobs = (await api.as(token).get('/jobs').expect(200)).body as JobBody[];
        const waiting = Object.fromEntries(jobs.map((each) => [each.name, each.waiting]));
        expect(waiting).toMatchObject({ 'domain.verify': 2, 'schedule.run': 0, housekeeping: null });
      }
    });

    it('a requested run is in the audit log with its requester, and in the list of jobs with its outcome', async () => {
      expect((await job('outbound.reset-daily'))?.last_run).toBeNull();
      await api.as(MASTER).post('/jobs/outbound.reset-daily/run').set('X-Request-Id', 'asked-1').expect(202);
      expect(await audit()).toMatchObject([
        { actor_kind: 'master', subject: 'outbound.reset-daily', partner_ref: null, request_id: 'asked-1' },
      ]);
      const queued = api.jobs.jobs.at(-1);
      expect(queued).toMatchObject({ name: 'schedule.run', options: { requestId: 'asked-1' } });
      const table = api.container.get(JobTable);
      await table['schedule.run']({ name: 'outbound.reset-daily' }, { jobId: 17, requestId: 'asked-1', attempt: 1 });
      expect((await job('outbound.reset-daily'))?.last_run).toMatchObject({
        period: 'manual',
        outcome: 'done',
        reason: null,
        counts: { reset: 0 },
      });
    });

    it('a request to process failed relay events again is in the audit log', async () => {
      const before = (await audit()).length;
      await api.as(MASTER).post('/jobs/relay-events.process/run').expect(202);
      expect((await audit()).slice(before)).toMatchObject([{ subject: 'relay-events.process' }]);
    });

    it('a request for an unknown job, or by a token that may not, leaves neither a job nor an audit row', async () => {
      const [jobs, rows] = [api.jobs.jobs.length, (await audit()).length];
      await api.as(MASTER).post('/jobs/no.such.job/run').expect(404);
      await api.as(READ).post('/jobs/housekeeping/run').expect(403);
      expect(api.jobs.jobs).toHaveLength(jobs);
      expect(await audit()).toHaveLength(rows);
    });
  });

  describe('housekeeping', () => {
    it('corrects every wrong count of partners and domains in the runs of one day', async () => {
      await api.key('acme');
      for (const name of ['one.example', 'two.example']) {
        await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
      }
      await api.database.write('UPDATE domain SET mailbox_count = 3');
      await api.database.write("UPDATE partner SET domain_count = 5 WHERE ref = 'acme'");
      const corrected: (number | undefined)[] = [];
      for (let hour = 0; hour < 24; hour += 1) {
        const period = latestPeriod(SCHEDULES.housekeeping, api.clock.now());
        corrected.push((await api.container.get(Housekeeping).execute({ period })).counts_mended);
        api.clock.advance(HOUR_MS);
      }
      expect(corrected.reduce((sum = 0, count = 0) => sum + count, 0)).toBe(3);
      const { body } = await api.as(MASTER).get('/partners/acme').expect(200);
      expect(body).toMatchObject({ domains_used: 2, mailboxes: 0 });
    });
  });
});
