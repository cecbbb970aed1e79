import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DoveadmServer } from '@mailstead/adapters/dovecot/testing/doveadm-server';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { SECOND_MS } from '@mailstead/core/clock';
import type { Jobs } from '@mailstead/core/jobs/jobs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fillDomain } from '../testing/fill-domain.js';

const API_KEY = 'doveadm-key-of-the-tests';
const END = 'mail-sessions.end';
const HASH = `$2b$04$${'a'.repeat(53)}`;
const CAROL = 'carol@beta.example';
const [ANN, BOB, KIM] = ['ann@acme.example', 'bob@acme.example', 'kim@kids.acme.example'];

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let servers: DoveadmServer[];

  beforeEach(async () => {
    servers = [await DoveadmServer.start(API_KEY), await DoveadmServer.start(API_KEY)];
    const DOVEADM_URL = servers.map(({ url }) => url).join(', ');
    api = await startTestApi(kind, { DOVEADM_URL, DOVEADM_API_KEY: API_KEY });
    acme = await api.key('acme');
    const beta = await api.key('beta');
    for (const [token, name] of [
      [acme, 'acme.example'],
      [acme, 'kids.acme.example'],
      [beta, 'beta.example'],
    ] as const) {
      await api.as(token).post('/domains/', { name }).expect(201);
      await put(`/domains/${name}/inbound`, { inbound: 'open' });
    }
    for (const email of [ANN, BOB, KIM]) {
      await api.as(acme).post('/users/', { email, password_hash: HASH }).expect(201);
    }
    await api.as(beta).post('/users/', { email: CAROL, password_hash: HASH }).expect(201);
    for (const server of servers) server.sessions = [ANN, BOB, KIM, CAROL];
    api.jobs.jobs.length = 0;
  });
  afterEach(async () => {
    await api.close();
    for (const server of servers) await server.close();
  });

  const put = async (path: string, body?: unknown, token = MASTER): Promise<void> => {
    await api.as(token).put(path, body).expect(200);
  };
  const ends = () =>
    api.jobs.jobs
      .filter(({ name }) => name === END)
      .map(({ payload, options }) => ({ payload: payload as Jobs[typeof END], options }));
  const run = (payload: Jobs[typeof END]) =>
    api.container.get(JobTable)[END](payload, { jobId: 1, requestId: null, attempt: 1 });
  const runAll = async (): Promise<void> => {
    for (const { payload } of ends()) await run(payload);
  };
  const abuse = () => put('/domains/acme.example/suspend', { cause: 'abuse' });
  const link = () => put('/domains/kids.acme.example/parent', { parent: 'acme.example' });
  const unlink = () => put('/domains/kids.acme.example/parent', { parent: null });

  const CHANGES: [what: string, left: string[], change: () => Promise<unknown>][] = [
    ['another password', [BOB, KIM, CAROL], () => put(`/users/${ANN}`, { password: 'correct horse battery' })],
    ['a disabled mailbox', [BOB, KIM, CAROL], () => put(`/users/${ANN}`, { active: false }, acme)],
    ['a deleted mailbox', [BOB, KIM, CAROL], () => api.as(acme).delete(`/users/${ANN}`).expect(204)],
    ['a suspended domain', [KIM, CAROL], () => put('/domains/acme.example/suspend', undefined, acme)],
    ['a closed domain', [KIM, CAROL], () => put('/domains/acme.example/inbound', { inbound: 'pending' })],
    ['a deleted domain', [KIM, CAROL], () => api.as(acme).delete('/domains/acme.example').expect(204)],
    ['a parent that is suspended for abuse', [CAROL], () => abuse()],
    ['a parent that is suspended already, and now for abuse', [CAROL], () => suspendTwice()],
    ['a link to a parent that is suspended for abuse', [ANN, BOB, CAROL], () => linkToAbused()],
    ['a partner that is suspended in the stage `all`', [CAROL], () => put('/partners/acme/suspend', { stage: 'all' })],
    ['a move to such a partner', [ANN, BOB, KIM], () => moveToSuspended()],
  ];
  const suspendTwice = async (): Promise<void> => {
    await put('/domains/acme.example/suspend', undefined, acme);
    await abuse();
  };
  const linkToAbused = async (): Promise<void> => {
    await unlink();
    await abuse();
    api.jobs.jobs.length = 0;
    await link();
  };
  const moveToSuspended = async (): Promise<void> => {
    await put('/partners/acme/suspend', { stage: 'all' });
    api.jobs.jobs.length = 0;
    await put('/domains/beta.example/partner', { partner_ref: 'acme' });
  };

  describe('open sessions', () => {
    beforeEach(link);

    it.each(CHANGES)('end at each mail server after %s, also late logins, and no others', async (_, left, change) => {
      await change();
      const now = api.clock.now().getTime();
      const [first, second] = [false, true].map((isLater) =>
        ends().filter(({ options }) => (options.runAt !== undefined) === isLater),
      ) as [ReturnType<typeof ends>, ReturnType<typeof ends>];
      expect(first).toHaveLength(second.length);
      expect(first.length).toBeGreaterThanOrEqual(servers.length);
      for (const { options } of second) {
        expect((options.runAt?.getTime() ?? 0) - now).toBeGreaterThanOrEqual(15 * SECOND_MS);
        expect((options.runAt?.getTime() ?? 0) - now).toBeLessThanOrEqual(20 * SECOND_MS);
      }
      for (const jobs of [first, second]) {
        for (const server of servers) server.sessions = [ANN, BOB, KIM, CAROL];
        for (const { payload } of jobs) await run(payload);
        expect(servers.map(({ sessions }) => sessions)).toEqual([left, left]);
      }
    });

    it.each<[what: string, change: () => Promise<unknown>]>([
      ['another name and limit', () => put(`/users/${ANN}`, { name: 'Ann', active: true, outbound_daily_limit: 5 })],
      ['a parent that is suspended for another cause', () => put('/domains/acme.example/suspend')],
      ['a partner that is suspended in the stage `changes`', () => put('/partners/acme/suspend', { stage: 'changes' })],
      ['a move', () => put('/domains/kids.acme.example/partner', { partner_ref: 'beta' })],
      ['a blocked domain', () => put('/domains/kids.acme.example/outbound', { outbound_status: 'blocked' })],
      ['a closed domain that was closed', () => put('/domains/kids.acme.example/inbound', { inbound: 'open' })],
    ])('of others go on after %s', async (_, change) => {
      await change();
      await runAll();
      for (const { sessions } of servers) expect(sessions).toEqual(expect.arrayContaining([KIM, CAROL]));
    });

    it('go on when a suspension for which a job waits has ended', async () => {
      await put('/partners/acme/suspend', { stage: 'all' });
      await put('/partners/acme/activate');
      await runAll();
      expect(servers[0]?.sessions).toEqual([ANN, BOB, KIM, CAROL]);
    });

    it('at a server that does not answer are tried again, and those at the others end once', async () => {
      const [down, up] = servers as [DoveadmServer, DoveadmServer];
      down.fault = 'close';
      await put(`/users/${ANN}`, { active: false });
      const outcomes = await Promise.allSettled(ends().map(({ payload }) => run(payload)));
      const failed = ends().filter((_, index) => outcomes[index]?.status === 'rejected');
      expect(new Set(failed.map(({ payload }) => payload.server))).toEqual(new Set([down.url]));
      expect(up.sessions).toEqual([BOB, KIM, CAROL]);
      up.commands.length = 0;
      down.fault = null;
      // What did not answer rests for some seconds in this process.
      const replica = await startTestApi(kind, { DOVEADM_URL: down.url, DOVEADM_API_KEY: API_KEY });
      for (const { payload } of failed) {
        await replica.container.get(JobTable)[END](payload, { jobId: 1, requestId: null, attempt: 2 });
      }
      await replica.close();
      expect(down.sessions).toEqual([BOB, KIM, CAROL]);
      expect(up.commands).toEqual([]);
    });
  });

  it('a change that is repeated has the key of the job that waits, so that the jobs do not add up', async () => {
    for (let round = 0; round < 5; round += 1) {
      await put(`/users/${ANN}`, { password: 'correct horse battery' });
      await put('/partners/acme/suspend', { stage: 'all' });
      await put('/partners/acme/activate');
    }
    expect(new Set(ends().map(({ options }) => options.key)).size).toBe(8);
    for (const { options } of ends()) expect(options.key?.length).toBeLessThanOrEqual(160);
  });

  it('a partner with many domains takes one question and no job for each domain', async () => {
    for (let index = 0; index < 30; index += 1) {
      await api
        .as(acme)
        .post('/domains/', { name: `d${index}.example` })
        .expect(201);
    }
    api.jobs.jobs.length = 0;
    await put('/partners/acme/suspend', { stage: 'all' });
    expect(ends()).toHaveLength(4);
    for (const server of servers) server.sessions.push('x@d7.example');
    const [first] = ends();
    if (first !== undefined) await run(first.payload);
    expect(servers[0]?.commands.filter((command) => command.startsWith('who'))).toHaveLength(1);
    expect(servers[0]?.sessions).toEqual([CAROL]);
  });

  it('that deletes a large domain ends sessions at its begin and at its end, until which mailboxes log in', async () => {
    await fillDomain(api.database, 'acme.example', 'kids.acme.example', 600);
    await api.as(acme).delete('/domains/acme.example').expect(204);
    expect(ends().map(({ payload }) => payload.name)).toEqual(Array.from({ length: 8 }, () => 'acme.example'));
    await runAll();
    for (const { sessions } of servers) expect(sessions).toEqual([KIM, CAROL]);
  });

  it('has no job without DOVEADM_URL', async () => {
    const without = await startTestApi(kind);
    const token = await without.key('acme');
    await without.as(token).post('/domains/', { name: 'acme.example' }).expect(201);
    await without.as(token).put('/domains/acme.example/suspend').expect(200);
    expect(without.jobs.jobs.filter(({ name }) => name === END)).toEqual([]);
    await without.close();
  });
});
