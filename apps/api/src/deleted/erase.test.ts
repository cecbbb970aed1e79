import { setImmediate } from 'node:timers/promises';
import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import { DAY_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { DomainRepository } from '@mailstead/core/domains/domain-repository';
import { allRowsOf } from '@mailstead/core/partners/partner-scope';
import { DeleteIdentity } from '@mailstead/core/relay/delete-identity';
import { DeletedItems } from '@mailstead/core/restoration/deleted-items';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { DeletionSteps } from '../testing/deletion-steps.js';
import { fillDomain } from '../testing/fill-domain.js';

/** With a real mail folder: what is erased is gone from the disk, and what is restored is not. */
const MAILBOXES = 1_200;

onHttpDatabase((kind) => {
  describe('what is erased or restored', () => {
    let api: TestApi;
    let mail: ScratchMaildir;
    let acme: string;
    let rival: string;
    let steps: DeletionSteps;

    beforeAll(async () => {
      mail = await ScratchMaildir.create();
      api = await startTestApi(kind, {}, {}, new MaildirStore({ root: mail.root }));
      [acme, rival] = [await api.key('acme'), await api.key('rival')];
      steps = new DeletionSteps(api, mail);
    });
    afterAll(async () => {
      await api.close();
      await mail.close();
    });

    const run = () => api.container.get(RemoveDeletedMail).execute();
    const kept = (table: string, id: number) =>
      api.database.read(`SELECT * FROM ${table} WHERE tombstone_id = ? ORDER BY 1, 2`, [id]);

    describe('the mail', () => {
      it('of a restored mailbox is where it was, and no later run removes it', async () => {
        const { name, email, home } = await steps.mailboxWithMail(acme, 3);
        await steps.deleteMailbox(acme, email);
        api.clock.advance(6 * DAY_MS);
        await steps.restore(acme, await steps.idOf(acme, email)).expect(200);
        expect(await steps.homeOf(email)).toBe(home);
        api.clock.advance(100 * DAY_MS);
        for (let day = 0; day < 3; day += 1) await run();
        expect(await mail.count({ email, home })).toBe(3);
        expect((await api.as(acme).get(`/domains/${name}`)).body.mailboxes).toBe(1);
      });

      it('of an erased domain goes with the next run; hashes, names and aliases go at once, and the history stays', async () => {
        const { name, email, home } = await steps.mailboxWithMail(acme, 2);
        await api.as(acme).put(`/users/${email}`, { name: 'Jane' }).expect(200);
        await api
          .as(acme)
          .post('/aliases/', { address: `@${name}`, destination: email })
          .expect(201);
        await api.as(MASTER).put(`/domains/${name}/suspend`, { cause: 'abuse' }).expect(200);
        await api.as(acme).delete(`/domains/${name}`).expect(204);
        const id = await steps.idOf(acme, name);
        api.jobs.jobs.length = 0;
        await steps.erase(acme, id).expect(204);
        expect(api.jobs.jobs).toMatchObject([{ name: 'schedule.run', payload: { name: 'deleted-mail.remove' } }]);
        expect(await kept('deleted_mailbox', id)).toMatchObject([{ password_hash: '', name: null, home }]);
        expect(await kept('deleted_alias', id)).toEqual([]);
        expect((await steps.restore(acme, id).expect(404)).body.code).toBe('deleted_not_found');
        expect(await steps.listed(acme, name)).toEqual([]);
        expect(await mail.count({ email, home })).toBe(2);
        await run();
        expect(await mail.count({ email, home })).toBe(0);
        expect(await kept('deleted_mailbox', id)).toEqual([]);
        await steps.erase(acme, id).expect(204);
        await api.as(acme).post('/domains/', { name }).expect(201);
        expect((await api.as(acme).get(`/domains/${name}`)).body.suspension_causes).toEqual(['abuse']);
        const { body } = await api.as(MASTER).get(`/audit?domain=${name}`).expect(200);
        expect(body.filter(({ action }: { action: string }) => action === 'domain.erase')).toMatchObject([
          { actor_kind: 'client', partner_ref: 'acme', subject: name, before: { mailboxes: 1, aliases: 1 } },
        ]);
      });

      it('of an erased mailbox goes, also when the erasure was interrupted between its two steps', async () => {
        const { email, home } = await steps.mailboxWithMail(acme, 1);
        await steps.deleteMailbox(acme, email);
        const id = await steps.idOf(acme, email);
        const rows = api.container.get(DeletedRows);
        const eraseOne = rows.eraseOne.bind(rows);
        rows.eraseOne = () => Promise.reject(new Error('killed'));
        await steps.erase(acme, id).expect(500);
        Object.assign(rows, { eraseOne });
        api.log.defects.length = 0;
        await steps.restore(acme, id).expect(404);
        expect(await kept('deleted_mailbox', id)).not.toMatchObject([{ password_hash: '' }]);
        await steps.erase(acme, id).expect(204);
        expect(await kept('deleted_mailbox', id)).toMatchObject([{ password_hash: '' }]);
        await run();
        expect(await mail.count({ email, home })).toBe(0);
        const { body } = await api
          .as(MASTER)
          .get(`/audit?domain=${email.split('@')[1] ?? ''}`)
          .expect(200);
        expect(body.filter(({ action }: { action: string }) => action === 'mailbox.erase')).toHaveLength(1);
      });

      it('of a deletion whose erasure has begun cannot come back, although its hashes are still there', async () => {
        const { name, email, home } = await steps.mailboxWithMail(acme, 1);
        await api.as(acme).delete(`/domains/${name}`).expect(204);
        const id = await steps.idOf(acme, name);
        api.clock.advance(7 * DAY_MS);
        const write = api.database.write.bind(api.database);
        // A run that is killed after it has closed the deletions, before it erases the first hash.
        api.database.write = (sql, parameters, keys) =>
          sql.includes('password_hash') ? Promise.reject(new Error('killed')) : write(sql, parameters, keys);
        await expect(run()).rejects.toThrow('killed');
        Object.assign(api.database, { write });
        // A process whose clock is behind would still restore it.
        api.clock.advance(-DAY_MS);
        await steps.restore(acme, id).expect(404);
        api.clock.advance(DAY_MS);
        await run();
        expect(await mail.count({ email, home })).toBe(0);
      });
    });

    it('the identity that a job deletes while the domain is restored is made anew', async () => {
      const { name } = await steps.mailboxWithMail(acme, 0);
      const domain = await api.container.get(DomainRepository).find('all', name as DomainName);
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      const deleteIdentity = api.relay.deleteIdentity.bind(api.relay);
      api.relay.deleteIdentity = async (identity) => {
        await steps.restore(acme, await steps.idOf(acme, name)).expect(200);
        await deleteIdentity(identity);
      };
      api.jobs.jobs.length = 0;
      const domainId = domain?.id ?? 0;
      await api.container.get(DeleteIdentity).execute({ domainId, name });
      Object.assign(api.relay, { deleteIdentity });
      expect(api.jobs.jobs).toMatchObject([
        { name: 'limits.mark', payload: { domainId } },
        { name: 'domain.verify', payload: { domainId } },
        { name: 'domain.verify', payload: { domainId }, options: { key: `domain.verify/${domainId}` } },
      ]);
    });

    describe('deletions of another partner', () => {
      it('are absent: in the list, its filters, and by id', async () => {
        const { name, email } = await steps.mailboxWithMail(acme, 0);
        await steps.deleteMailbox(acme, email);
        const id = await steps.idOf(acme, email);
        expect(await steps.listed(rival, name)).toEqual([]);
        expect((await api.as(rival).get('/deleted').expect(200)).body).toEqual([]);
        expect((await api.as(rival).get('/deleted?partner_ref=acme').expect(200)).body).toEqual([]);
        for (const path of ['restore', 'erase']) {
          const { body: foreign } = await api.as(rival).post(`/deleted/${id}/${path}`).expect(404);
          const { body: missing } = await api.as(rival).post(`/deleted/999999/${path}`).expect(404);
          expect({ ...foreign, request_id: '' }).toEqual({ ...missing, request_id: '' });
          await api.as(acme).post(`/deleted/x${id}/${path}`).expect(404);
        }
        expect(await steps.listed(acme, name)).toHaveLength(1);
        for (const [token, rows] of [
          [MASTER, 1],
          [READ, 1],
        ] as const) {
          expect(await steps.listed(token, name)).toHaveLength(rows);
          expect((await api.as(token).get(`/deleted?partner_ref=acme&domain=${name}`)).body).toHaveLength(rows);
          expect((await api.as(token).get(`/deleted?partner_ref=rival&domain=${name}`)).body).toEqual([]);
        }
      });

      it.each([
        ['billing', BILLING, 403, 403],
        ['policy', POLICY, 403, 403],
        ['read', READ, 200, 403],
      ])('%s operators restore and erase none', async (_, token, list, change) => {
        await api.as(token).get('/deleted').expect(list);
        for (const path of ['restore', 'erase']) await api.as(token).post(`/deleted/1/${path}`).expect(change);
      });
    });

    it('the list has pages in both orders, and the domain filter finds the domain and its mailboxes', async () => {
      const { name, email } = await steps.mailboxWithMail(acme, 0);
      await steps.deleteMailbox(acme, email);
      const second = await steps.mailboxIn(acme, name, 'second');
      await steps.deleteMailbox(acme, second);
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      const all = await steps.listed(acme, name);
      expect(all.map((row) => row.name)).toEqual([email, second, name]);
      expect(all.map((row) => row.kind)).toEqual(['mailbox', 'mailbox', 'domain']);
      const first = await api.as(acme).get(`/deleted?domain=${name}&limit=2`).expect(200);
      expect(first.body).toEqual(all.slice(0, 2));
      expect(first.headers.link).toContain(`after=${all[1]?.id}`);
      const newest = await api.as(acme).get(`/deleted/?domain=${name}&order=desc&limit=1`).expect(200);
      expect(newest.body).toEqual(all.slice(2));
      await api.as(acme).get('/deleted?domain=no..name').expect(422);
      expect(await steps.listed(acme, 'nobody.example')).toEqual([]);
    });

    it('a key that is limited to some domains sees the mailboxes deleted in them, and no domains', async () => {
      const [mine, other] = [await steps.mailboxWithMail(acme, 0), await steps.mailboxWithMail(acme, 0)];
      for (const { email } of [mine, other]) await steps.deleteMailbox(acme, email);
      const domain = await api.container.get(DomainRepository).find('all', mine.name as DomainName);
      const scope = { ...allRowsOf(domain?.partnerId ?? 0), domainIds: [domain?.id ?? 0] };
      const seen = async () => {
        const list = api.container.get(DeletedItems).search(scope, {}, api.clock.now());
        return (await list({ after: 0, limit: 100 })).rows.map(({ name }) => name);
      };
      expect(await seen()).toEqual([mine.email]);
      await api.as(acme).delete(`/domains/${mine.name}`).expect(204);
      expect(await seen()).toEqual([mine.email]);
      await steps.restore(acme, await steps.idOf(acme, mine.name)).expect(200);
      expect(await seen()).toEqual([mine.email]);
    });
  });

  describe('a large restoration', () => {
    let api: TestApi;
    let acme: string;
    let made = 0;

    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme');
    });
    afterAll(() => api.close());

    const count = async (table: string, name: string) => {
      const [row] = await api.database.read(
        `SELECT COUNT(*) AS n FROM ${table} WHERE domain_id = (SELECT MAX(domain_id) FROM tombstone WHERE name = ?)`,
        [name],
      );
      return Number(row?.n);
    };

    /** Deletes a domain with many mailboxes; an alias of a second domain delivers to each. */
    async function deletedDomain(): Promise<{ id: number; name: string; elsewhere: string }> {
      made += 1;
      const [name, elsewhere] = [`large-${made}.example`, `elsewhere-${made}.example`];
      for (const each of [name, elsewhere]) await api.as(acme).post('/domains/', { name: each }).expect(201);
      await fillDomain(api.database, name, elsewhere, MAILBOXES);
      await api.as(acme).delete(`/domains/${name}`).expect(204);
      const [deletion] = (await api.as(acme).get(`/deleted?domain=${name}`).expect(200)).body;
      expect(deletion).toMatchObject({ mailboxes: MAILBOXES, aliases: MAILBOXES });
      return { id: deletion.id, name, elsewhere };
    }

    it('comes back in few statements over at most 500 rows, and others read meanwhile only nothing or all of it', async () => {
      const { id, name, elsewhere } = await deletedDomain();
      const [read, write] = [api.database.read.bind(api.database), api.database.write.bind(api.database)];
      const seen: { rows: number; parameters: number }[] = [];
      api.database.read = async <R>(sql: string, given: Parameter[] = []) => {
        const rows = await read<R>(sql, given);
        if (api.database.currentTransaction() !== undefined) seen.push({ rows: rows.length, parameters: given.length });
        return rows;
      };
      api.database.write = async (sql, given = [], keys = null) => {
        const written = await write(sql, given, keys);
        seen.push({ rows: written.affected, parameters: given.length });
        return written;
      };
      const restoration = { isOver: false };
      const restoring = api
        .as(acme)
        .post(`/deleted/${id}/restore`)
        .then((response) => {
          restoration.isOver = true;
          return response;
        });
      const partly = new Set<number>();
      while (!restoration.isOver) {
        const [row] = await read<{ n: unknown }>('SELECT COUNT(*) AS n FROM mailbox WHERE email LIKE ?', [
          `m%@${name}`,
        ]);
        partly.add(Number(row?.n));
        await setImmediate();
      }
      Object.assign(api.database, { read, write });
      expect((await restoring).body).toMatchObject({ mailboxes: MAILBOXES, left_out: [] });
      expect([...partly].filter((n) => n !== 0 && n !== MAILBOXES)).toEqual([]);
      expect(Math.max(...seen.map(({ rows }) => rows))).toBeLessThanOrEqual(500);
      expect(Math.max(...seen.map(({ parameters }) => parameters))).toBeLessThanOrEqual(1_000);
      expect(seen.length).toBeLessThan(40 + 3 * (MAILBOXES / 500) + 12 * (MAILBOXES / 400));
      expect((await api.as(MASTER).get(`/domains/${elsewhere}`)).body.aliases).toBe(MAILBOXES);
    });

    it('that is interrupted anywhere leaves the deletion as it was, and a repeat brings everything back', async () => {
      const { id, name, elsewhere } = await deletedDomain();
      const write = api.database.write.bind(api.database);
      for (const last of [3, 8, 14, 20]) {
        let writes = 0;
        api.database.write = (sql, parameters, keys) => {
          writes += 1;
          return writes > last ? Promise.reject(new Error('killed')) : write(sql, parameters, keys);
        };
        await api.as(acme).post(`/deleted/${id}/restore`).expect(500);
        Object.assign(api.database, { write });
        expect(await count('mailbox', name)).toBe(0);
        expect(await count('deleted_mailbox', name)).toBe(MAILBOXES);
        await api.as(acme).get(`/domains/${name}`).expect(404);
        expect((await api.as(MASTER).get(`/domains/${elsewhere}`)).body.aliases).toBe(0);
      }
      api.log.defects.length = 0;
      const { body } = await api.as(acme).post(`/deleted/${id}/restore`).expect(200);
      expect(body).toMatchObject({ name, mailboxes: MAILBOXES, left_out: [] });
      expect(await count('deleted_mailbox', name)).toBe(0);
    });
  });
});
