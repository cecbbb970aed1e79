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

/** Posts large, bad and good events in mixed order. */
function mixed(): object[] {
  return Array.from({ length: GOOD_EVENTS }, (_, index) => [
    ...(index % 10 === 0 ? [bounceOf(LARGE, manyRecipients(RECIPIENTS))] : []),
    ...(index % 5 === 0 ? [bounceOf(REFUSED, ['a@example.net'])] : []),
    bounceOf(GOOD, ['a@example.net']),
  ]).flat();
}

const bouncesOf = async (api: ChildService, name: string) =>
  Number((await api.call('GET', `/domains/${name}/outbound`)).body.bounces);

/** Kills the process while it counts a large event, which it does in several transactions. */
async function killInTheMiddle(api: ChildService, kill: () => Promise<unknown>): Promise<void> {
  await api.until(async () => (await bouncesOf(api, LARGE)) > 0);
  await kill();
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
    const onDatabase = async (work: (database: Database) => Promise<unknown>) => {
      const database = await openDatabase({ url: null, dataDir, poolSize: 1 });
      await work(database);
      await database.close();
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
    await killInTheMiddle(api, () => api.end('SIGKILL'));
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
      for (const event of mixed()) expect(await postSns(platform.api.url, ses.signed(event).body)).toBe(200);
      await killInTheMiddle(platform.api, () =>
        Promise.all([platform.workers[0].end('SIGKILL'), platform.workers[1].end('SIGKILL')]),
      );
      await Promise.all([platform.replaceWorker(0), platform.replaceWorker(1)]);
      await platform.sql('UPDATE job SET leased_until = 0 WHERE leased_until IS NOT NULL');
      await expectAllCountedOnce(platform.api);
    });
  });
});
