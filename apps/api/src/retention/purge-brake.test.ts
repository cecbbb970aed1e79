import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { BILLING, MASTER } from '../testing/api-fixture.js';
import { copyRow } from '../testing/copied-rows.js';
import { documentedMembers } from '../testing/documented-members.js';
import { StoredMail } from '../testing/stored-mail.js';

const BRAKE = 3;
const NOTIFIED = {
  NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
  NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
};

onHttpDatabase((kind) => {
  let mail: StoredMail;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    mail = await StoredMail.start(kind, { ...NOTIFIED, PURGE_BRAKE: String(BRAKE) });
    acme = await mail.api.key('acme');
  });
  afterAll(() => mail.stop());
  // The brake counts the domains of the whole installation, so each test begins without any.
  afterEach(async () => {
    for (const table of ['domain', 'notification', 'audit_log'])
      await mail.api.database.write(`DELETE FROM ${table}`, [], []);
    mail.api.jobs.jobs.length = 0;
  });

  /** Creates domains whose retention of 90 days the purge applied already. */
  async function domains(count: number): Promise<string[]> {
    const names = Array.from({ length: count }, () => `kept-${(made += 1)}.example`);
    await mail.api
      .as(MASTER)
      .post('/domains/bulk', { items: names.map((name) => ({ name })) })
      .expect(200);
    for (let from = 0; from < count; from += BRAKE) {
      for (const name of names.slice(from, from + BRAKE)) await mail.setRetention(name, 90);
      mail.api.clock.advance(DAY_MS);
      await mail.purge();
    }
    for (const name of names) mail.deliver(name);
    return names;
  }

  async function lower(names: string[], days: number): Promise<void> {
    for (const name of names) await mail.setRetention(name, days);
    mail.api.clock.advance(DAY_MS);
  }

  const allAges = (names: string[]) => names.map((name) => mail.ages(name));
  const warnings = async () => (await mail.api.as(MASTER).get('/health/ready').expect(200)).body.warnings;
  const notifications = async () =>
    (await mail.api.database.read<{ data: string }>("SELECT data FROM notification WHERE type = 'purge.braked'")).map(
      ({ data }) => JSON.parse(data) as unknown,
    );
  const run = (body?: object, token = MASTER, job = 'retention.purge') =>
    mail.api.as(token).post(`/jobs/${job}/run`, body);
  const release = () => run({ release_brake: true }).expect(202);

  it('lowered retentions of as many domains as the brake allows are applied', async () => {
    const names = await domains(BRAKE);
    await lower(names, 30);
    expect(await mail.purge()).toMatchObject({ held: 0 });
    expect(allAges(names)).toEqual(names.map(() => [10]));
    expect([await warnings(), await notifications()]).toEqual([[], []]);
  });

  it('of more domains, each keeps its former retention, with a warning and one notification, until the release', async () => {
    const names = await domains(BRAKE + 1);
    await lower(names, 30);
    for (let night = 0; night < 2; night += 1) {
      expect(await mail.purge()).toMatchObject({ held: BRAKE + 1 });
      expect(allAges(names)).toEqual(names.map(() => [10, 40, 70]));
      mail.api.clock.advance(60 * DAY_MS);
      for (const name of names) mail.deliver(name);
    }
    expect(await warnings()).toEqual([
      { name: 'purge_brake', detail: expect.stringContaining(`${BRAKE + 1} domains`) },
    ]);
    expect(await notifications()).toEqual([{ held: BRAKE + 1, brake: BRAKE }]);
    expect(documentedMembers('purge.braked')).toEqual(['brake', 'held']);
    await release();
    expect(mail.api.jobs.jobs).toContainEqual(
      expect.objectContaining({ name: 'schedule.run', payload: { name: 'retention.purge' } }),
    );
    expect(await warnings()).toEqual([]);
    expect(await mail.purge()).toMatchObject({ held: 0 });
    expect(allAges(names)).toEqual(names.map(() => [10]));
    const { body: audit } = await mail.api.as(MASTER).get('/audit').expect(200);
    expect(audit).toContainEqual(
      expect.objectContaining({ action: 'purge.release_brake', actor_kind: 'master', after: { domains: BRAKE + 1 } }),
    );
  });

  it('a release does not reach domains that are lowered, or lowered further, after the purge that held them', async () => {
    const [held, later] = [await domains(BRAKE + 1), await domains(BRAKE + 1)];
    await lower(held, 60);
    await mail.purge();
    await lower(later, 30);
    await lower(held, 30);
    await release();
    expect(await mail.purge()).toMatchObject({ held: 2 * (BRAKE + 1) });
    expect(allAges(later)).toEqual(later.map(() => [10, 40, 70]));
    expect(allAges(held)).toEqual(held.map(() => [10, 40]));
  });

  it('a held domain stays held when others are corrected, and a corrected one keeps all its mail', async () => {
    const names = await domains(BRAKE + 1);
    await lower(names, 30);
    await mail.purge();
    const [corrected, ...others] = names as [string, ...string[]];
    await mail.setRetention(corrected, 90);
    expect(await mail.purge()).toMatchObject({ held: BRAKE });
    await release();
    await mail.purge();
    expect(mail.ages(corrected)).toEqual([10, 40, 70]);
    expect(allAges(others)).toEqual(others.map(() => [10]));
  });

  it('a raise to keep all mail is remembered: the same lower value is newly lowered again', async () => {
    const names = await domains(BRAKE + 1);
    for (const name of names) await mail.setRetention(name, 0);
    await mail.purge();
    for (const name of names) mail.deliver(name);
    await lower(names, 90);
    expect(await mail.purge()).toMatchObject({ held: BRAKE + 1 });
    expect(allAges(names)).toEqual(names.map(() => [10, 40, 70, 100]));
  });

  it('domains that are activated together later are held, too', async () => {
    const names = await domains(BRAKE + 1);
    for (const name of names) await mail.api.as(MASTER).put(`/domains/${name}/suspend`).expect(200);
    await lower(names, 30);
    expect(await mail.purge()).toMatchObject({ held: 0 });
    for (const name of names) await mail.api.as(MASTER).put(`/domains/${name}/activate`).expect(200);
    expect(await mail.purge()).toMatchObject({ held: BRAKE + 1 });
    expect(allAges(names)).toEqual(names.map(() => [10, 40, 70]));
  });

  it('a purge that is interrupted and continued applies no lowered retention of too many domains', async () => {
    const names = await domains(2 * BRAKE);
    await lower(names, 30);
    let cursor = 0;
    const interrupted = mail.purge({
      cursor,
      save: async (at) => {
        cursor = at;
        throw new Error('killed');
      },
    });
    await expect(interrupted).rejects.toThrow('killed');
    expect(cursor).toBeGreaterThan(0);
    await mail.purge({ cursor, save: async () => {} });
    expect(allAges(names)).toEqual(names.map(() => [10, 40, 70]));
    expect(await warnings()).toEqual([expect.objectContaining({ name: 'purge_brake' })]);
  });

  it('a purge that is killed after any step of its progress has notified of the domains that it held', async () => {
    const names = await domains(2 * BRAKE);
    await lower(names, 30);
    for (const [killedAt, isStored] of [1, 2].flatMap((step) =>
      [false, true].map((stored) => [step, stored] as const),
    )) {
      let [steps, cursor] = [0, 0];
      const interrupted = mail.purge({
        cursor,
        save: async (at) => {
          steps += 1;
          if (steps < killedAt || isStored) cursor = at;
          if (steps === killedAt) throw new Error('killed');
        },
      });
      await expect(interrupted).rejects.toThrow('killed');
      await mail.purge({ cursor, save: async () => {} });
      expect([killedAt, isStored, await notifications()]).toEqual([
        killedAt,
        isStored,
        expect.arrayContaining([{ held: 2 * BRAKE, brake: BRAKE }]),
      ]);
      for (const name of names) await mail.setRetention(name, 90);
      await mail.purge();
      await mail.api.database.write('DELETE FROM notification');
      await lower(names, 30);
    }
  });

  it('a preview shows what the purge would remove while it holds the domain', async () => {
    const names = await domains(BRAKE + 1);
    await lower(names, 30);
    await mail.purge();
    const preview = () => mail.api.as(MASTER).post(`/domains/${names[0]}/retention/preview`).expect(200);
    expect((await preview()).body).toMatchObject({ messages: 0 });
    await release();
    expect((await preview()).body).toMatchObject({ messages: 2 });
  });

  it('a deleted domain leaves no mark, so that the warning ends', async () => {
    const names = await domains(BRAKE + 1);
    await lower(names, 30);
    await mail.purge();
    for (const name of names) await mail.api.as(MASTER).delete(`/domains/${name}`).expect(204);
    expect(await warnings()).toEqual([]);
  });

  it('only master releases the brake, and only of the purge', async () => {
    await run({ release_brake: true }, acme).expect(403);
    await run({ release_brake: true }, BILLING).expect(403);
    for (const job of ['housekeeping', 'relay-events.process', 'retention.remind']) {
      const { body } = await run({ release_brake: true }, MASTER, job).expect(422);
      expect(body.errors).toEqual([{ field: 'release_brake', message: expect.any(String) }]);
    }
    await run({ release_brake: 'yes' }).expect(422);
    await run({ unknown: true }).expect(422);
    await run().expect(202);
    await run({}).expect(202);
    await run({ release_brake: false }).expect(202);
    const { body: audit } = await mail.api.as(MASTER).get('/audit').expect(200);
    expect(audit.filter(({ action }: { action: string }) => action === 'purge.release_brake')).toEqual([]);
  });
});

describe('with PURGE_BRAKE=0', () => {
  let mail: StoredMail;
  beforeAll(async () => {
    mail = await StoredMail.start('sqlite', { PURGE_BRAKE: '0' });
  });
  afterAll(() => mail.stop());

  it('lowered retentions of any number of domains are applied', async () => {
    await mail.domain('free.example');
    await mail.setRetention('free.example', 30);
    const { database } = mail.api;
    const [domain] = await database.read('SELECT id FROM domain');
    await copyRow(database, { table: 'domain', id: Number(domain?.id), unique: 'name' }, 59);
    for (const { name } of await database.read<{ name: string }>('SELECT name FROM domain')) mail.deliver(name);
    mail.api.clock.advance(DAY_MS);
    expect(await mail.purge()).toMatchObject({ held: 0, messages: 180 });
  });
});
