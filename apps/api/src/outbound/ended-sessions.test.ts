import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const PASSWORD = 'correct horse battery';
const HOUR_MS = 3_600_000;
const ENDED = { allowed: false, action: 'defer', reason: 'session_ended' };

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    const { body } = await api.as(acme).post('/domains/', { name: 'sessions.example' }).expect(201);
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
  });
  // The counts take the database's time, which is that of the server.
  beforeEach(() => api.clock.set(new Date()));
  afterAll(() => api.close());

  const domain = 'sessions.example';
  const items = async (path: string, ...list: object[]) =>
    (
      await api
        .as(POLICY)
        .post(path, { items: list.map((item) => ({ domain, ...item })) })
        .expect(200)
    ).body;
  const revokedAt = async (email: string) => {
    const [row] = await api.database.read('SELECT revoked_at FROM mailbox WHERE email = ?', [email]);
    return row?.revoked_at === null ? null : Number(row?.revoked_at);
  };
  const setRevokedAt = (email: string, at: number | null) =>
    api.database.write('UPDATE mailbox SET revoked_at = ? WHERE email = ?', [at, email]);
  const change = (email: string, body: object) => api.as(acme).put(`/users/${email}`, body).expect(200);

  /** A mailbox whose login was never taken away since this is stored. */
  async function aMailbox(fields: object = { password: PASSWORD }): Promise<string> {
    made += 1;
    const email = `m${made}@${domain}`;
    await api
      .as(acme)
      .post('/users/', { email, ...fields })
      .expect(201);
    await setRevokedAt(email, null);
    return email;
  }

  describe('the age of a session', () => {
    it('ends it in looks and counts when the login was taken away since it began, and is compared in no other case', async () => {
      const sender = await aMailbox();
      await setRevokedAt(sender, Date.now() - HOUR_MS);
      for (const path of ['/outbound/looks', '/outbound/increments']) {
        expect(
          await items(
            path,
            { sender, session_age_ms: HOUR_MS + 60_000 },
            { sender, session_age_ms: HOUR_MS - 60_000 },
            { sender },
            { sender: `gone@${domain}`, session_age_ms: 0 },
          ),
        ).toMatchObject([ENDED, { allowed: true }, { allowed: true }, ENDED]);
      }
    });

    it('does not end a message that left already, whose count is recorded', async () => {
      const sender = await aMailbox();
      await setRevokedAt(sender, Date.now());
      expect(await items('/outbound/increments', { sender, session_age_ms: HOUR_MS, record: true })).toMatchObject([
        { allowed: true, reason: null },
      ]);
    });

    it.each([
      [{ session_age_ms: 0 }, 'must be left out without sender'],
      [{ sender: `m@${domain}`, session_age_ms: -1 }, 'must be'],
      [{ sender: `m@${domain}`, session_age_ms: 315_360_000_001 }, 'must be'],
      [{ sender: `m@${domain}`, session_age_ms: 1.5 }, 'must be'],
    ])('is refused in %j', async (item, message) => {
      for (const path of ['/outbound/looks', '/outbound/increments']) {
        const answer = await api.as(POLICY).post(path, { items: [{ domain, ...item }] });
        expect(answer).toMatchObject({
          status: 422,
          body: { errors: [{ field: 'items[0].session_age_ms', message: expect.stringContaining(message) }] },
        });
      }
    });
  });

  describe('the login of a mailbox', () => {
    const expectTakenAway = async (email: string, change: () => Promise<unknown>) => {
      await change();
      expect(await revokedAt(email)).toBeGreaterThanOrEqual(api.clock.now().getTime() - 1);
      expect(await items('/outbound/looks', { sender: email, session_age_ms: HOUR_MS })).toMatchObject([ENDED]);
    };

    it('is taken away by another password and by disabling, not by what else a PUT changes, nor by enabling', async () => {
      const email = await aMailbox();
      for (const body of [{ name: 'Anna' }, { active: true }, { quota_mb: 7 }, { password: PASSWORD, name: 'Eve' }]) {
        await change(email, body);
        expect(await revokedAt(email)).toBeNull();
      }
      await expectTakenAway(email, () => change(email, { password: 'staple battery horse' }));
      await setRevokedAt(email, null);
      await expectTakenAway(email, () => change(email, { active: false }));
      await setRevokedAt(email, null);
      await change(email, { active: false, name: 'Still' });
      await change(email, { active: true });
      expect(await revokedAt(email)).toBeNull();
    });

    it('is taken away by a password that replaces the hash of another system, which cannot be compared', async () => {
      const hash = `{SHA512-CRYPT}$6$salt$${'a'.repeat(86)}`;
      const email = await aMailbox({ password_hash: hash });
      await expectTakenAway(email, () => change(email, { password: PASSWORD }));
    });

    it('is not that of a mailbox of the same address before: created again, or restored', async () => {
      const email = await aMailbox();
      await api.as(acme).delete(`/users/${email}`).expect(204);
      expect(await items('/outbound/looks', { sender: email, session_age_ms: 0 })).toMatchObject([ENDED]);
      await expectTakenAway(email, () => api.as(acme).post('/users/', { email, password: PASSWORD }).expect(201));
      await api.as(acme).delete(`/users/${email}`).expect(204);
      const { body } = await api.as(acme).get('/deleted/').expect(200);
      const [{ id }] = body as [{ id: number }];
      await expectTakenAway(email, () => api.as(acme).post(`/deleted/${id}/restore`).expect(200));
    });

    it('is not shown by the API', async () => {
      const email = await aMailbox();
      await change(email, { password: 'staple battery horse' });
      expect(Object.keys((await api.as(MASTER).get(`/users/${email}`).expect(200)).body)).not.toContain('revoked_at');
    });
  });
});
