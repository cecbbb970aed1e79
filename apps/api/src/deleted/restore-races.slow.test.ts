import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MaildirStore } from '@mailstead/adapters/maildir/maildir-store';
import { ScratchMaildir } from '@mailstead/adapters/maildir/testing/scratch-maildir';
import { DAY_MS } from '@mailstead/core/clock';
import { CorrectCounts } from '@mailstead/core/counts/correct-counts';
import { DeletedRows } from '@mailstead/core/retention/deleted-rows';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { DeletionSteps } from '../testing/deletion-steps.js';

const ROUNDS = 8;

onEachDatabase((kind) => {
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
  afterEach(async () => {
    expect(await api.container.get(CorrectCounts).execute({ of: 1, remainder: 0 })).toMatchObject({ counts_mended: 0 });
  });
  afterAll(async () => {
    await api.close();
    await mail.close();
  });

  /** The nightly run in another process, whose clock is a week ahead, so that the grace of every deletion is over. */
  const purge = () => {
    const clock = { time: async () => new Date(api.clock.now().getTime() + 8 * DAY_MS) };
    return new RemoveDeletedMail(
      api.container.get(DeletedRows),
      new MaildirStore({ root: mail.root }),
      clock,
    ).execute();
  };
  const statusesOf = (...requests: PromiseLike<{ status: number }>[]) =>
    Promise.all(requests.map(async (request) => (await request).status));

  async function deletedDomain(messages = 0) {
    const made = await steps.mailboxWithMail(acme, messages);
    await api.as(acme).delete(`/domains/${made.name}`).expect(204);
    return { ...made, id: await steps.idOf(acme, made.name) };
  }

  async function deletedMailbox(messages = 0) {
    const made = await steps.mailboxWithMail(acme, messages);
    await steps.deleteMailbox(acme, made.email);
    return { ...made, id: await steps.idOf(acme, made.email) };
  }

  it('restored twice at once, a domain and a mailbox come back once, and both callers get the same answer', async () => {
    for (const deleted of [deletedDomain, deletedMailbox]) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id, name } = await deleted();
        const answers = await Promise.all([
          steps.restore(acme, id),
          steps.restore(MASTER, id),
          steps.restore(acme, id),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(answers[1]?.body).toEqual(answers[0]?.body);
        const { body } = await api.as(MASTER).get(`/audit?domain=${name}`).expect(200);
        expect(body.filter(({ action }: { action: string }) => action.endsWith('.restore'))).toHaveLength(1);
      }
    }
  });

  it('of a restoration and an erasure at once, one happens: with its mail, or gone for good', async () => {
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, email, home } = await (round % 2 === 0 ? deletedDomain(2) : deletedMailbox(2));
      const [restored = 0, erased] = await statusesOf(steps.restore(acme, id), steps.erase(acme, id));
      expect([restored, erased]).toEqual(restored === 200 ? [200, 404] : [404, 204]);
      seen.add(restored);
      await purge();
      expect(await mail.count({ email, home })).toBe(restored === 200 ? 2 : 0);
      expect((await api.as(acme).get(`/users/${email}`)).status).toBe(restored);
    }
    expect(seen.size).toBeGreaterThan(0);
  });

  it('of a restoration and the purge at once, one happens: no mailbox is found without its mail', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, email, home } = await (round % 2 === 0 ? deletedDomain(3) : deletedMailbox(3));
      const [[restored]] = await Promise.all([statusesOf(steps.restore(acme, id)), purge(), purge()]);
      await purge();
      const [row] = await api.database.read('SELECT password_hash FROM mailbox WHERE email = ?', [email]);
      expect(row === undefined).toBe(restored !== 200);
      if (row !== undefined) expect(row.password_hash).not.toBe('');
      expect(await mail.count({ email, home })).toBe(restored === 200 ? 3 : 0);
    }
  });

  it('of a restoration and creations of the name at once, one gets the name', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, name } = await deletedDomain();
      const create = (token: string) => api.as(token).post('/domains/', { name });
      const [restored, again, others] = await statusesOf(steps.restore(acme, id), create(acme), create(rival));
      const winners = [restored === 200, again === 201, others === 201].filter(Boolean);
      expect(winners).toHaveLength(1);
      expect([200, 400, 404]).toContain(restored);
      const { body } = await api.as(MASTER).get(`/domains/${name}`).expect(200);
      expect(body.partner_ref).toBe(others === 201 ? 'rival' : 'acme');
      expect(body.mailboxes).toBe(restored === 200 ? 1 : 0);
    }
  });

  it('of a restoration and a creation of the same mailbox at once, one gets the address', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, name, email, home } = await deletedMailbox(1);
      const body = { email, password_hash: '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy' };
      const [restored, created] = await statusesOf(steps.restore(acme, id), api.as(acme).post('/users/', body));
      expect([restored, created].map((status) => status !== 400)).toEqual([restored === 200, created === 201]);
      expect(restored === 200).toBe(created !== 201);
      expect((await steps.homeOf(email)) === home).toBe(restored === 200);
      expect((await api.as(acme).get(`/domains/${name}`)).body.mailboxes).toBe(1);
    }
  });

  it('a full partner gets exactly as many domains back as fit, and a full domain as many mailboxes', async () => {
    const tight = await api.key('tight', { domains_allowed: 3, mailboxes_per_domain: 3 });
    const domains = [];
    for (let index = 0; index < 3; index += 1) domains.push((await steps.mailboxWithMail(tight, 0)).name);
    for (const name of domains) await api.as(tight).delete(`/domains/${name}`).expect(204);
    const ids = await Promise.all(domains.map((name) => steps.idOf(tight, name)));
    await steps.mailboxWithMail(tight, 0);
    const statuses = await statusesOf(...ids.map((id) => steps.restore(tight, id)));
    expect(statuses.toSorted((left, right) => left - right)).toEqual([200, 200, 403]);
    const name = domains[statuses.indexOf(200)] ?? '';
    const emails = [];
    for (const local of ['b', 'c']) emails.push(await steps.mailboxIn(tight, name, local));
    for (const email of emails) await steps.deleteMailbox(tight, email);
    await steps.mailboxIn(tight, name, 'd');
    const mailboxes = await Promise.all(emails.map((email) => steps.idOf(tight, email)));
    expect(
      (await statusesOf(...mailboxes.map((id) => steps.restore(tight, id)))).toSorted((left, right) => left - right),
    ).toEqual([200, 403]);
  });

  it('deleted and restored at once by many, everything is either there or restorable', async () => {
    const { name, email, home } = await steps.mailboxWithMail(acme, 1);
    await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        if (index % 2 === 0) await api.as(acme).delete(`/domains/${name}`);
        else for (const { id } of await steps.listed(acme, name)) await steps.restore(acme, id);
      }),
    );
    for (const { id } of await steps.listed(acme, name)) await steps.restore(acme, id);
    expect(await steps.homeOf(email)).toBe(home);
    await purge();
    expect(await mail.count({ email, home })).toBe(1);
  });
});
