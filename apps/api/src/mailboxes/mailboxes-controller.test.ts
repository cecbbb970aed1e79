import { jest } from '@jest/globals';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DoveadmServer } from '@mailstead/adapters/dovecot/testing/doveadm-server';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import bcrypt from 'bcrypt';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const TAIL = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** Of a cost that earlier releases stored. */
const COSTLY = `$2y$13$${TAIL}`;
const WITHIN = `$2y$12$${TAIL}`;

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  let acme: string;
  let rival: string;

  beforeAll(async () => {
    acme = await api.key('acme');
    rival = await api.key('rival');
    await api.as(acme).post('/domains/', { name: 'box.example' }).expect(201);
  });

  const code = (response: { body: { code: string } }) => response.body.code;
  const stored = async (email: string) =>
    (
      await api.database.read<{ password_hash: string; home: string }>(
        'SELECT password_hash, home FROM mailbox WHERE email = ?',
        [email],
      )
    )[0];

  describe('POST /users/', () => {
    it('creates a mailbox, hashes the password for Dovecot, and never returns it', async () => {
      const { body } = await api
        .as(acme)
        .post('/users/', { email: 'Alice@BOX.example', password: 'correct horse', name: 'Alice Ä' })
        .expect(201);
      expect(body).toEqual({
        id: expect.any(Number),
        email: 'alice@box.example',
        name: 'Alice Ä',
        quota_mb: 1_024,
        outbound_daily_limit: 0,
        active: true,
        external_ref: null,
        created_at: expect.any(String),
        revision: 1,
      });
      const row = await stored('alice@box.example');
      expect(row?.password_hash).toMatch(/^\$2b\$04\$/);
      expect(await bcrypt.compare('correct horse', row?.password_hash ?? '')).toBe(true);
      expect(row?.home).toMatch(/^[0-9a-f]{32}$/);
    });

    it.each([
      ['100 emoji', '😀'.repeat(100)],
      ['128 emoji', '😀'.repeat(128)],
      ['128 letters of two bytes', 'é'.repeat(128)],
      ['a letter outside the plane of most letters', '𠮷野家'],
      ['a joined emoji', '👩‍👩‍👧‍👦'],
    ])('stores a name of %s as it is', async (_, name) => {
      const email = 'names@box.example';
      await api.as(acme).post('/users/', { email, password_hash: HASH, name }).expect(201);
      expect((await api.as(acme).get(`/users/${email}`).expect(200)).body.name).toBe(name);
      const changed = await api
        .as(acme)
        .put(`/users/${email}`, { name: [...name].reverse().join('') })
        .expect(200);
      expect(changed.body.name).toBe([...name].reverse().join(''));
      await api.as(acme).delete(`/users/${email}`).expect(204);
    });

    it.each([
      ['129 emoji', '😀'.repeat(129)],
      ['an unpaired surrogate', 'a\ud800b'],
      ['the second half of a pair', '\udc00'],
      ['a control character of Latin-1', 'a\u0085b'],
    ])('refuses a name of %s', async (_, name) => {
      const given = { email: 'names@box.example', password_hash: HASH, name };
      for (const answer of [
        await api.as(acme).post('/users/', given),
        await api.as(acme).put('/users/alice@box.example', { name }),
      ]) {
        expect([answer.status, answer.body.errors]).toEqual([422, [{ field: 'name', message: expect.any(String) }]]);
      }
    });

    it('stores an existing hash unchanged', async () => {
      await api.as(acme).post('/users/', { email: 'moved@box.example', password_hash: HASH }).expect(201);
      expect((await stored('moved@box.example'))?.password_hash).toBe(HASH);
    });

    it.each([
      [{ email: 'x@box.example' }, 'password'],
      [{ email: 'x@box.example', password: 'short' }, 'password'],
      [{ email: 'x@box.example', password: 'ä'.repeat(37) }, 'password'],
      [{ email: 'x@box.example', password: 'long enough', password_hash: HASH }, 'password_hash'],
      [{ email: 'x@box.example', password_hash: '{PLAIN}secret' }, 'password_hash'],
      [{ email: 'x+y@box.example', password: 'long enough' }, 'email'],
      [{ email: '@box.example', password: 'long enough' }, 'email'],
      [{ email: 'x@box.example', password: 'long enough', quota_mb: '5' }, 'quota_mb'],
      [{ email: 'x@box.example', password: 'long enough', name: 'a\u0000b' }, 'name'],
      [{ email: 'x@box.example', password: 'long enough', name: 'x'.repeat(129) }, 'name'],
      [{ email: 'x@box.example', password: 'long enough', active: false }, 'active'],
    ])('refuses %j and names %s', async (body, field) => {
      const answer = await api.as(acme).post('/users/', body).expect(422);
      expect(answer.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
      await api.as(acme).get('/users/x@box.example').expect(404);
    });

    it.each(['password', 'PassWord1', '12345678', '        ', 'aaaaaaaaaa', 'someone@box.example', 'box.example'])(
      'refuses %j, which is guessed first, as a new password and as a changed one',
      async (password) => {
        await api.as(acme).post('/users/', { email: 'guest@box.example', password_hash: HASH });
        for (const answer of [
          await api.as(acme).post('/users/', { email: 'someone@box.example', password }),
          await api.as(acme).put('/users/guest@box.example', { password: password.replace('someone', 'guest') }),
        ]) {
          expect(answer.status).toBe(422);
          expect(answer.body).toMatchObject({ code: 'password_too_common', errors: [{ field: 'password' }] });
        }
        expect((await stored('guest@box.example'))?.password_hash).toBe(HASH);
        await api.as(acme).get('/users/someone@box.example').expect(404);
      },
    );

    it('reports every wrong field at once', async () => {
      const { body } = await api.as(acme).post('/users/', { email: 5, quota_mb: -1, nam: 'x' }).expect(422);
      expect(body.errors.map((error: { field: string }) => error.field).sort()).toEqual(['email', 'nam', 'quota_mb']);
    });

    it('refuses an address that begins with a hyphen; an older one can be read, changed and deleted', async () => {
      await api.as(acme).post('/users/', { email: '-old@box.example', password_hash: HASH }).expect(422);
      await api.as(acme).post('/aliases/', { address: '-old@box.example', destination: 'a@box.example' }).expect(422);
      await api.as(acme).post('/users/', { email: 'old@box.example', password_hash: HASH }).expect(201);
      await api.database.write(
        "UPDATE mailbox SET email = '-old@box.example', local_part = '-old' WHERE email = 'old@box.example'",
      );
      const { body } = await api.as(acme).get('/users/-old@box.example').expect(200);
      expect(body.email).toBe('-old@box.example');
      await api.as(acme).put('/users/-old@box.example', { name: 'Old' }).expect(200);
      await api.as(acme).delete('/users/-old@box.example').expect(204);
      await api.as(acme).get('/users/-old@box.example').expect(404);
    });

    it("responds to another partner's domain as to an absent one", async () => {
      const foreign = await api
        .as(rival)
        .post('/users/', { email: 'a@box.example', password: 'long enough' })
        .expect(404);
      const absent = await api
        .as(rival)
        .post('/users/', { email: 'a@no.example', password: 'long enough' })
        .expect(404);
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
    });

    it('refuses taken addresses, including those of aliases', async () => {
      await api
        .as(acme)
        .post('/aliases/', { address: 'info@box.example', destination: 'alice@box.example' })
        .expect(201);
      expect(
        code(await api.as(acme).post('/users/', { email: 'alice@box.example', password: 'long enough' }).expect(400)),
      ).toBe('mailbox_exists');
      expect(
        code(await api.as(acme).post('/users/', { email: 'info@box.example', password: 'long enough' }).expect(400)),
      ).toBe('address_in_use');
    });

    it('sets creation times that strictly increase for each partner, even with a fixed clock', async () => {
      const { body } = await api.as(acme).get('/users/?domain=box.example').expect(200);
      const times: string[] = body.map((mailbox: { created_at: string }) => mailbox.created_at);
      expect([...new Set(times)].sort((left, right) => left.localeCompare(right))).toEqual(times);
    });
  });

  describe('PUT /users/{email}', () => {
    it('changes only the given fields', async () => {
      const { body } = await api.as(acme).put('/users/ALICE@box.example', { active: false, name: null }).expect(200);
      expect(body).toMatchObject({ email: 'alice@box.example', active: false, name: null, quota_mb: 1_024 });
      const before = (await stored('alice@box.example'))?.password_hash;
      await api.as(acme).put('/users/alice%40box.example', { password: 'another horse', active: true }).expect(200);
      const after = (await stored('alice@box.example'))?.password_hash ?? '';
      expect(after).not.toBe(before);
      expect(await bcrypt.compare('another horse', after)).toBe(true);
    });

    it('is refused for another partner', async () => {
      await api.as(rival).put('/users/alice@box.example', { active: false }).expect(404);
      await api.as(rival).delete('/users/alice@box.example').expect(404);
    });
  });

  describe('storage quotas', () => {
    it('of a client are limited by its plan; an operator may set any', async () => {
      const at = '/users/alice@box.example/quota';
      expect((await api.as(acme).put(at, { quota_mb: 10_240 }).expect(200)).body).toMatchObject({ quota_mb: 10_240 });
      for (const quotaMb of [0, 10_241]) {
        expect(code(await api.as(acme).put(at, { quota_mb: quotaMb }).expect(403))).toBe('storage_quota_above_plan');
      }
      expect((await api.as(MASTER).put(at, { quota_mb: 0 }).expect(200)).body).toMatchObject({ quota_mb: 0 });
      expect((await api.as(BILLING).put(at, { quota_mb: 10_485_760 }).expect(200)).body).toMatchObject({
        quota_mb: 10_485_760,
      });
      await api.as(MASTER).put(at, { quota_mb: 10_485_761 }).expect(422);
      await api.as(MASTER).put(at, {}).expect(422);
    });

    it('of a new mailbox are never above what its maker may set', async () => {
      const small = await startTestApi(kind, { CLIENT_MAX_QUOTA_MB: '512' });
      const key = await small.key('acme');
      await small.as(key).post('/domains/', { name: 'small.example' }).expect(201);
      const quotaOf = async (token: string, email: string) => {
        await small.as(token).post('/users/', { email, password_hash: HASH }).expect(201);
        return ((await small.as(token).get(`/users/${email}/quota`).expect(200)).body as { quota_mb: number }).quota_mb;
      };
      expect(await quotaOf(key, 'a@small.example')).toBe(512);
      expect(await quotaOf(MASTER, 'b@small.example')).toBe(1_024);
      await small.as(MASTER).put('/domains/small.example/plan', { plan: 'business' }).expect(200);
      expect(await quotaOf(key, 'c@small.example')).toBe(2_048);
      await small.close();
    });
  });

  describe('DELETE /users/{email}', () => {
    it('deletes the aliases that deliver to the mailbox, and corrects their counts', async () => {
      await api.as(acme).post('/domains/', { name: 'other.example' }).expect(201);
      await api.as(acme).post('/users/', { email: 'tmp@box.example', password_hash: HASH }).expect(201);
      await api.as(acme).post('/aliases/', { address: 'x@other.example', destination: 'tmp@box.example' }).expect(201);
      await api.as(acme).delete('/users/tmp@box.example').expect(204);
      await api.as(acme).delete('/users/tmp@box.example').expect(404);
      expect((await api.as(acme).get('/aliases/?domain=other.example').expect(200)).body).toEqual([]);
      expect((await api.as(acme).get('/domains/other.example').expect(200)).body.aliases).toBe(0);
    });
  });

  describe('GET /users/{email}', () => {
    it('returns the storage use, or null while the mail server does not report it', async () => {
      const server = await DoveadmServer.start('doveadm-key-of-the-tests');
      const withDovecot = await startTestApi(kind, {
        DOVEADM_URL: server.url,
        DOVEADM_API_KEY: 'doveadm-key-of-the-tests',
      });
      try {
        await withDovecot.as(MASTER).post('/domains/', { name: 'full.example' }).expect(201);
        await withDovecot.as(MASTER).post('/users/', { email: 'a@full.example', password_hash: HASH }).expect(201);
        server.messages = [{ user: 'a@full.example', bytes: 3 * 1_048_576 + 262_144, savedAt: 1 }];
        const read = async () => (await withDovecot.as(MASTER).get('/users/a@full.example').expect(200)).body;
        expect(await read()).toMatchObject({ storage_used_mb: 3.25, messages: 1, quota_mb: 1_024 });
        server.fault = 'close';
        expect(await read()).toMatchObject({ email: 'a@full.example', storage_used_mb: null, messages: null });
      } finally {
        await withDovecot.close();
        await server.close();
      }
    });

    it('returns null when no mail server is configured', async () => {
      expect((await api.as(acme).get('/users/alice@box.example').expect(200)).body).toMatchObject({
        storage_used_mb: null,
        messages: null,
      });
    });
  });

  describe('GET /users/', () => {
    it("lists the caller's mailboxes, by domain, in pages", async () => {
      expect((await api.as(rival).get('/users/').expect(200)).body).toEqual([]);
      await api.as(rival).get('/users/?domain=box.example').expect(404);
      const page = await api.as(acme).get('/users/?domain=box.example&limit=1').expect(200);
      expect(page.body).toHaveLength(1);
      expect(page.headers.link).toContain('domain=box.example');
    });
  });

  describe('costly hashes', () => {
    let acme: string;

    beforeAll(async () => {
      acme = await api.key('costly');
      await api.key('beta');
      await api.as(acme).post('/domains/', { name: 'costly.example' }).expect(201);
    });

    /** Creates a mailbox, and stores the hash as an earlier release did. */
    async function storeCostly(email: string): Promise<void> {
      await api.as(acme).post('/users/', { email, password_hash: WITHIN }).expect(201);
      await api.database.write('UPDATE mailbox SET password_hash = ? WHERE email = ?', [COSTLY, email]);
    }
    const hashOf = async (email: string) =>
      (await api.database.read('SELECT password_hash FROM mailbox WHERE email = ?', [email]))[0]?.password_hash;

    it('a hash above cost 12 is refused, alone and in a bulk', async () => {
      const item = { email: 'new@costly.example', password_hash: COSTLY };
      const { body } = await api.as(acme).post('/users/', item).expect(422);
      expect(body.errors).toEqual([{ field: 'password_hash', message: 'must have a bcrypt cost from 4 to 12' }]);
      const bulk = await api
        .as(acme)
        .post('/users/bulk', { items: [item] })
        .expect(200);
      expect(bulk.body).toEqual([expect.objectContaining({ status: 422 })]);
    });

    it('a stored hash above cost 12 stays through changes, deletion, restoration and a move, until the password changes', async () => {
      const email = 'old@costly.example';
      await storeCostly(email);
      await api.as(acme).put(`/users/${email}`, { name: 'Old', active: false, quota_mb: 5 }).expect(200);
      await api.as(acme).put(`/users/${email}`, { active: true, external_ref: 'x' }).expect(200);
      expect(await hashOf(email)).toBe(COSTLY);
      for (const path of [`/users/${email}`, '/domains/costly.example']) {
        await api.as(acme).delete(path).expect(204);
        const [deletion] = (await api.as(acme).get('/deleted').expect(200)).body;
        await api.as(acme).post(`/deleted/${deletion.id}/restore`).expect(200);
        expect(await hashOf(email)).toBe(COSTLY);
      }
      await api.as(MASTER).put('/domains/costly.example/partner', { partner_ref: 'beta' }).expect(200);
      expect(await hashOf(email)).toBe(COSTLY);
      // Whether the new password is the former one, which takes 0.5 s to find out for this hash.
      const hasher = api.container.get(PasswordHasher);
      const hashInPlaceOf = jest
        .spyOn(hasher, 'hashInPlaceOf')
        .mockImplementationOnce(async (scope, _former, ...given) => ({
          hash: await hasher.hash(scope, ...given),
          isSame: false,
        }));
      await api.as(MASTER).put(`/users/${email}`, { password: 'another horse battery' }).expect(200);
      expect(hashInPlaceOf.mock.calls.map(([, former]) => former)).toEqual([COSTLY]);
      expect(await hashOf(email)).toMatch(/^\$2b\$04\$/);
    });
  });
});
