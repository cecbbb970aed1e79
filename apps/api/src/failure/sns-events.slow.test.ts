import { aSesBounce, aSesComplaint } from '@mailstead/adapters/ses/testing/ses-messages';
import type { TestPlatform } from '../testing/platform.js';
import { postSns, type SesPlatform, startSesPlatform } from '../testing/ses-platform.js';

const DOMAIN = 'storm.example';
const PER_KIND = 200;

/** One signed SNS message. Every delivery of it has the same bytes. */
type Sent = ReturnType<SesPlatform['signed']>;

describe('events of SES, signed by SNS, while an API, a worker and the database are killed', () => {
  let ses: SesPlatform;
  let platform: TestPlatform;

  beforeAll(async () => {
    ses = await startSesPlatform();
    platform = ses.platform;
    await platform.api.call('POST', '/domains/', { name: DOMAIN });
    await platform.api.call('POST', `/domains/${DOMAIN}/outbound/increment`, { count: 1_000, record: true });
  });
  afterAll(() => ses.stop());

  /** Creates bounces, complaints and deliveries. SES reports every fifth bounce in both of its formats. */
  function manyEvents(): Sent[] {
    const mail = (messageId: string) => ({ timestamp: new Date().toISOString(), messageId, source: `news@${DOMAIN}` });
    return Array.from({ length: PER_KIND }, (_, index) => [
      ses.signed(aSesBounce('notificationType', { mail: mail(`bounced-${index}`) })),
      ...(index % 5 === 0 ? [ses.signed(aSesBounce('eventType', { mail: mail(`bounced-${index}`) }))] : []),
      ses.signed(aSesComplaint('notificationType', { mail: mail(`complained-${index}`) })),
      ses.signed({ notificationType: 'Delivery', mail: mail(`delivered-${index}`), delivery: {} }),
    ]).flat();
  }

  const post = (api: number, { body }: Sent) => postSns(platform.apis[api]?.url ?? '', body);

  it('are each processed once when acknowledged; others are sent again, and none stays unprocessed', async () => {
    const messages = manyEvents();
    const acknowledged = new Set<Sent>();
    const send = async (api: number, message: Sent): Promise<void> => {
      if ((await post(api, message).catch(() => 0)) === 200) acknowledged.add(message);
    };
    let next = 0;
    let databaseIsBack: Promise<void> = Promise.resolve();
    const sender = async (): Promise<void> => {
      while (next < messages.length) {
        const index = next;
        next += 1;
        const message = messages[index];
        if (message === undefined) return;
        // SNS delivers at least once: every fourth message is sent to both processes at the same time.
        await Promise.all((index % 4 === 0 ? [0, 1] : [index % 2]).map((api) => send(api, message)));
        if (index === 150) void platform.apis[1].end('SIGKILL');
        if (index === 250) void platform.workers[0].end('SIGKILL');
        if (index === 350) {
          databaseIsBack = platform.services.mariadb.kill().then(() => platform.services.mariadb.start());
        }
      }
    };
    await Promise.all(Array.from({ length: 16 }, sender));
    await databaseIsBack;
    expect(acknowledged.size).toBeGreaterThan(150);
    expect(acknowledged.size).toBeLessThan(messages.length);
    const stored = new Set(
      (await platform.sql<{ provider_id: string }>('SELECT provider_id FROM relay_event')).map(
        (row) => row.provider_id,
      ),
    );
    expect([...acknowledged].filter(({ id }) => !stored.has(id))).toEqual([]);

    // The processes that were not killed serve again without a restart.
    await Promise.all([platform.replaceApi(1), platform.replaceWorker(0)]);
    for (const [index, message] of messages.entries()) {
      if (acknowledged.has(message)) continue;
      await platform.api.until(async () => (await post(index % 2, message)) === 200);
    }
    const waiting = () =>
      platform.sql(
        "SELECT id FROM relay_event WHERE processed_at IS NULL UNION ALL SELECT id FROM job WHERE name = 'relay-events.process'",
      );
    await platform.api.until(async () => {
      // Lets the lease of the killed worker expire, and the wait after an attempt without a database.
      await platform.sql("UPDATE job SET leased_until = NULL, run_at = 0 WHERE name = 'relay-events.process'");
      return (await waiting()).length === 0;
    });
    expect((await platform.api.call('GET', `/domains/${DOMAIN}/outbound`)).body).toMatchObject({
      bounces: PER_KIND,
      complaints: PER_KIND,
      outbound_status: 'blocked',
    });
    const [rows] = await platform.sql<{ events: number; effects: number }>(
      'SELECT (SELECT COUNT(*) FROM relay_event) AS events, (SELECT COUNT(*) FROM relay_effect) AS effects',
    );
    // A complaint also has one for the domain of its recipients.
    expect(rows).toEqual({ events: messages.length, effects: 3 * PER_KIND });
    expect((await platform.sql("SELECT name FROM job WHERE state = 'dead'")).length).toBe(0);
    expect([platform.apis[0], platform.workers[1]].map(({ isRunning }) => isRunning)).toEqual([true, true]);
  });
});
