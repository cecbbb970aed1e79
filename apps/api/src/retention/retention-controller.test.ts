import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { RemindRetention } from '@mailstead/core/domains/remind-retention';
import { readinessOf } from '@mailstead/core/health-check';
import { MailStoreCheck } from '@mailstead/core/retention/mail-store-check';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { documentedMembers } from '../testing/documented-members.js';
import { StoredMail } from '../testing/stored-mail.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const NOTIFIED = {
  NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
  NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
};

onHttpDatabase((kind) => {
  describe('the retention of a domain', () => {
    let api: TestApi;
    let acme: string;
    let root: string;

    beforeAll(async () => {
      root = await mkdtemp(join(tmpdir(), 'mailstead-mail-'));
      api = await startTestApi(kind, { MAIL_STORE: 'maildir', MAILDIR_ROOT: root });
      // The files of this test get their times from the real clock.
      api.clock.set(new Date());
      acme = await api.key('acme');
    });
    afterAll(async () => {
      await api.close();
      await rm(root, { recursive: true, force: true });
    });

    const homeOf = async (email: string) => {
      const home =
        (await api.database.read<{ home: string }>('SELECT home FROM mailbox WHERE email = ?', [email]))[0]?.home ?? '';
      return join(root, home.slice(0, 2), home);
    };

    /** Creates a mailbox with this number of messages of 100 bytes. */
    async function stored(domain: string, messages: number): Promise<string> {
      await api.as(acme).post('/domains/', { name: domain }).expect(201);
      await api
        .as(acme)
        .post('/users/', { email: `a@${domain}`, password_hash: HASH })
        .expect(201);
      const home = await homeOf(`a@${domain}`);
      const folder = join(home, 'Maildir', 'cur');
      await mkdir(folder, { recursive: true });
      for (let index = 0; index < messages; index += 1)
        await writeFile(join(folder, `${index}.m:2,S`), 'x'.repeat(100));
      return folder;
    }

    const purge = () => api.container.get(PurgeRetention).execute({ cursor: 0, save: async () => {} });

    it('previews what the purge removes, removes it after the grace, and keeps newer mail', async () => {
      const folder = await stored('keep.example', 3);
      await api.as(MASTER).put('/domains/keep.example/retention', { retention_days: 30 }).expect(200);
      const preview = async () =>
        (await api.as(MASTER).post('/domains/keep.example/retention/preview').expect(200)).body;
      api.clock.advance(DAY_MS + 1);
      expect(await preview()).toMatchObject({ messages: 0 });
      await purge();
      expect(await readdir(folder)).toHaveLength(3);
      api.clock.advance(30 * DAY_MS);
      expect(await preview()).toEqual({
        name: 'keep.example',
        saved_before: expect.any(String),
        messages: 3,
        bytes: 300,
      });
      expect(await readdir(folder)).toHaveLength(3);
      expect(await purge()).toMatchObject({ messages: 3, bytes: 300 });
      expect(await readdir(folder)).toEqual([]);
      await api.as(acme).post('/domains/keep.example/retention/preview').expect(403);
    });

    it('purges nothing within the grace after the retention was lowered, and nothing of a suspended domain', async () => {
      const folder = await stored('slip.example', 2);
      api.clock.advance(90 * DAY_MS);
      await api.as(MASTER).put('/domains/slip.example/retention', { retention_days: 1 }).expect(200);
      await purge();
      expect(await readdir(folder)).toHaveLength(2);
      api.clock.advance(DAY_MS);
      await api.as(acme).put('/domains/slip.example/suspend').expect(200);
      await purge();
      expect(await readdir(folder)).toHaveLength(2);
      await api.as(acme).put('/domains/slip.example/activate').expect(200);
      await purge();
      expect(await readdir(folder)).toEqual([]);
    });

    it('purges nothing of a partner in the stage `all`, and purges in the stage `changes`', async () => {
      const folder = await stored('stage.example', 2);
      await api.as(MASTER).put('/domains/stage.example/retention', { retention_days: 1 }).expect(200);
      api.clock.advance(90 * DAY_MS);
      const suspend = (stage: string) => api.as(MASTER).put('/partners/acme/suspend', { stage }).expect(200);
      await suspend('all');
      await purge();
      expect(await readdir(folder)).toHaveLength(2);
      const { body } = await api.as(MASTER).post('/domains/stage.example/retention/preview').expect(200);
      expect(body.messages).toBe(0);
      await suspend('changes');
      await purge();
      expect(await readdir(folder)).toEqual([]);
      await api.as(MASTER).put('/partners/acme/activate').expect(200);
    });

    it('keeps the stored mail of a deleted domain for the grace, and never shows it to the next partner of the name', async () => {
      const folder = await stored('gone.example', 1);
      const oldHome = await homeOf('a@gone.example');
      await api.as(acme).delete('/domains/gone.example').expect(204);
      const rival = await api.key('rival');
      await api.as(rival).post('/domains/', { name: 'gone.example' }).expect(201);
      await api.as(rival).post('/users/', { email: 'a@gone.example', password_hash: HASH }).expect(201);
      expect(await homeOf('a@gone.example')).not.toBe(oldHome);
      const remove = () => api.container.get(RemoveDeletedMail).execute();
      api.clock.advance(7 * DAY_MS - 1);
      expect(await remove()).toMatchObject({ homes: 0 });
      expect(await readdir(folder)).toHaveLength(1);
      api.clock.advance(2);
      expect(await remove()).toMatchObject({ homes: 1, messages: 1, bytes: 100 });
      await expect(readdir(folder)).rejects.toThrow(/ENOENT/);
      expect(await remove()).toMatchObject({ homes: 0 });
    });

    it('keeps the stored mail of a deleted mailbox for the grace, and no row of it after the mail is removed', async () => {
      const folder = await stored('left.example', 1);
      await api.as(acme).delete('/users/a@left.example').expect(204);
      const left = () => api.database.read("SELECT id FROM tombstone WHERE name = 'a@left.example'");
      const remove = () => api.container.get(RemoveDeletedMail).execute();
      api.clock.advance(7 * DAY_MS - 1);
      await remove();
      expect(await readdir(folder)).toHaveLength(1);
      api.clock.advance(1);
      expect(await remove()).toMatchObject({ homes: 1, messages: 1 });
      await expect(readdir(folder)).rejects.toThrow(/ENOENT/);
      expect(await left()).toHaveLength(1);
      await remove();
      expect(await left()).toEqual([]);
    });
  });

  describe('a retention', () => {
    let mail: StoredMail;
    let made = 0;

    beforeAll(async () => {
      mail = await StoredMail.start(kind, NOTIFIED);
    });
    afterAll(() => mail.stop());

    /** Creates a domain with the retention of the largest plan, 90 days, which the purge applies. */
    async function onEnterprise(): Promise<string> {
      const name = `plan-${(made += 1)}.example`;
      await mail.domain(name);
      await setPlan(name, 'enterprise');
      await pass(15);
      await mail.purge();
      mail.deliver(name);
      await mail.api.database.write('DELETE FROM notification');
      return name;
    }

    /** Advances the clock day by day, and runs the reminders each day. */
    async function pass(days: number): Promise<void> {
      for (let day = 0; day < days; day += 1) {
        mail.api.clock.advance(DAY_MS);
        await mail.api.container.get(RemindRetention).execute();
      }
    }

    const setPlan = (name: string, plan: string, token = MASTER) =>
      mail.api.as(token).put(`/domains/${name}/plan`, { plan }).expect(200);
    const notified = async (name: string) =>
      (
        await mail.api.database.read<{ type: string; data: string }>(
          "SELECT type, data FROM notification WHERE type = 'domain.retention_lowered' ORDER BY id",
        )
      )
        .map(({ data }) => JSON.parse(data) as Record<string, unknown>)
        .filter(({ domain }) => domain === name);
    const audited = async (name: string) =>
      (await mail.api.as(MASTER).get(`/audit?domain=${name}`).expect(200)).body
        .filter(({ action }: { action: string }) => action === 'domain.retention_lowered')
        .slice(1);

    it.each<[string, (name: string) => Promise<unknown>]>([
      ['a plan', (name) => setPlan(name, 'starter')],
      ['a plan of billing', (name) => setPlan(name, 'starter', BILLING)],
      ['billing', (name) => mail.setRetention(name, 30, BILLING)],
    ])(
      'lowered by %s reaches the purge after 14 days, and operators are notified at once and on day 10',
      async (_, lower) => {
        const name = await onEnterprise();
        await lower(name);
        const effectiveAt = new Date(mail.api.clock.now().getTime() + 14 * DAY_MS).toISOString().slice(0, -1);
        const first = {
          domain: name,
          partner_ref: null,
          retention_days: 30,
          retention_days_before: 90,
          effective_at: effectiveAt,
          reminder: false,
        };
        expect(await notified(name)).toEqual([first]);
        expect(documentedMembers('domain.retention_lowered')).toEqual(Object.keys(first).sort());
        await pass(9);
        expect(await notified(name)).toHaveLength(1);
        await pass(1);
        expect(await notified(name)).toEqual([first, { ...first, reminder: true }]);
        await pass(3);
        await mail.purge();
        expect(mail.ages(name)).toEqual([10, 40, 70]);
        await pass(1);
        await mail.purge();
        expect(mail.ages(name)).toEqual([10]);
        await pass(10);
        expect(await notified(name)).toHaveLength(2);
        const rows = await audited(name);
        expect(rows.map(({ actor_kind }: { actor_kind: string }) => actor_kind).at(-1)).toBe('system');
        expect(rows.at(-1)).toMatchObject({
          before: { retention_days: 90 },
          after: { retention_days: 30, reminder: true },
        });
      },
    );

    it('raised again before, nothing is removed by the lower value and nobody is reminded', async () => {
      const name = await onEnterprise();
      await setPlan(name, 'starter');
      await pass(9);
      await setPlan(name, 'enterprise');
      await pass(10);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10, 40, 70]);
      expect(await notified(name)).toHaveLength(1);
    });

    it('lowered by master reaches the purge after 24 hours, without a notification', async () => {
      const name = await onEnterprise();
      await mail.setRetention(name, 30);
      await pass(1);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10]);
      expect(await notified(name)).toEqual([]);
    });

    it('two plans one after the other: each value is applied after its own 14 days', async () => {
      const name = await onEnterprise();
      await setPlan(name, 'business');
      await pass(2);
      await setPlan(name, 'starter');
      await pass(11);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10, 40, 70]);
      await pass(1);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10, 40]);
      expect(await notified(name)).toHaveLength(4);
      await pass(2);
      await mail.purge();
      expect(mail.ages(name)).toEqual([10]);
    });
  });

  describe('the check of the mail store', () => {
    const opened: TestApi[] = [];

    afterEach(async () => {
      for (const api of opened.splice(0)) await api.close();
    });

    /** Starts an API with a domain without a retention. */
    async function start(environment: Record<string, string> = {}) {
      const api = await startTestApi(kind, environment);
      opened.push(api);
      await api
        .as(await api.key('acme'))
        .post('/domains/', { name: 'acme.example' })
        .expect(201);
      const setRetention = (days: number) =>
        api.as(MASTER).put('/domains/acme.example/retention', { retention_days: days }).expect(200);
      const warned = async () => {
        const { isReady, warnings } = await readinessOf([api.container.get(MailStoreCheck)]);
        return [isReady, ...warnings.map(({ name }) => name)];
      };
      return { setRetention, warned };
    }

    it('a retention without a mail store is a warning, until no domain has one', async () => {
      const { setRetention, warned } = await start();
      expect(await warned()).toEqual([true]);
      await setRetention(30);
      expect(await warned()).toEqual([true, 'mail_store_missing']);
      await setRetention(0);
      expect(await warned()).toEqual([true]);
    });

    it('a retention with a mail store is no warning', async () => {
      const { setRetention, warned } = await start({ MAIL_STORE: 'maildir', MAILDIR_ROOT: '/nonexistent' });
      await setRetention(30);
      expect(await warned()).toEqual([true]);
    });
  });
});
