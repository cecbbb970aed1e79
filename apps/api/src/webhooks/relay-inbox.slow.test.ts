import type { DatabaseKind } from '@mailstead/adapters/database/testing/database-fixture';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { AppError } from '@mailstead/core/errors';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import { PurgeRelayEvents } from '@mailstead/core/relay-events/purge-relay-events';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, manyRecipients, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

const MAX_BODY_BYTES = 1_024 * 1_024;
const HOUR_MS = 3_600_000;
/** A domain whose bounces cannot be counted, because a database trigger refuses them. */
const REFUSED = 'refused.example';
const REASON = 'no row for this domain';

interface Failure {
  id: number;
  reason: string;
  attempts: number;
}

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET });
    await api.as(MASTER).post('/domains/', { name: REFUSED }).expect(201);
    api.clock.advance(1_000);
    await refuseBounces(api, kind, REFUSED);
  });
  afterAll(() => api.close());

  const process = () => api.container.get(ProcessRelayEvents).execute();
  /** Creates a domain. Mail is then sent later than that. */
  const made = async (name: string) => {
    await api.as(MASTER).post('/domains/', { name }).expect(201);
    api.clock.advance(1_000);
    return name;
  };
  const outboundOf = async (name: string) =>
    (await api.as(MASTER).get(`/domains/${name}/outbound`).expect(200)).body as { bounces: number };
  const bouncesOf = async (name: string) => (await outboundOf(name)).bounces;
  const post = (payload: unknown, id?: string) =>
    postSigned(api.url, payload, { at: api.clock.now(), ...(id === undefined ? {} : { id }) });
  const bounce = (name: string, recipients: string[] = ['jane@example.net']) =>
    post(bounceOf(name, recipients, { at: api.clock.now() }));
  const failures = async (): Promise<Failure[]> => {
    const jobs = (await api.as(MASTER).get('/jobs').expect(200)).body as { name: string; failed: Failure[] }[];
    return jobs.find(({ name }) => name === 'relay-events.process')?.failed ?? [];
  };
  const metric = async (state: string) => {
    const { text } = await api.as(MASTER).get('/metrics').expect(200);
    return Number(new RegExp(`^mailstead_relay_events_unprocessed\\{state="${state}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  /** Replaces the stored form of an event, as another version or a defect might have written it. */
  const overwriteEvent = async (id: string, stored: string) => {
    const { affected } = await api.database.write('UPDATE relay_event SET event = ? WHERE provider_id = ?', [
      stored,
      id,
    ]);
    expect(affected).toBe(1);
  };
  const deleteEvents = async () => {
    await api.database.write('DELETE FROM relay_event');
  };
  afterEach(deleteEvents);

  it('counts each recipient of one signed event with 20,000 recipients once, also when it is delivered again', async () => {
    const name = await made('large.example');
    const event = bounceOf(name, manyRecipients(20_000), { messageId: 'large', at: api.clock.now() });
    expect(await post(event)).toBe(200);
    expect(await bounce(name)).toBe(200);
    await process();
    expect(await bouncesOf(name)).toBe(20_001);
    expect(await post(event)).toBe(200);
    expect(await process()).toMatchObject({ repeated: 1, counted: 0, failed: 0 });
    expect(await bouncesOf(name)).toBe(20_001);
    expect(await failures()).toEqual([]);
  });

  it('counts the maximum number of recipients in a body of 1 MiB, with several such events together', async () => {
    const name = await made('largest.example');
    const fits = (count: number) =>
      Buffer.byteLength(JSON.stringify(bounceOf(name, manyRecipients(count)))) <= MAX_BODY_BYTES;
    let count = 40_000;
    while (fits(count + 500)) count += 500;
    const large = await Promise.all([0, 1, 2].map(() => bounce(name, manyRecipients(count))));
    expect(large).toEqual([200, 200, 200]);
    expect(await bounce(name)).toBe(200);
    await process();
    expect(await bouncesOf(name)).toBe(3 * count + 1);
    expect(await failures()).toEqual([]);
  });

  it('stores and counts a recipient that needs the maximum number of bytes when quoted', async () => {
    const name = await made('quoted.example');
    expect(await bounce(name, ["'\\".repeat(300_000)])).toBe(200);
    await process();
    expect(await bouncesOf(name)).toBe(1);
  });

  it('does not block a partner for mail that was sent while another partner had the name', async () => {
    const [former, later] = [await api.key('former'), await api.key('later')];
    const name = 'handed-on.example';
    await api.as(former).post('/domains/', { name }).expect(201);
    const sentAt = api.clock.now();
    await api.as(former).delete(`/domains/${name}`).expect(204);
    api.clock.advance(HOUR_MS);
    await api.as(later).post('/domains/', { name }).expect(201);
    await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: 50, record: true }).expect(200);
    const status = async () =>
      ((await api.as(later).get(`/domains/${name}/outbound`).expect(200)).body as { outbound_status: string })
        .outbound_status;
    const bounceOfMailAt = (at: Date) => post(bounceOf(name, manyRecipients(100), { at }));
    expect(await bounceOfMailAt(sentAt)).toBe(200);
    await process();
    expect(await status()).toBe('active');
    api.clock.advance(HOUR_MS);
    expect(await bounceOfMailAt(api.clock.now())).toBe(200);
    await process();
    expect(await status()).toBe('blocked');
  });

  it.each([
    ['another partner', 'partner-a', 'partner-b'],
    ['the same partner', 'partner-c', 'partner-c'],
  ])('counts no bounce of mail that was sent before %s created the domain anew', async (_, first, second) => {
    const [former, present] = [await api.key(first), await api.key(second)];
    const name = `anew-${first}.example`;
    await api.as(former).post('/domains/', { name }).expect(201);
    await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: 50, record: true }).expect(200);
    const sentAt = api.clock.now();
    await api.as(former).delete(`/domains/${name}`).expect(204);
    api.clock.advance(HOUR_MS);
    await api.as(present).post('/domains/', { name }).expect(201);
    expect(await post(bounceOf(name, manyRecipients(20), { at: sentAt }))).toBe(200);
    expect(await process()).toMatchObject({ unknown_domain: 1, counted: 0, failed: 0 });
    expect(await outboundOf(name)).toMatchObject({ bounces: 0, outbound_status: 'active' });
    expect(await post(bounceOf(name, ['jane@example.net'], { at: api.clock.now() }))).toBe(200);
    expect(await process()).toMatchObject({ unknown_domain: 0, counted: 1 });
    expect(await outboundOf(name)).toMatchObject({ bounces: 1 });
    await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
    const [month] = (await api.as(MASTER).get(`/domains/${name}/outbound/history`).expect(200)).body as {
      bounces: number;
    }[];
    expect(month?.bounces).toBe(1);
  });

  it('counts the good events without waiting for bad ones, each once', async () => {
    const good = await Promise.all(Array.from({ length: 5 }, (_, index) => made(`good${index}.example`)));
    const invalid = ['not json', 'null', '{}', '[]', '{"kind":"bounce","recipients":7}'];
    for (const [index, name] of good.entries()) {
      expect(await bounce(name)).toBe(200);
      expect(await post(bounceOf(name, ['invalid@example.net']), `invalid-${index}`)).toBe(200);
      await overwriteEvent(`invalid-${index}`, invalid[index] ?? '');
      expect(await bounce(REFUSED)).toBe(200);
      expect(await bounce(name, ['joe@example.net'])).toBe(200);
    }
    expect(await process()).toMatchObject({ counted: 10, failed: 10 });
    for (const name of good) expect(await bouncesOf(name)).toBe(2);
    expect(await process()).toMatchObject({ counted: 0, failed: 0 });
    expect(await bouncesOf(REFUSED)).toBe(0);
    const found = await failures();
    expect(found).toHaveLength(10);
    expect(found.filter(({ reason }) => reason.includes(REASON))).toHaveLength(5);
    expect(found.filter(({ reason }) => reason.includes('stored event'))).toHaveLength(5);
    expect(await metric('retried')).toBe(10);
  });

  it.each([
    ['a field of an odd type', (event: object) => ({ ...event, notSpam: 'no' })],
    ['a time that is none', (event: object) => ({ ...event, sentAt: 'yesterday' })],
    ['recipients of an odd type', (event: object) => ({ ...event, recipients: [{ emailAddress: 'a' }] })],
    ['an unknown kind', (event: object) => ({ ...event, kind: 'delivery' })],
  ])('reports %s and counts the next event', async (what, odd) => {
    const name = await made(`${what.replaceAll(' ', '-')}.example`);
    expect(await post(bounceOf(name, ['a@example.net']), 'odd')).toBe(200);
    const [row] = await api.database.read<{ event: string }>('SELECT event FROM relay_event');
    await overwriteEvent('odd', JSON.stringify(odd(JSON.parse(row?.event ?? '') as object)));
    expect(await bounce(name)).toBe(200);
    expect(await process()).toMatchObject({ counted: 1, failed: 1 });
    expect(await failures()).toEqual([expect.objectContaining({ attempts: 1 })]);
  });

  it('ignores an event of a domain that was deleted meanwhile, and counts those of other domains', async () => {
    const [gone, here] = [await made('gone.example'), await made('here.example')];
    expect(await bounce(gone, manyRecipients(5_000))).toBe(200);
    expect(await bounce(here)).toBe(200);
    await api.as(MASTER).delete(`/domains/${gone}`).expect(204);
    expect(await process()).toMatchObject({ counted: 1, unknown_domain: 1, failed: 0 });
    expect(await bouncesOf(here)).toBe(1);
  });

  it('tries a bad event a limited number of times with growing waits, sets it aside, and keeps it until the purge', async () => {
    expect(await bounce(REFUSED)).toBe(200);
    let attempts = 0;
    let waitedMs = 0;
    for (;;) {
      const { failed = 0 } = await process();
      attempts += failed;
      const [failure] = await failures();
      expect(failure).toMatchObject({ attempts, reason: expect.stringContaining(REASON) });
      if (failure?.reason.includes('set aside')) break;
      // The event is not tried before it is due, and a job is queued for that time.
      expect((await process()).failed).toBe(0);
      const comesBack = api.jobs.jobs.filter(({ name }) => name === 'relay-events.process').at(-1)?.options.runAt;
      const waitMs = (comesBack?.getTime() ?? 0) - api.clock.now().getTime();
      expect(waitMs).toBeGreaterThan(waitedMs);
      waitedMs = waitMs;
      api.clock.advance(waitMs);
    }
    expect(attempts).toBe(8);
    expect([await metric('retried'), await metric('set_aside')]).toEqual([0, 1]);
    api.clock.advance(48 * HOUR_MS);
    expect((await process()).failed).toBe(0);
    api.clock.advance(32 * 24 * HOUR_MS);
    await api.container.get(PurgeRelayEvents).execute();
    expect(await failures()).toHaveLength(1);
    api.clock.advance(2 * 24 * HOUR_MS);
    await api.container.get(PurgeRelayEvents).execute();
    expect(await failures()).toEqual([]);
  });

  it('processes events that were set aside again when the operator runs the job', async () => {
    const name = await made('mended.example');
    expect(await post(bounceOf(name, ['a@example.net'], { at: api.clock.now() }), 'mended')).toBe(200);
    const [row] = await api.database.read<{ event: string }>('SELECT event FROM relay_event');
    await overwriteEvent('mended', 'not json');
    await api.database.write('UPDATE relay_event SET attempts = 7');
    await process();
    expect(await metric('set_aside')).toBe(1);
    await overwriteEvent('mended', row?.event ?? '');
    await api.as(MASTER).post('/jobs/relay-events.process/run').expect(202);
    expect(api.jobs.jobs.at(-1)).toMatchObject({ name: 'relay-events.process' });
    expect(await process()).toMatchObject({ counted: 1 });
    expect(await bouncesOf(name)).toBe(1);
    expect(await failures()).toEqual([]);
  });

  it('does not count a failure of the database as an attempt', async () => {
    const name = await made('outage.example');
    expect(await bounce(name)).toBe(200);
    const openSession = api.database.openSession.bind(api.database);
    api.database.openSession = () => Promise.reject(new AppError('database_unavailable'));
    // The server itself answers, so the refusal of a connection is told as busy.
    await expect(process()).rejects.toMatchObject({ code: 'busy' });
    // The database works again, then fails while events are processed.
    let sessions = 0;
    api.database.openSession = async () => {
      const session = await openSession();
      sessions += 1;
      if (sessions <= 2) {
        session.finish = () => Promise.reject(new AppError('database_unavailable'));
        session.commit = () => Promise.reject(new AppError('database_unavailable'));
      }
      return session;
    };
    await process();
    api.database.openSession = openSession;
    expect(await failures()).toEqual([expect.objectContaining({ attempts: 0 })]);
    expect(await bouncesOf(name)).toBe(0);
    api.clock.advance(60_000);
    expect(await process()).toMatchObject({ counted: 1 });
    expect(await bouncesOf(name)).toBe(1);
  });

  it('counts each bounce once when several processors run at the same time, with bad events', async () => {
    const name = await made('many.example');
    for (let index = 0; index < 30; index += 1) expect(await bounce(index % 10 === 0 ? REFUSED : name)).toBe(200);
    expect(await bounce(name, manyRecipients(5_000))).toBe(200);
    await Promise.all(Array.from({ length: 4 }, process));
    expect(await bouncesOf(name)).toBe(5_027);
    expect((await failures()).every(({ reason }) => reason.includes(REASON))).toBe(true);
    expect(await failures()).toHaveLength(3);
  });
});

/** Creates a trigger with which the database refuses the daily counter rows of this domain. */
async function refuseBounces(api: TestApi, kind: DatabaseKind, name: string): Promise<void> {
  const [row] = await api.database.read<{ id: number }>('SELECT id FROM domain WHERE name = ?', [name]);
  const refuse =
    kind === 'mariadb'
      ? `FOR EACH ROW IF NEW.domain_id = ${row?.id} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '${REASON}'; END IF`
      : `WHEN NEW.domain_id = ${row?.id} BEGIN SELECT RAISE(ABORT, '${REASON}'); END`;
  await api.database.writer.query(`CREATE TRIGGER refuse_bounces BEFORE INSERT ON outbound_day ${refuse}`);
}
