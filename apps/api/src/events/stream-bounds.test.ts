import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import type { Actor } from '@mailstead/core/operators/actor';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { EventReader } from '../testing/event-reader.js';
import { OpenStreams } from './open-streams.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    api = await startTestApi(kind, {}, { streams: { heartbeatMs: 60, lookEveryMs: 40, drainMs: 300 } });
    api.container.get(EventPositioner).start();
  });
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  afterAll(async () => {
    await api.container.get(EventPositioner).stop();
    await api.close();
  });

  async function open(token: string, query = '', headers = {}): Promise<EventReader> {
    const reader = await EventReader.open(api.url, token, query, headers);
    readers.push(reader);
    return reader;
  }

  it('a partner has at most 20 streams, of all its keys and sessions together, and another partner still its own', async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => api.key('many')));
    const browser = new Browser(api.url);
    await browser.enter(keys[0] ?? '');
    const cookie = { Cookie: browser.cookie ?? '', Authorization: '' };
    const statuses = [];
    for (let each = 0; each < 2; each += 1) statuses.push((await open('', '', cookie)).response.statusCode);
    for (const key of keys) {
      for (let each = 0; each < 5; each += 1) statuses.push((await open(key)).response.statusCode);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual(Array.from({ length: 7 }, () => 429));
    expect((await open(await api.key('few'))).response.statusCode).toBe(200);
    expect((await open(MASTER)).response.statusCode).toBe(200);
  });

  it('the first heartbeat names the newest event of the partner, also one that the filter leaves out', async () => {
    const [acme, other] = [await api.key('acme'), await api.key('other')];
    for (const [token, name] of [
      [acme, 'own'],
      [other, 'foreign'],
    ] as const) {
      await api
        .as(token)
        .post('/domains/', { name: `${name}-beat.example` })
        .expect(201);
    }
    await api.container.get(EventPositioner).giveAll();
    const [own] = (await api.as(acme).get('/events?order=desc&limit=1').expect(200)).body;
    const [foreign] = (await api.as(other).get('/events?order=desc&limit=1').expect(200)).body;
    expect(foreign.id).toBeGreaterThan(own.id);
    const reader = await open(acme, '?types=job.missed');
    await reader.until(({ heartbeats }) => heartbeats > 0);
    expect(reader.lastEventId).toBe(String(own.id));
    const all = await open(MASTER, '?types=job.missed');
    await all.until(({ heartbeats }) => heartbeats > 0);
    expect(Number(all.lastEventId)).toBeGreaterThanOrEqual(foreign.id);
  });

  it('the heartbeat of a partner without events is not below the oldest event, so that it can go on from there', async () => {
    const quiet = await api.key('quiet');
    const before = await open(quiet, '?after=0');
    await before.until(({ heartbeats }) => heartbeats > 0);
    before.close();
    await api.database.write('UPDATE event_position SET first_kept = last_position WHERE id = 1');
    const reader = await open(quiet);
    await reader.until(({ heartbeats }) => heartbeats > 0);
    const again = await open(quiet, '', { 'Last-Event-ID': reader.lastEventId });
    expect(again.response.statusCode).toBe(200);
  });
});

describe('the streams of a process', () => {
  it('are at most 500, and one that ended makes room for one', () => {
    const streams = new OpenStreams();
    const actorOf = (id: number): Actor => ({
      kind: 'client',
      partnerId: id,
      partnerRef: null,
      partnerStage: null,
      credential: { kind: 'key', id },
      limits: { domainsAllowed: 0, mailboxesPerDomain: 0, aliasesPerMailbox: 0 },
      scope: 'manage',
      domainIds: null,
      requestId: null,
    });
    const ends = Array.from({ length: 500 }, (_, index) => streams.begin(actorOf(Math.floor(index / 5))));
    const refused = expect.objectContaining({ code: 'too_many_streams' });
    expect(() => streams.begin(actorOf(1_000))).toThrow(refused);
    ends[0]?.();
    ends[0]?.();
    streams.begin(actorOf(1_000));
    expect(() => streams.begin(actorOf(1_001))).toThrow(refused);
  });
});
