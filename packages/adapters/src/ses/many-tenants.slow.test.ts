import { SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { CountOutbound } from '@mailstead/core/outbound/count-outbound';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { ReadAccount } from '@mailstead/core/relay/read-account';
import { anIncrement } from '@mailstead/core/testing/outbound-world';
import { onEachDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { JobRunner } from '../jobs/job-runner.js';
import { ScheduleTable } from '../jobs/schedule-table.js';
import { openSesContainer, type SesContainer } from './testing/ses-container.js';

const RUN = { period: { key: '2026-03-15T05', dueAt: new Date() }, cursor: 0, save: async () => undefined };
/** The embedded database has one writer, so that the larger number costs least there. */
const PARTNERS = { sqlite: 1_000, mariadb: 100 };
const FIRST_ID = 11;
/** The provider allows one call a second; the alignment uses a tenth of that. */
const SECONDS_A_CALL = 10;
/** A tenant, its policy and its set; the identity, its set and its tenant. */
const CALLS_A_PARTNER = 6;
/** The calls of one run, which are made before its wait. */
const CALLS_A_RUN = 4;

onEachDatabase((kind) => {
  let database: ReusedDatabase;
  let ses: SesContainer;

  beforeAll(async () => {
    database = await openReusedDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    ses = await openSesContainer(await database.asNew(), 'standard');
  });
  afterEach(() => ses.close());

  const recheck = () => ses.container.get(ScheduleTable)['verification.recheck'](RUN);
  const runJobs = async (container = ses.container) => {
    await container.get(JobRunner).startDue('verification');
    await container.get(JobRunner).idle();
  };
  /** Sets the clock to the time of the next run of the alignment. */
  const toNextRun = async () => {
    const [row] = await ses.opened.database.read("SELECT run_at FROM job WHERE name = 'identities.align'");
    const runAt = Number(row?.run_at);
    if (runAt > ses.clock.now().getTime()) ses.clock.set(new Date(runAt));
  };
  const tenantOf = async (id: number) => {
    const answer = await ses.container
      .get(CountOutbound)
      .execute(anIncrement({ name: `d${id}.example` as DomainName }));
    return 'relay' in answer ? answer.relay?.tenant : undefined;
  };

  it(`${PARTNERS[kind]} existing partners get theirs at a tenth of the rate and no slower, also when a name is taken`, async () => {
    const partners = PARTNERS[kind];
    for (let id = FIRST_ID; id < FIRST_ID + partners; id += 1) await ses.verifiedDomain(`d${id}.example`, id);
    const { tenants } = ses.emulator;
    tenants.put('ms-inst-1-13', { 'mailstead-installation': 'inst-2' });
    await ses.container.get(CheckAccount).execute();
    await recheck();
    const before = ses.emulator.requests.length;
    const began = ses.clock.now().getTime();
    const associated = () => [...tenants.tenants.values()].filter(({ resources }) => resources.size === 2).length;
    const secondsSince = () => (ses.clock.now().getTime() - began) / SECOND_MS;
    while (associated() < partners - 1) {
      await toNextRun();
      await runJobs();
      const calls = ses.emulator.requests.length - before;
      // Never faster than a tenth, and never slower.
      expect(calls).toBeLessThanOrEqual(secondsSince() / SECONDS_A_CALL + CALLS_A_RUN);
      expect(calls).toBeGreaterThanOrEqual(secondsSince() / SECONDS_A_CALL);
    }
    expect(secondsSince()).toBeLessThanOrEqual(partners * CALLS_A_PARTNER * SECONDS_A_CALL);
    expect(tenants.tenants.size).toBe(partners);
    await runJobs();
    expect([await tenantOf(12), await tenantOf(13)]).toEqual(['ms-inst-1-12', null]);
    expect(tenants.tenants.get('ms-inst-1-13')?.resources.size).toBe(0);
    const warnings = await ses.container.get(ReadAccount).warnings();
    expect(warnings.map(({ name }) => name)).toContain('relay_tenants');
  });

  it('two processes with one queue make each tenant once', async () => {
    for (let id = 11; id < 15; id += 1) await ses.verifiedDomain(`d${id}.example`, id);
    await recheck();
    const other = ses.another();
    for (let step = 0; step < 60; step += 1) {
      await Promise.all([runJobs(), runJobs(other)]);
      ses.clock.advance(10 * SECOND_MS);
    }
    expect(ses.emulator.requests.filter((line) => line === 'POST /v2/email/tenants')).toHaveLength(4);
  });
});
