import { OperatorTokens } from '@mailstead/adapters/crypto/operator-tokens';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { FrameClient } from './testing/frame-client.js';

const OUT = 'x@out.example';
const LOOKS = '/outbound/looks';
const INCREMENTS = '/outbound/increments';

type Ask = (path: string, body: unknown) => Promise<{ status: number; body: unknown }>;

/** Without what differs in every answer. */
const comparable = (problem: object) => ({ ...problem, request_id: '' });

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let client: FrameClient;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    await api.frames.listen({ host: '127.0.0.1', port: 0 });
    acme = await api.key('acme');
    client = await FrameClient.greeted(api.frames.address, POLICY);
  });
  afterAll(async () => {
    client.close();
    await api.frames.close(0);
    await api.close();
  });

  const ways: Record<'http' | 'frames', Ask> = {
    http: async (path, body) => {
      const response = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${POLICY}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as object;
      return { status: response.status, body: response.ok ? answer : comparable(answer) };
    },
    frames: async (path, body) => {
      const { status = 0, body: answer, problem = {} } = await client.ask(path, body);
      return { status, body: status === 200 ? answer : comparable(problem) };
    },
  };

  async function aDomain(limit = 100): Promise<{ id: number; name: string }> {
    made += 1;
    const name = `framed-${made}.example`;
    const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
    await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/outbound`, { daily_limit: limit }).expect(200);
    return { id: body.id, name };
  }
  const sentToday = async (name: string): Promise<number> =>
    (await api.as(MASTER).get(`/domains/${name}/outbound`).expect(200)).body.sent_today;

  describe.each(['http', 'frames'] as const)('the policy daemon’s requests by %s', (way) => {
    const ask = ways[way];
    const verdicts = async (path: string, ...items: object[]) => {
      const { status, body } = await ask(path, { items });
      expect(status).toBe(200);
      return body as Record<string, unknown>[];
    };

    it('preview without counting, in the order of the items', async () => {
      const { name } = await aDomain();
      const answers = await verdicts(
        LOOKS,
        { domain: name, recipient: OUT },
        { domain: 'absent.example', recipient: OUT },
      );
      expect(answers).toMatchObject([
        { name, action: 'accept', reason: null, counts_as: 1, headroom: 100, each_recipient: false },
        { name: 'absent.example', action: 'reject', reason: 'domain_not_found' },
      ]);
      expect(await sentToday(name)).toBe(0);
    });

    it('count a message once, however often its id is repeated, and refuse the id for another message', async () => {
      const { name } = await aDomain();
      const item = { domain: name, recipients: [OUT, 'y@out.example'], bytes: 9, id: `${way}-1` };
      const [first] = await verdicts(INCREMENTS, item);
      const [repeated, other] = await verdicts(INCREMENTS, item, { ...item, recipients: [OUT] });
      expect(first).toMatchObject({ action: 'accept', count: 2, sent_today: 2, headroom: 98 });
      expect(repeated).toMatchObject({ action: 'accept', count: 2 });
      expect(other).toMatchObject({ reason: 'increment_id_reused' });
      expect(await sentToday(name)).toBe(2);
    });

    it('accept exactly what the limit allows, of messages at the same time', async () => {
      const { name } = await aDomain(7);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          verdicts(INCREMENTS, { domain: name, recipients: [OUT], id: `${way}-limit-${index}` }),
        ),
      );
      const actions = answers.flat().map(({ action }) => action);
      expect(actions.filter((action) => action === 'accept')).toHaveLength(7);
      expect(await sentToday(name)).toBe(7);
    });

    it('see a stop of the domain at once', async () => {
      const { name } = await aDomain();
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_status: 'blocked' }).expect(200);
      expect(await verdicts(LOOKS, { domain: name, recipient: OUT })).toMatchObject([{ allowed: false }]);
      const item = { domain: name, recipients: [OUT] };
      expect(await verdicts(INCREMENTS, item)).toMatchObject([{ allowed: false, outbound_status: 'blocked' }]);
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_status: 'active' }).expect(200);
      await api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
      expect(await verdicts(INCREMENTS, item)).toMatchObject([{ allowed: false, reason: 'domain_suspended' }]);
      expect(await sentToday(name)).toBe(0);
    });

    it('count what was sent already whatever the verdict is, and forwarded mail for itself', async () => {
      const { name } = await aDomain(1);
      const item = { domain: name, recipients: [OUT, 'y@out.example'] };
      expect(await verdicts(INCREMENTS, item, { ...item, record: true })).toMatchObject([
        { allowed: false },
        { count: 2 },
      ]);
      expect(await sentToday(name)).toBe(2);
      expect(await verdicts(INCREMENTS, { ...item, forwarded: true })).toMatchObject([{ forwarded_today: 0 }]);
    });

    it('refuse a sender that the login may not use, and count nothing', async () => {
      const { name } = await aDomain();
      const item = { domain: name, recipients: [OUT], sender: `me@${name}`, claims: [`boss@${name}`] };
      expect(await verdicts(INCREMENTS, item)).toMatchObject([{ action: 'reject' }]);
      expect(await sentToday(name)).toBe(0);
    });

    it('defer and count nothing before a restore is accepted', async () => {
      const { name } = await aDomain();
      const gate = api.container.get(RestoreGate);
      gate.set(true);
      const deferred = [{ action: 'defer', reason: 'restore_not_accepted' }];
      expect(await verdicts(LOOKS, { domain: name, recipient: OUT })).toMatchObject(deferred);
      expect(await verdicts(INCREMENTS, { domain: name, recipients: [OUT], record: true })).toMatchObject(deferred);
      gate.set(false);
      expect(await sentToday(name)).toBe(0);
    });

    it('are counted by route and status', async () => {
      const counted = async (status: number): Promise<number> => {
        const { text } = await api.as(MASTER).get('/metrics').expect(200);
        const line = new RegExp(
          `^mailstead_requests_total\\{method="POST",route="${LOOKS}",status="${status}"\\} (\\d+)`,
          'm',
        );
        return Number(line.exec(text)?.[1] ?? 0);
      };
      const before = [await counted(200), await counted(422)];
      await ask(LOOKS, { items: [{ domain: 'absent.example' }] });
      await ask(LOOKS, { items: [] });
      expect([await counted(200), await counted(422)]).toEqual(before.map((count) => count + 1));
    });

    it('are refused from the next one on when the token is no longer valid, with the code of HTTP', async () => {
      const tokens = api.container.get(OperatorTokens);
      const callerOf = tokens.callerOf.bind(tokens);
      Object.assign(tokens, { callerOf: () => null });
      const { status, body } = await ask(LOOKS, { items: [{ domain: 'absent.example' }] });
      Object.assign(tokens, { callerOf });
      expect([status, body]).toEqual([401, expect.objectContaining({ code: 'invalid_token' })]);
      expect((await ask(LOOKS, { items: [{ domain: 'absent.example' }] })).status).toBe(200);
    });
  });

  describe('a request with a wrong body', () => {
    it.each([
      [LOOKS, undefined],
      [LOOKS, null],
      [LOOKS, []],
      [LOOKS, { items: [] }],
      [LOOKS, { items: [{}], dry_run: true }],
      [LOOKS, { items: [{ domain: 'a.example', recipient: OUT, recipient_domain: 'b.example' }] }],
      [LOOKS, { items: [{ domain: 'a.example', forwarded: true, sender: 'me@a.example' }] }],
      [LOOKS, { items: [{ domain: 'a.example', constructor: 1 }] }],
      [LOOKS, { items: Array.from({ length: 1_001 }, () => ({ domain: 'a.example' })) }],
      [INCREMENTS, { items: [{ domain: 'a.example', recipients: ['a\u0000@b.example'] }] }],
      [INCREMENTS, { items: [{ domain: 'a.example', count: 0 }] }],
      [INCREMENTS, { items: [{ domain: 'a.example', bytes: 1.5, id: '' }] }],
      [INCREMENTS, { items: [{ domain: 'a.example', claims: ['b@a.example'] }] }],
      [INCREMENTS, { items: [{ domain: 'a.example', sender: 'a b@a.example' }] }],
      [INCREMENTS, { items: 'all' }],
    ])('has the same errors by frames as by HTTP: %s %j', async (path, body) => {
      const byHttp = await ways.http(path, body);
      expect(byHttp.status).toBeGreaterThanOrEqual(400);
      expect(await ways.frames(path, body)).toEqual(byHttp);
    });
  });

  describe('by frames', () => {
    it('only these two routes are served', async () => {
      for (const path of ['/domains/', '/transfer/increments', '/outbound/senders/check', '/me', '']) {
        expect(await ways.frames(path, { items: [] })).toMatchObject({
          status: 404,
          body: { code: 'route_not_found' },
        });
      }
    });

    it.each([
      ['wrong-token-of-the-tests-0123456789', 'invalid_token'],
      ['', 'missing_token'],
      [READ, 'scope_not_allowed'],
      [MASTER, 'scope_not_allowed'],
    ])('no other token opens a connection: %s', async (token, code) => {
      const other = await FrameClient.connect(api.frames.address);
      other.send({ token });
      expect(await other.endCode()).toBe(code);
      expect(token !== '' && JSON.stringify(api.log.lines).includes(token)).toBe(false);
    });

    it('an API key opens none', async () => {
      const other = await FrameClient.connect(api.frames.address);
      other.send({ token: acme });
      expect(await other.endCode()).toBe('master_token_required');
    });

    it('the trace goes on, and only what was not accepted has a log line without debug', async () => {
      const { name } = await aDomain();
      const line = async (domain: string) => {
        await client.ask(LOOKS, { items: [{ domain, recipient: OUT }] });
        return api.log.lines.at(-1);
      };
      expect(await line(name)).toMatchObject({ route: LOOKS, status: 200, isQuiet: true, caller: { name: 'policyd' } });
      const refused = await line('absent.example');
      expect(refused).toMatchObject({ isQuiet: false, added: { refused: [{ domain: 'absent.example' }] } });
      const traceId = 'ab'.repeat(16);
      await client.ask(LOOKS, { items: [] }, { traceparent: `00-${traceId}-${'cd'.repeat(8)}-00` });
      expect(api.log.lines.at(-1)).toMatchObject({ errorCode: 'validation_failed', isQuiet: false });
      expect(api.log.traces.at(-1)).toBe(traceId);
    });

    it('a defect is logged once and answered with internal_error', async () => {
      const tokens = api.container.get(OperatorTokens);
      const callerOf = tokens.callerOf.bind(tokens);
      const defects = api.log.defects.length;
      Object.assign(tokens, {
        callerOf: () => {
          throw new Error('a defect');
        },
      });
      const answer = await ways.frames(LOOKS, { items: [{ domain: 'a.example' }] });
      Object.assign(tokens, { callerOf });
      expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
      expect(api.log.defects).toHaveLength(defects + 1);
    });
  });
});
