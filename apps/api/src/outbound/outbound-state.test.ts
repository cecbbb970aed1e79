import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { RequestLogger } from '../http/request-logger.js';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

const NAME = 'deferred.example';
const ANNA = `anna@${NAME}`;
const SECRET = 'live-Key.0123456789~abc+def=';
const START = new Date('2026-03-15T12:00:00.000Z');
const UNTIL = '2026-03-15T18:00:00.000';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  describe('the state of outbound mail', () => {
    let acme: string;
    let other: string;
    let made = 0;

    beforeAll(async () => {
      acme = await api.key('acme');
      other = await api.key('other');
    });

    async function aDomain(): Promise<string> {
      made += 1;
      const name = `state-${made}.example`;
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      return name;
    }

    it('shows the state only to the partner of the domain', async () => {
      const name = await aDomain();
      await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: 5, bytes: 700 }).expect(200);
      const received = { items: [{ domain: name, bytes: 40 }] };
      await api.as(POLICY).post('/transfer/increments', received).expect(200);
      const expected = {
        name,
        outbound_tier: 'basic',
        outbound_enforcement: 'enforce',
        outbound_status: 'active',
        blocked_reason: null,
        blocked_at: null,
        operator_until: null,
        limits_after: null,
        daily_limit: 200,
        monthly_limit: 3_000,
        revision: expect.any(Number),
        sent_today: 5,
        sent_this_month: 5,
        forwarded_today: 0,
        bounces: 0,
        complaints: 0,
        bounce_rate: 0,
        bounce_rate_limit: 0.03,
        complaint_rate_limit: 0,
        bytes_this_month: 740,
        bytes_in_this_month: 40,
        bytes_out_this_month: 700,
        verified: true,
        verdict: {
          action: 'accept',
          reason: null,
          limited_by: null,
          also: [],
          causes: [],
          limit: null,
          since: null,
          until: null,
          lifted_by: [],
        },
        incoming: { action: 'none', reason: 'inbound_pending' },
        inherited_from: null,
      };
      for (const token of [acme, POLICY, READ, MASTER]) {
        expect((await api.as(token).get(`/domains/${name}/outbound`).expect(200)).body).toEqual(expected);
      }
      for (const path of ['outbound', 'outbound/senders', 'outbound/history']) {
        const foreign = await api.as(other).get(`/domains/${name}/${path}`).expect(404);
        const absent = await api.as(other).get(`/domains/absent.example/${path}`).expect(404);
        expect(foreign.body.detail).toBe(absent.body.detail);
      }
      await api.as(other).put(`/domains/${name}/outbound`, { daily_limit: 1 }).expect(404);
    });
  });

  describe('the log of verdicts', () => {
    beforeAll(async () => {
      const acme = await api.key('logged');
      const { body } = await api.as(acme).post('/domains/', { name: NAME }).expect(201);
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      await api
        .as(acme)
        .post('/users/', { email: ANNA, password: 'correct horse battery', outbound_daily_limit: 2 })
        .expect(201);
      await api.as(MASTER).put(`/domains/${NAME}/outbound`, { daily_limit: 9 }).expect(200);
    });

    const added = () => api.log.lines.at(-1)?.added;
    const increments = (items: object[]) => api.as(POLICY).post('/outbound/increments', { items }).expect(200);

    it('the log line of an increment has its verdict, its reason and what limited it', async () => {
      await api.as(POLICY).post(`/domains/${NAME}/outbound/increment`, { sender: ANNA, count: 2 }).expect(200);
      expect(added()).toEqual({ domain: NAME, action: 'accept', reason: null });
      await api.as(POLICY).post(`/domains/${NAME}/outbound/increment`, { sender: ANNA.toUpperCase() }).expect(200);
      expect(added()).toEqual({ domain: NAME, sender: ANNA, action: 'defer', reason: 'mailbox_limit' });
    });

    it.each(['/outbound/increments', '/outbound/looks'])('the log line of %s has each reason', async (path) => {
      const items = [
        { domain: NAME },
        { domain: NAME, sender: ANNA },
        { domain: 'absent.example', sender: ANNA },
        { domain: SECRET, sender: SECRET },
      ];
      await api.as(POLICY).post(path, { items }).expect(200);
      expect(added()).toEqual({
        verdicts: { accept: 1, 'defer mailbox_limit': 1, 'reject domain_not_found': 2 },
        refused: [
          { domain: NAME, sender: ANNA, action: 'defer', reason: 'mailbox_limit' },
          { domain: 'absent.example', sender: ANNA, action: 'reject', reason: 'domain_not_found' },
          { domain: null, sender: null, action: 'reject', reason: 'domain_not_found' },
        ],
      });
    });

    it('the fields are written beside those of the request', async () => {
      await increments([{ domain: NAME }]);
      const written: unknown[] = [];
      const logger = new RequestLogger({ info: (_: string, line: object) => written.push(line) } as never);
      for (const line of api.log.lines.slice(-1)) logger.request(line);
      expect(written).toEqual([
        expect.objectContaining({ path: '/outbound/increments', status: 200, verdicts: { accept: 1 } }),
      ]);
    });

    it('the log line of many refused items is bounded, and counts all of them', async () => {
      await increments(Array.from({ length: 1_000 }, () => ({ domain: NAME, sender: ANNA })));
      expect(added()).toMatchObject({ verdicts: { 'defer mailbox_limit': 1_000 } });
      expect(added()?.refused).toHaveLength(20);
    });
  });

  let acme: string;
  let made = 0;

  beforeAll(async () => {
    acme = await api.key('timed');
  });
  beforeEach(() => api.clock.set(START));

  /** Creates a verified domain of acme. */
  const aDomain = async (name = `timed-${(made += 1)}.example`) => {
    const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
    return name;
  };
  const put = (name: string, body: object, token = MASTER) => api.as(token).put(`/domains/${name}/outbound`, body);
  const state = async (name: string) => (await api.as(acme).get(`/domains/${name}/outbound`).expect(200)).body;
  const increment = async (name: string, count: number) =>
    (await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count }).expect(200)).body;
  const headroom = async (name: string) => {
    const items = [{ domain: name, sender: '', recipient: 'a@outside.example' }];
    return (await api.as(POLICY).post('/outbound/looks', { items }).expect(200)).body[0].headroom;
  };

  describe('limits for a time', () => {
    it('replace the lasting ones until their time, to the millisecond, wherever limits count, without any job', async () => {
      const name = await aDomain();
      await put(name, { daily_limit: 10, monthly_limit: 20 }).expect(200);
      const { body } = await put(name, { daily_limit: 500, until: `${UNTIL}Z` }).expect(200);
      const during = { daily_limit: 500, monthly_limit: 20, operator_until: UNTIL };
      expect(body).toMatchObject({ ...during, limits_after: { daily_limit: 10, monthly_limit: 20 } });
      expect(await increment(name, 15)).toMatchObject({ allowed: true, daily_limit: 500, monthly_limit: 20 });
      expect(await headroom(name)).toBe(5);

      api.clock.set(new Date('2026-03-15T17:59:59.999Z'));
      expect(await state(name)).toMatchObject(during);
      expect(await increment(name, 1)).toMatchObject({ allowed: true });

      api.clock.set(new Date('2026-03-15T18:00:00.000Z'));
      expect(await state(name)).toMatchObject({ daily_limit: 10, operator_until: null, limits_after: null });
      expect(await increment(name, 1)).toMatchObject({ allowed: false, reason: 'daily_limit', daily_limit: 10 });
      expect(await headroom(name)).toBe(0);
    });

    it('may be lower or unlimited, and lie above or below the tier', async () => {
      const name = await aDomain();
      await put(name, { daily_limit: 0, monthly_limit: 0, until: UNTIL }).expect(200);
      expect(await increment(name, 5_000)).toMatchObject({ allowed: true, daily_limit: 0, monthly_limit: 0 });
      await put(name, { daily_limit: 1, monthly_limit: null, until: UNTIL }).expect(200);
      expect(await state(name)).toMatchObject({ daily_limit: 1, monthly_limit: 3_000 });
      expect((await state(name)).limits_after).toEqual({ daily_limit: 200, monthly_limit: 3_000 });
    });

    it('of a parent hold for its children, and lower limits of the client stay', async () => {
      const parent = await aDomain('mother.example');
      await put(parent, { daily_limit: 2 }).expect(200);
      await api.as(MASTER).put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
      const child = await aDomain('child.mother.example');
      await put(parent, { daily_limit: 100, until: UNTIL }).expect(200);
      expect(await increment(child, 50)).toMatchObject({ allowed: true });
      await put(parent, { daily_limit: 60 }, acme).expect(200);
      expect(await increment(child, 11)).toMatchObject({ allowed: false, reason: 'daily_limit', limited_by: parent });
      await put(parent, { daily_limit: 101 }, acme).expect(403);
      api.clock.set(new Date('2026-03-15T18:00:00.000Z'));
      expect(await state(parent)).toMatchObject({ daily_limit: 2 });
    });

    it('stay beside a change of the lasting ones, are replaced as a pair, and end when they are taken back', async () => {
      const name = await aDomain();
      await put(name, { daily_limit: 500, monthly_limit: 9_000, until: UNTIL }).expect(200);
      await put(name, { daily_limit: 50 }).expect(200);
      expect(await state(name)).toMatchObject({ daily_limit: 500, limits_after: { daily_limit: 50 } });
      await put(name, { monthly_limit: 8_000, until: '2026-03-16' }).expect(200);
      expect(await state(name)).toMatchObject({
        daily_limit: 50,
        monthly_limit: 8_000,
        operator_until: '2026-03-16T00:00:00.000',
      });
      await put(name, { until: null }).expect(200);
      expect(await state(name)).toMatchObject({ daily_limit: 50, monthly_limit: 3_000, operator_until: null });
    });

    it('are in the audit log, and are not lost when the partner deletes the domain and creates it again', async () => {
      const name = await aDomain('again.example');
      await put(name, { daily_limit: 1, until: UNTIL }).expect(200);
      const { body: rows } = await api.as(MASTER).get(`/audit?domain=${name}`).expect(200);
      expect(rows.at(-1)).toMatchObject({
        action: 'domain.configure_outbound',
        before: { temporary_daily_limit: null, temporary_limits_until: null },
        after: { temporary_daily_limit: 1, temporary_limits_until: UNTIL },
      });
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      await aDomain(name);
      expect(await state(name)).toMatchObject({ daily_limit: 1, operator_until: UNTIL });
    });

    it.each([
      ['a time in the past', { daily_limit: 5, until: '2026-03-15T11:59:59.999' }],
      ['the present', { daily_limit: 5, until: '2026-03-15T12:00:00.000' }],
      ['a time without limits', { until: UNTIL }],
      ['a time with limits of null', { daily_limit: null, monthly_limit: null, until: UNTIL }],
      ['no time', { daily_limit: 5, until: 'tomorrow' }],
    ])('are refused with %s, and nothing changes', async (_, body) => {
      const name = await aDomain();
      const answer = await put(name, body).expect(422);
      expect(answer.body.errors).toMatchObject([{ field: 'until' }]);
      expect(await state(name)).toMatchObject({ daily_limit: 200, operator_until: null });
    });

    it('are refused for a client, also one that only takes them back', async () => {
      const name = await aDomain();
      for (const until of [UNTIL, null]) {
        const { body } = await put(name, { daily_limit: 5, until }, acme).expect(403);
        expect(body.code).toBe('outbound_fields_forbidden');
      }
    });
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
