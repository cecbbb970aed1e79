import type { Database } from '@mailstead/adapters/database/driver/database';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { HOUR_MS } from '@mailstead/core/clock';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { until } from '@mailstead/core/testing/until';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { EventReader } from '../testing/event-reader.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let made = 0;
  const readers: EventReader[] = [];

  beforeAll(async () => {
    const streams = { heartbeatMs: 25, lookEveryMs: 15, drainMs: 300 };
    api = await startTestApi(kind, {}, { streams });
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
  /** Creates a domain with a new name. */
  async function create(token: string): Promise<string> {
    made += 1;
    const name = `s${made}.example`;
    await api.as(token).post('/domains/', { name }).expect(201);
    return name;
  }
  const now = async () => {
    await api.container.get(EventPositioner).giveAll();
    return Number((await api.as(MASTER).get('/events?order=desc&limit=1').expect(200)).body[0]?.id ?? 0);
  };
  const namesOf = ({ events }: EventReader) => events.map(({ subject }) => subject);

  it('sends what is kept, then each new event, to its own partner alone', async () => {
    const [acme, other] = [await api.key('acme'), await api.key('other')];
    const first = await create(acme);
    const own = await open(acme, '?types=domain.created');
    const foreign = await open(other, '?types=domain.created');
    const all = await open(MASTER, '?types=domain.created');
    expect(own.response.headers['content-type']).toBe('text/event-stream');
    await own.until(({ events }) => events.length === 1);
    const second = await create(acme);
    await own.until(({ events }) => events.length === 2);
    const third = await create(other);
    await foreign.until(({ events }) => events.length === 1);
    await all.until(({ events }) => events.length === 3);
    expect([namesOf(own), namesOf(foreign), namesOf(all)]).toEqual([[first, second], [third], [first, second, third]]);
    const [listed] = (await api.as(acme).get(`/events?domain=${first}`).expect(200)).body as unknown[];
    expect(own.events[0]).toEqual(listed);
  });

  it('goes on after Last-Event-ID, and its heartbeats name no position of others', async () => {
    const [acme, other] = [await api.key('acme'), await api.key('other')];
    const reader = await open(acme, `?after=${await now()}`);
    const first = await create(acme);
    await reader.until(({ events }) => events.length === 1);
    await create(other);
    const newest = await now();
    const { heartbeats } = reader;
    // The second one is later than the event of the other partner for certain.
    await reader.until((each) => each.heartbeats > heartbeats + 1);
    const last = reader.lastEventId;
    expect(Number(last)).toBe(reader.events[0]?.id);
    expect(Number(last)).toBeLessThan(newest);
    reader.close();
    const second = await create(acme);
    const again = await open(acme, '?after=0', { 'Last-Event-ID': last });
    await again.until(({ events }) => events.length === 1);
    expect([namesOf(reader), namesOf(again)]).toEqual([[first], [second]]);
    expect((await open(acme, '', { 'Last-Event-ID': 'x' })).response.statusCode).toBe(422);
    expect((await open(acme, '?limit=1')).response.statusCode).toBe(422);
  });

  it('goes on when the caller of the stream that began first has gone', async () => {
    const [acme, other] = [await api.key('acme'), await api.key('other')];
    const after = await now();
    const first = await open(acme, `?after=${after}`);
    const second = await open(other, `?after=${after}&types=domain.created`);
    const ended = api.log.lines.length + 1;
    first.close();
    await until('the line in the log', () => api.log.lines.length >= ended);
    await create(other);
    await second.until(({ events }) => events.length === 1);
  });

  it('ends when its key is revoked, and sends nothing that happened after it', async () => {
    const [acme, admin] = [await api.key('acme'), MASTER];
    const keyId = (await api.as(acme).get('/me').expect(200)).body;
    expect(keyId).toMatchObject({ partner_ref: 'acme' });
    const reader = await open(acme, `?after=${await now()}&types=domain.created`);
    await create(acme);
    await reader.until(({ events }) => events.length === 1);
    await api.as(admin).put(`/api-keys/${acme}`, { active: false }).expect(200);
    await api
      .as(admin)
      .post('/domains/', { name: `late${made}.example`, partner_ref: 'acme' })
      .expect(201);
    await reader.ended();
    expect(reader.events).toHaveLength(1);
    expect((await open(acme)).response.statusCode).toBe(401);
  });

  it('ends a silent stream of a revoked key at its next heartbeat', async () => {
    const acme = await api.key('acme');
    const reader = await open(acme, `?after=${await now()}&types=job.missed`);
    await reader.until(({ heartbeats }) => heartbeats > 0);
    await api.as(MASTER).delete(`/api-keys/${acme}`).expect(204);
    await reader.ended();
  });

  it('is for those who may list the events, five streams a key', async () => {
    expect((await open(POLICY)).response.statusCode).toBe(403);
    const acme = await api.key('acme');
    const five = [await open(acme), await open(acme), await open(acme), await open(acme), await open(acme)];
    const sixth = await open(acme);
    expect(sixth.response.statusCode).toBe(429);
    expect((await open(await api.key('acme'))).response.statusCode).toBe(200);
    five[0]?.close();
    let again = await open(acme);
    // The service learns a moment later that the client has closed the connection.
    while (again.response.statusCode === 429) again = await open(acme);
    expect(again.response.statusCode).toBe(200);
  });

  it('closes a stream whose client does not read, and keeps nothing for it meanwhile', async () => {
    const acme = await api.key('acme');
    const position = await now();
    const reader = await open(MASTER, `?after=${position}`, { 'X-Request-Id': 'does-not-read' });
    reader.response.pause();
    // More than the buffers of the connection hold.
    const long = 'x'.repeat(1_000_000);
    const rows = Array.from({ length: 6 }, (_, index) => index);
    for (let batch = 0; batch < 2; batch += 1) {
      for (const index of rows) {
        await api.database.write(
          "INSERT INTO audit_log (changed_at, actor_kind, actor, action, subject, event_type, value_after) VALUES (0, 'system', 't', 'job.missed', ?, 'job.missed', ?)",
          [`${batch}-${index}`, JSON.stringify({ long })],
        );
      }
      await now();
    }
    const live = await open(acme, `?after=${await now()}`);
    await create(acme);
    await live.until(({ events }) => events.length === 1);
    await until('the service to close it', () => api.log.lines.some((line) => line.requestId === 'does-not-read'));
    reader.response.resume();
    await reader.ended();
    expect(reader.events.length).toBeLessThan(12);
    await api.database.write("DELETE FROM audit_log WHERE action = 'job.missed'");
  });

  it('asks the database for all streams together', async () => {
    const acme = await api.key('acme');
    const other = await api.key('other');
    const after = `?after=${await now()}&types=domain.created`;
    const many: EventReader[] = [];
    for (const token of [acme, acme, acme, acme, acme, other, other, other, other, other])
      many.push(await open(token, after));
    const reads = countReads(api.database);
    const name = await create(acme);
    await Promise.all(many.slice(0, 5).map((reader) => reader.until(({ events }) => events.length === 1)));
    const feedReads = reads.end().filter((sql) => /FROM audit_log l/.test(sql));
    expect(many.map(namesOf)).toEqual([
      ...Array.from({ length: 5 }, () => [name]),
      ...Array.from({ length: 5 }, () => []),
    ]);
    // A stream that read for itself would name its partner.
    expect(feedReads.length).toBeGreaterThan(0);
    expect(feedReads.filter((sql) => /partner_id = /.test(sql))).toEqual([]);
  });

  it('of a session: two at a time, and it does not keep an idle session alive', async () => {
    const browser = new Browser(api.url);
    await browser.enter(await api.key('acme'));
    const cookie = { Cookie: browser.cookie ?? '', Authorization: '' };
    const position = `?after=${await now()}`;
    const first = await open('', position, cookie);
    await first.until(({ heartbeats }) => heartbeats > 0);
    expect((await open('', position, cookie)).response.statusCode).toBe(200);
    expect((await open('', position, cookie)).response.statusCode).toBe(429);
    // Its heartbeats look the session up for longer than an idle one lives.
    for (let hours = 0; hours < 13; hours += 1) {
      api.clock.advance(HOUR_MS);
      const { heartbeats } = first;
      if (!first.isEnded) await first.until((reader) => reader.heartbeats > heartbeats).catch(() => undefined);
    }
    await first.ended();
    expect((await open('', position, cookie)).response.statusCode).toBe(401);
  });

  it('answers HEAD without a body, and does not stay open', async () => {
    const response = await fetch(`${api.url}/events/stream`, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${MASTER}` },
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('ends at the begin of the shutdown, and refuses new streams', async () => {
    const reader = await open(MASTER, `?after=${await now()}`);
    await reader.until(({ heartbeats }) => heartbeats > 0);
    api.container.get(ShutdownCheck).begin();
    await reader.ended();
    expect((await open(MASTER)).response.statusCode).toBe(503);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});

function countReads(database: Database): { end: () => string[] } {
  const read = database.read.bind(database);
  const statements: string[] = [];
  Object.assign(database, {
    read: (...given: Parameters<typeof read>) => {
      statements.push(given[0]);
      return read(...given);
    },
  });
  return {
    end: () => {
      Object.assign(database, { read });
      return statements;
    },
  };
}
