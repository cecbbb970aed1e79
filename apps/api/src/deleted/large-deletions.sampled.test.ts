import {
  DATABASE_KINDS,
  type DatabaseKind,
  onEachDatabase,
} from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { FinishDeletion } from '@mailstead/core/domains/finish-deletion';
import { TombstoneRepository } from '@mailstead/core/domains/tombstone-repository';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { MailStore } from '@mailstead/core/retention/mail-store';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { fillDomain } from '../testing/fill-domain.js';

/** More than a piece of a deletion has. */
const MAILBOXES = 600;
/**
 * The databases on which every state of an interrupted deletion is tested. Deletions at the same time as other requests
 * are tested on each.
 */
const EVERY_STATE_ON: readonly DatabaseKind[] = DATABASE_KINDS.slice(0, sampleSize(2, 1));
const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme', { domains_allowed: 1_000 });
  });
  afterEach(async () => {
    expect(await api.container.get(CorrectCounts).execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 0 });
  });
  afterAll(() => api.close());

  async function largeDomain(mailboxes = MAILBOXES): Promise<{ name: string; elsewhere: string; id: number }> {
    made += 1;
    const [name, elsewhere] = [`large-${made}.example`, `elsewhere-${made}.example`];
    for (const each of [name, elsewhere]) await api.as(acme).post('/domains/', { name: each }).expect(201);
    await fillDomain(api.database, name, elsewhere, mailboxes);
    return { name, elsewhere, id: (await domainOf(name)) ?? 0 };
  }

  async function domainOf(name: string): Promise<number | undefined> {
    const [row] = await api.database.read('SELECT id FROM domain WHERE name = ?', [name]);
    return row === undefined ? undefined : Number(row.id);
  }

  const count = async (sql: string, ...parameters: (string | number)[]) =>
    Number((await api.database.read(`SELECT COUNT(*) AS n FROM ${sql}`, parameters))[0]?.n);
  const used = async () => Number((await api.as(acme).get('/me').expect(200)).body.domains_used);
  const deletionOf = async (name: string) =>
    (await api.as(acme).get(`/deleted?domain=${name}`).expect(200)).body as { id: number; mailboxes: number }[];
  const finish = (id: number) => api.container.get(FinishDeletion).execute(id);

  /** The nightly run with a clock that is days ahead, without a mail store. */
  const purgeAfter = (days: number) => {
    const clock = { time: async () => new Date(api.clock.now().getTime() + days * DAY_MS) };
    return new RemoveDeletedMail(api.container.get(DeletedRows), api.container.get(MailStore), clock).execute();
  };

  /** Calls `between` before the second piece of the next deletion; an error interrupts it there. */
  function beforeSecondPiece(between: () => Promise<void>): void {
    const tombstones = api.container.get(TombstoneRepository);
    const movePiece = tombstones.movePiece.bind(tombstones);
    let pieces = 0;
    tombstones.movePiece = async (domain) => {
      pieces += 1;
      if (pieces === 2) {
        tombstones.movePiece = movePiece;
        await between();
      }
      return movePiece(domain);
    };
  }

  /** Leaves a domain whose deletion was interrupted after the first piece. */
  async function interrupted() {
    const domain = await largeDomain();
    beforeSecondPiece(() => Promise.reject(new Error('the process ends')));
    await api.as(acme).delete(`/domains/${domain.name}`).expect(500);
    api.log.defects.length = 0;
    expect(await count('deleted_mailbox WHERE domain_id = ?', domain.id)).toBe(0);
    expect(await count('deleted_alias WHERE destination_mailbox_id >= ?', domain.id * 1_000_000)).toBe(500);
    return domain;
  }

  it('nothing of a large domain is left after the answer, and all of it can be restored', async () => {
    const before = await used();
    const { name, elsewhere, id } = await largeDomain();
    await api.as(acme).delete(`/domains/${name}`).expect(204);
    expect(await used()).toBe(before + 1);
    for (const table of ['domain WHERE id', 'mailbox WHERE domain_id', 'domain_deletion WHERE domain_id']) {
      expect(await count(`${table} = ?`, id)).toBe(0);
    }
    expect((await api.as(acme).get(`/domains/${elsewhere}`).expect(200)).body.aliases).toBe(0);
    const [deleted] = await deletionOf(name);
    expect(deleted).toMatchObject({ mailboxes: MAILBOXES, aliases: MAILBOXES });
    await api.as(acme).post(`/deleted/${deleted?.id}/restore`).expect(200);
    // The job of the deletion runs now, and leaves the restored domain alone.
    expect(await finish(id)).toBe(0);
    expect((await api.as(acme).get(`/domains/${name}`).expect(200)).body.mailboxes).toBe(MAILBOXES);
    expect((await api.as(acme).get(`/domains/${elsewhere}`).expect(200)).body.aliases).toBe(MAILBOXES);
  });

  it('other changes of the partner happen between two pieces', async () => {
    const { name, elsewhere } = await largeDomain(2 * MAILBOXES);
    const deletion = { isOver: false };
    const deleting = api
      .as(acme)
      .delete(`/domains/${name}`)
      .then(({ status }) => {
        deletion.isOver = true;
        return status;
      });
    let changes = 0;
    for (; !deletion.isOver; changes += 1) {
      const email = `p${changes}@${elsewhere}`;
      await api.as(acme).post('/users/', { email, password_hash: HASH }).expect(201);
    }
    expect(await deleting).toBe(204);
    expect(changes).toBeGreaterThan(2);
  });

  it('two processes and a repeated request finish the same deletion once', async () => {
    const before = await used();
    const { name, id } = await interrupted();
    const [one, two, answer] = await Promise.all([finish(id), finish(id), api.as(acme).delete(`/domains/${name}`)]);
    expect(one + two).toBeLessThanOrEqual(5);
    expect([204, 404]).toContain(answer.status);
    expect(await used()).toBe(before + 1);
    expect(await count("tombstone WHERE domain_id = ? AND kind = 'domain'", id)).toBe(1);
    expect(await count('deleted_mailbox WHERE domain_id = ?', id)).toBe(MAILBOXES);
  });

  it('a creation of the same name at the same time is refused, or gets an empty domain', async () => {
    const { name } = await largeDomain(2 * MAILBOXES);
    const deleting = api
      .as(acme)
      .delete(`/domains/${name}`)
      .then(({ status }) => status);
    const statuses: number[] = [];
    do statuses.push((await api.as(acme).post('/domains/', { name })).status);
    while (statuses.at(-1) === 400);
    expect(statuses.at(-1)).toBe(201);
    expect(await deleting).toBe(204);
    expect((await api.as(acme).get(`/domains/${name}`).expect(200)).body).toMatchObject({ mailboxes: 0, aliases: 0 });
    expect((await api.as(acme).get(`/users/?domain=${name}`).expect(200)).body).toEqual([]);
  });

  if (EVERY_STATE_ON.includes(kind)) {
    it('the audit names the caller and the counts of the whole domain, once', async () => {
      const { name } = await interrupted();
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      const { body } = await api.as(MASTER).get(`/audit?domain=${name}`).expect(200);
      const deletions = body.filter(({ action }: { action: string }) => action === 'domain.delete');
      expect(deletions).toEqual([
        expect.objectContaining({ actor_kind: 'client', before: { name, mailboxes: MAILBOXES, aliases: 0 } }),
      ]);
    });

    it('nothing in a domain whose deletion has begun is changed, and its name is not free yet', async () => {
      const { name, elsewhere, id } = await interrupted();
      const email = `m${id * 1_000_000}@${name}`;
      await api
        .as(acme)
        .post('/users/', { email: `new@${name}`, password_hash: HASH })
        .expect(404);
      await api.as(acme).put(`/users/${email}`, { active: false }).expect(404);
      await api.as(acme).delete(`/users/${email}`).expect(404);
      await api.as(acme).put(`/domains/${name}/suspend`).expect(404);
      await api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: 'other' }).expect(404);
      await api
        .as(acme)
        .post('/aliases/', { address: `b@${elsewhere}`, destination: `gone@${name}` })
        .expect(422);
      await api.as(acme).post('/domains/', { name }).expect(400);
      await finish(id);
      await api.as(acme).post('/domains/', { name }).expect(201);
      await api.as(acme).post('/users/', { email, password_hash: HASH }).expect(201);
    });

    it('an interrupted deletion keeps its place in the quota, and the job finishes it', async () => {
      const before = await used();
      const { name, id } = await interrupted();
      expect(await used()).toBe(before + 2);
      expect(await deletionOf(name)).toEqual([]);
      expect(api.jobs.jobs).toContainEqual(
        expect.objectContaining({ name: 'domain.delete', payload: { domainId: id } }),
      );
      expect(await finish(id)).toBeGreaterThan(0);
      expect(await used()).toBe(before + 1);
      expect(await deletionOf(name)).toEqual([expect.objectContaining({ mailboxes: MAILBOXES })]);
    });

    it('an interrupted deletion is neither restored nor erased, whatever time has passed', async () => {
      const { id } = await interrupted();
      const [row] = await api.database.read('SELECT id FROM tombstone WHERE domain_id = ?', [id]);
      for (const act of ['restore', 'erase'])
        await api
          .as(MASTER)
          .post(`/deleted/${Number(row?.id)}/${act}`)
          .expect(404);
      await purgeAfter(80);
      await finish(id);
      expect(await count("deleted_mailbox WHERE domain_id = ? AND password_hash <> ''", id)).toBe(MAILBOXES);
    });

    it('when the former release deletes the domain meanwhile, the moved rows are erased with the others', async () => {
      const { name, id } = await interrupted();
      // What a process of 5.2 does, which does not know that a deletion has begun.
      await api.database.write('UPDATE domain_deletion SET domain_id = 0 WHERE domain_id = ?', [id]);
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      await api.database.write('UPDATE domain_deletion SET domain_id = ? WHERE domain_id = 0', [id]);
      await finish(id);
      expect(await count('domain_deletion WHERE domain_id = ?', id)).toBe(0);
      expect(await count('mailbox WHERE domain_id = ?', id)).toBe(0);
      expect(await deletionOf(name)).toEqual([expect.objectContaining({ mailboxes: MAILBOXES })]);
      await purgeAfter(8);
      expect(await count('deleted_alias WHERE destination_mailbox_id >= ?', id * 1_000_000)).toBe(0);
    });
  }
});
