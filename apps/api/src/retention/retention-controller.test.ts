import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { PurgeRetention } from '@mailstead/core/retention/purge-retention';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
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
    for (let index = 0; index < messages; index += 1) await writeFile(join(folder, `${index}.m:2,S`), 'x'.repeat(100));
    return folder;
  }

  const purge = () => api.container.get(PurgeRetention).execute({ cursor: 0, save: async () => {} });

  it('previews what the purge removes, removes it after the grace, and keeps newer mail', async () => {
    const folder = await stored('keep.example', 3);
    await api.as(MASTER).put('/domains/keep.example/retention', { retention_days: 30 }).expect(200);
    const preview = async () => (await api.as(MASTER).post('/domains/keep.example/retention/preview').expect(200)).body;
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
