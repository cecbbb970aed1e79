import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { ChildService } from '../testing/child-service.js';
import { bounceOf, manyRecipients, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';
import { postSns, type SesPlatform, startSesPlatform } from '../testing/ses-platform.js';

const LARGE = 'large.example';
const GOOD = 'good.example';
/** A domain whose bounces cannot be counted, because a database trigger refuses them. */
const REFUSED = 'refused.example';
const RECIPIENTS = 20_000;
const LARGE_EVENTS = 4;
const GOOD_EVENTS = 40;
const REFUSED_EVENTS = 8;

/** Large, bad and good events in mixed order; a large one is the last. */
function mixed(): object[] {
  return Array.from({ length: GOOD_EVENTS }, (_, index) => [
    ...(index % 5 === 0 ? [bounceOf(REFUSED, ['a@example.net'])] : []),
    bounceOf(GOOD, ['a@example.net']),
    ...(index % 10 === 9 ? [bounceOf(LARGE, manyRecipients(RECIPIENTS))] : []),
  ]).flat();
}

const bouncesOf = async (api: ChildService, name: string) =>
  Number((await api.call('GET', `/domains/${name}/outbound`)).body.bounces);

const STORED = `SELECT SUM(bounces) AS bounces FROM outbound_day WHERE domain_id = (SELECT id FROM domain WHERE name = '${LARGE}')`;

/** Kills the process while it counts large events, which it does in several transactions. */
async function killInTheMiddle(
  counting: ChildService,
  read: (sql: string) => Promise<{ bounces: unknown }[]>,
): Promise<void> {
  let counted = 0;
  await counting.pauseWhen('the first bounces of large events', async () => {
    counted = Number((await read(STORED))[0]?.bounces);
    return counted > 0;
  });
  expect(counted).toBeLessThan(LARGE_EVENTS * RECIPIENTS);
  await counting.end('SIGKILL');
}

async function expectAllCountedOnce(api: ChildService): Promise<void> {
  await api.until(async () => (await bouncesOf(api, LARGE)) === LARGE_EVENTS * RECIPIENTS);
  await api.until(async () => (await bouncesOf(api, GOOD)) === GOOD_EVENTS);
  const jobs = (await api.call('GET', '/jobs')).body as unknown as { name: string; failed: { reason: string }[] }[];
  const failed = jobs.find(({ name }) => name === 'relay-events.process')?.failed ?? [];
  expect(failed.map(({ reason }) => reason.includes('refused by trigger'))).toEqual(Array(REFUSED_EVENTS).fill(true));
  expect(await bouncesOf(api, LARGE)).toBe(LARGE_EVENTS * RECIPIENTS);
  expect(await bouncesOf(api, REFUSED)).toBe(0);
}

describe('an inbox with bad events, when the process is killed while it processes them', () => {
  it('on the embedded database: each good bounce counts once', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-'));
    const environment = { DATA_DIR: dataDir, RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, SANDBOX_VERIFY_AFTER: '0' };
    /** Opens the database beside the process that has it. */
    const onDatabase = async <T>(work: (database: Database) => Promise<T>) => {
      const database = await openDatabase({ url: null, dataDir, poolSize: 1 });
      const result = await work(database);
      await database.close();
      return result;
    };
    let api = await ChildService.start(environment);
    for (const name of [LARGE, GOOD, REFUSED]) await api.call('POST', '/domains/', { name });
    await api.end('SIGTERM');
    await onDatabase(({ writer }) =>
      writer.query(
        `CREATE TRIGGER refuse_bounces BEFORE INSERT ON outbound_day WHEN NEW.domain_id = (SELECT id FROM domain WHERE name = '${REFUSED}')
         BEGIN SELECT RAISE(ABORT, 'refused by trigger'); END`,
      ),
    );
    api = await ChildService.start(environment);
    for (const event of mixed()) expect(await postSigned(api.url, event)).toBe(200);
    await killInTheMiddle(api, (sql) => onDatabase((database) => database.read(sql)));
    // Lets the lease of the killed process expire.
    await onDatabase((database) => database.write('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL'));
    api = await ChildService.start(environment);
    await expectAllCountedOnce(api);
    await api.end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('on MariaDB, with events of SES signed by SNS', () => {
    let ses: SesPlatform;

    beforeAll(async () => {
      ses = await startSesPlatform();
    });
    afterAll(() => ses.stop());

    it('each good bounce counts once', async () => {
      const { platform } = ses;
      for (const name of [LARGE, GOOD, REFUSED]) await platform.api.call('POST', '/domains/', { name });
      const [row] = await platform.sql<{ id: number }>('SELECT id FROM domain WHERE name = ?', [REFUSED]);
      await platform.sql(
        `CREATE TRIGGER refuse_bounces BEFORE INSERT ON outbound_day FOR EACH ROW
         IF NEW.domain_id = ${row?.id} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by trigger'; END IF`,
      );
      const [worker, other] = platform.workers;
      await other.end('SIGKILL');
      for (const event of mixed()) expect(await postSns(platform.api.url, ses.signed(event).body)).toBe(200);
      await killInTheMiddle(worker, (sql) => platform.sql(sql));
      await Promise.all([platform.replaceWorker(0), platform.replaceWorker(1)]);
      await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
      await expectAllCountedOnce(platform.api);
    });
  });
});
