import { AsyncLocalStorage } from 'node:async_hooks';
import { waitingForLock } from '@mailstead/adapters/database/testing/lock-waits';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import { DAY_MS } from '@mailstead/core/clock';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { DeletionSteps } from '../testing/deletion-steps.js';

/** The order is forced. Only on MariaDB, because SQLite has one writer. */
describe('a purge that begins before a restoration commits', () => {
  let api: TestApi;
  let mail: ScratchMaildir;
  let acme: string;
  let steps: DeletionSteps;

  beforeAll(async () => {
    mail = await ScratchMaildir.create();
    api = await startTestApi('mariadb', {}, {}, new MaildirStore({ root: mail.root }));
    acme = await api.key('acme');
    steps = new DeletionSteps(api, mail);
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  it('waits for it, and then removes nothing of what came back', async () => {
    const { name, email, home } = await steps.mailboxWithMail(acme, 2);
    await api.as(acme).delete(`/domains/${name}`).expect(204);
    const id = await steps.idOf(acme, name);
    const items = api.container.get(DeletedItems);
    const noteRestored = items.noteRestored.bind(items);
    const later = { time: async () => new Date(api.clock.now().getTime() + 8 * DAY_MS) };
    const removal = new RemoveDeletedMail(api.container.get(DeletedRows), new MaildirStore({ root: mail.root }), later);
    // The run must not join the transaction of the restoration.
    const outside = AsyncLocalStorage.snapshot();
    const runs: Promise<unknown>[] = [];
    items.noteRestored = async (item, at, leftOut) => {
      runs.push(outside(() => removal.execute()));
      await waitingForLock(api.database, 'tombstone');
      await noteRestored(item, at, leftOut);
    };
    await steps.restore(acme, id).expect(200);
    Object.assign(items, { noteRestored });
    expect(runs).toHaveLength(1);
    await Promise.all(runs);
    await removal.execute();
    expect(await mail.count({ email, home })).toBe(2);
    expect(await steps.homeOf(email)).toBe(home);
  });

  it('a deletion whose row is erased first cannot be restored by a request that waited for it', async () => {
    const { name, email, home } = await steps.mailboxWithMail(acme, 2);
    await api.as(acme).delete(`/domains/${name}`).expect(204);
    const id = await steps.idOf(acme, name);
    const items = api.container.get(DeletedItems);
    const close = items.close.bind(items);
    const outside = AsyncLocalStorage.snapshot();
    let restoring: Promise<number> | undefined;
    items.close = async (item, at) => {
      restoring = outside(() => steps.restore(acme, id).then(({ status }) => status));
      await waitingForLock(api.database, 'tombstone');
      await close(item, at);
    };
    await steps.erase(acme, id).expect(204);
    Object.assign(items, { close });
    expect(await restoring).toBe(404);
    await api.container.get(RemoveDeletedMail).execute();
    expect(await mail.count({ email, home })).toBe(0);
    await api.as(acme).get(`/domains/${name}`).expect(404);
  });
});
