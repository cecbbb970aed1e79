import {
  onHttpDatabase,
  openTestDatabase,
  type TestDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { DoveadmServer } from '@mailstead/adapters/dovecot/testing/doveadm-server';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { SECOND_MS } from '@mailstead/core/clock';
import type { Jobs } from '@mailstead/core/jobs/jobs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fillDomain } from '../testing/fill-domain.js';

const API_KEY = 'doveadm-key-of-the-tests';
const END = 'mail-sessions.end';
const HASH = `$2b$04$${'a'.repeat(53)}`;

onHttpDatabase((kind) => {
  let opened: TestDatabase;
  let settings: Record<string, string>;
  let servers: DoveadmServer[];
  let api: TestApi;
  let tests = 0;
  // Of the test.
  let acme: string;
  let partner: string;
  let domain: string;
  let kids: string;
  let beta: string;
  let ann: string;
  let all: Record<'ann' | 'bob' | 'kim' | 'carol', string>;

  beforeAll(async () => {
    servers = [await DoveadmServer.start(API_KEY), await DoveadmServer.start(API_KEY)];
    settings = { DOVEADM_URL: servers.map(({ url }) => url).join(', '), DOVEADM_API_KEY: API_KEY };
    opened = await openTestDatabase(kind);
    api = await startTestApi(kind, settings, {}, null, opened);
  });
  beforeEach(async () => {
    tests += 1;
    partner = `acme-${tests}`;
    domain = `${partner}.example`;
    kids = `kids.${domain}`;
    beta = `beta-${tests}.example`;
    ann = `ann@${domain}`;
    all = { ann, bob: `bob@${domain}`, kim: `kim@${kids}`, carol: `carol@${beta}` };
    acme = await api.key(partner);
    await api.key(`beta-${tests}`);
    const domains = [
      { name: domain, partner_ref: partner },
      { name: kids, partner_ref: partner },
      { name: beta, partner_ref: `beta-${tests}` },
    ];
    const { body: made } = await api.as(MASTER).post('/domains/bulk', { items: domains }).expect(200);
    const ids = (made as { body: { id: number } }[]).map(({ body: { id } }) => id);
    await api.database.write("UPDATE domain SET inbound = 'open' WHERE id IN (?, ?, ?)", ids, ids);
    const mailboxes = Object.values(all).map((email) => ({ email, password_hash: HASH }));
    const { body } = await api.as(MASTER).post('/users/bulk', { items: mailboxes }).expect(200);
    expect(body).toEqual(mailboxes.map(() => expect.objectContaining({ status: 201 })));
    for (const server of servers) {
      server.sessions = Object.values(all);
      server.commands.length = 0;
    }
    api.jobs.jobs.length = 0;
  });
  afterAll(async () => {
    await api.close();
    for (const server of servers) await server.close();
  });

  /** Another process on the same database. */
  const startOther = (environment: Record<string, string>) =>
    startTestApi(kind, environment, {}, null, { ...opened, close: async () => {} });
  const of = (names: readonly (keyof typeof all)[]) => names.map((name) => all[name]);
  const put = async (path: string, body?: unknown, token = MASTER): Promise<void> => {
    await api.as(token).put(path, body).expect(200);
  };
  const ends = () =>
    api.jobs.jobs
      .filter(({ name }) => name === END)
      .map(({ payload, options }) => ({ payload: payload as Jobs[typeof END], options }));
  const run = (payload: Jobs[typeof END], by = api, attempt = 1) =>
    by.container.get(JobTable)[END](payload, { jobId: 1, requestId: null, attempt });
  const runAll = async (): Promise<void> => {
    for (const { payload } of ends()) await run(payload);
  };
  const abuse = () => put(`/domains/${domain}/suspend`, { cause: 'abuse' });
  const link = () => put(`/domains/${kids}/parent`, { parent: domain });
  const unlink = () => put(`/domains/${kids}/parent`, { parent: null });

  const CHANGES: [what: string, left: (keyof typeof all)[], change: () => Promise<unknown>][] = [
    ['another password', ['bob', 'kim', 'carol'], () => put(`/users/${ann}`, { password: 'correct horse battery' })],
    ['a disabled mailbox', ['bob', 'kim', 'carol'], () => put(`/users/${ann}`, { active: false }, acme)],
    ['a deleted mailbox', ['bob', 'kim', 'carol'], () => api.as(acme).delete(`/users/${ann}`).expect(204)],
    ['a suspended domain', ['kim', 'carol'], () => put(`/domains/${domain}/suspend`, undefined, acme)],
    ['a closed domain', ['kim', 'carol'], () => put(`/domains/${domain}/inbound`, { inbound: 'pending' })],
    ['a deleted domain', ['kim', 'carol'], () => api.as(acme).delete(`/domains/${domain}`).expect(204)],
    ['a parent that is suspended for abuse', ['carol'], () => abuse()],
    ['a parent that is suspended already, and now for abuse', ['carol'], () => suspendTwice()],
    ['a link to a parent that is suspended for abuse', ['ann', 'bob', 'carol'], () => linkToAbused()],
    [
      'a partner that is suspended in the stage `all`',
      ['carol'],
      () => put(`/partners/${partner}/suspend`, { stage: 'all' }),
    ],
    ['a move to such a partner', ['ann', 'bob', 'kim'], () => moveToSuspended()],
  ];
  const suspendTwice = async (): Promise<void> => {
    await put(`/domains/${domain}/suspend`, undefined, acme);
    await abuse();
  };
  const linkToAbused = async (): Promise<void> => {
    await unlink();
    await abuse();
    api.jobs.jobs.length = 0;
    await link();
  };
  const moveToSuspended = async (): Promise<void> => {
    await put(`/partners/${partner}/suspend`, { stage: 'all' });
    api.jobs.jobs.length = 0;
    await put(`/domains/${beta}/partner`, { partner_ref: partner });
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
        for (const server of servers) server.sessions = Object.values(all);
        for (const { payload } of jobs) await run(payload);
        expect(servers.map(({ sessions }) => sessions)).toEqual([of(left), of(left)]);
      }
    });

    it.each<[what: string, change: () => Promise<unknown>]>([
      ['another name and limit', () => put(`/users/${ann}`, { name: 'Ann', active: true, outbound_daily_limit: 5 })],
      ['a parent that is suspended for another cause', () => put(`/domains/${domain}/suspend`)],
      [
        'a partner that is suspended in the stage `changes`',
        () => put(`/partners/${partner}/suspend`, { stage: 'changes' }),
      ],
      ['a move', () => put(`/domains/${kids}/partner`, { partner_ref: `beta-${tests}` })],
      ['a blocked domain', () => put(`/domains/${kids}/outbound`, { outbound_status: 'blocked' })],
      ['a closed domain that was closed', () => put(`/domains/${kids}/inbound`, { inbound: 'open' })],
    ])('of others go on after %s', async (_, change) => {
      await change();
      await runAll();
      for (const { sessions } of servers) expect(sessions).toEqual(expect.arrayContaining(of(['kim', 'carol'])));
    });

    it('go on when a suspension for which a job waits has ended', async () => {
      await put(`/partners/${partner}/suspend`, { stage: 'all' });
      await put(`/partners/${partner}/activate`);
      await runAll();
      expect(servers[0]?.sessions).toEqual(Object.values(all));
    });

    it('at a server that does not answer are tried again, and those at the others end once', async () => {
      const [down, up] = servers as [DoveadmServer, DoveadmServer];
      down.fault = 'close';
      await put(`/users/${ann}`, { active: false });
      // A server that did not answer rests for some seconds in the process that asked it.
      const asking = await startOther(settings);
      const outcomes = await Promise.allSettled(ends().map(({ payload }) => run(payload, asking)));
      await asking.close();
      const failed = ends().filter((_, index) => outcomes[index]?.status === 'rejected');
      expect(new Set(failed.map(({ payload }) => payload.server))).toEqual(new Set([down.url]));
      expect(up.sessions).toEqual(of(['bob', 'kim', 'carol']));
      up.commands.length = 0;
      down.fault = null;
      const replica = await startOther({ DOVEADM_URL: down.url, DOVEADM_API_KEY: API_KEY });
      for (const { payload } of failed) await run(payload, replica, 2);
      await replica.close();
      expect(down.sessions).toEqual(of(['bob', 'kim', 'carol']));
      expect(up.commands).toEqual([]);
    });
  });

  it('a change that is repeated has the key of the job that waits, so that the jobs do not add up', async () => {
    for (let round = 0; round < 3; round += 1) {
      await put(`/users/${ann}`, { password: 'correct horse battery' });
      await put(`/partners/${partner}/suspend`, { stage: 'all' });
      await put(`/partners/${partner}/activate`);
    }
    expect(new Set(ends().map(({ options }) => options.key)).size).toBe(8);
    for (const { options } of ends()) expect(options.key?.length).toBeLessThanOrEqual(160);
  });

  it('a partner with many domains takes one question and no job for each domain', async () => {
    const items = Array.from({ length: 30 }, (_, index) => ({ name: `d${index}.${domain}` }));
    await api.as(acme).post('/domains/bulk', { items }).expect(200);
    api.jobs.jobs.length = 0;
    await put(`/partners/${partner}/suspend`, { stage: 'all' });
    expect(ends()).toHaveLength(4);
    for (const server of servers) server.sessions.push(`x@d7.${domain}`);
    const [first] = ends();
    if (first !== undefined) await run(first.payload);
    expect(servers[0]?.commands.filter((command) => command.startsWith('who'))).toHaveLength(1);
    expect(servers[0]?.sessions).toEqual([all.carol]);
  });

  it('that deletes a large domain ends sessions at its begin and at its end, until which mailboxes log in', async () => {
    await fillDomain(api.database, domain, kids, 600);
    await api.as(acme).delete(`/domains/${domain}`).expect(204);
    expect(ends().map(({ payload }) => payload.name)).toEqual(Array.from({ length: 8 }, () => domain));
    await runAll();
    for (const { sessions } of servers) expect(sessions).toEqual(of(['kim', 'carol']));
  });

  it('has no job without DOVEADM_URL', async () => {
    const without = await startOther({});
    await without.as(acme).put(`/domains/${domain}/suspend`).expect(200);
    expect(without.jobs.jobs.filter(({ name }) => name === END)).toEqual([]);
    await without.close();
  });
});
