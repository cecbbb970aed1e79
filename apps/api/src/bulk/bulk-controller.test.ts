import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = `$2b$10$${'a'.repeat(53)}`;

interface Item {
  status: number;
  replayed?: true;
  body?: Record<string, unknown>;
  problem?: { code: string; status: number; errors?: { field: string }[]; request_id: string };
}

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
    await api.as(acme).post('/domains/', { name: 'many.example' }).expect(201);
  });
  afterAll(() => api.close());

  const bulk = async (path: string, items: unknown[], { token = acme, key = '' } = {}): Promise<Item[]> => {
    const request = api.as(token).post(path, { items });
    if (key !== '') request.set('Idempotency-Key', key);
    const { body } = await request.expect(200);
    expect(body).toHaveLength(items.length);
    return body as Item[];
  };
  const mailbox = (name: string, domain = 'many.example') => ({ email: `${name}@${domain}`, password_hash: HASH });
  const mailboxes = (prefix: string, count: number, domain?: string) =>
    Array.from({ length: count }, (_, index) => mailbox(`${prefix}${index}`, domain));
  const statuses = (items: Item[]) => items.map(({ status }) => status);
  const codes = (items: Item[]) => items.map(({ problem }) => problem?.code ?? null);
  const stored = async (prefix: string) => {
    const { body } = await api.as(acme).get('/users/').expect(200);
    return (body as { email: string }[]).filter(({ email }) => email.startsWith(prefix)).map(({ email }) => email);
  };

  describe('a bulk request', () => {
    it('creates domains, mailboxes and aliases, with the bodies that single requests have, in order', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `b${index}.example`);
      const domains = await bulk(
        '/domains/bulk',
        names.map((name) => ({ name })),
      );
      expect(domains.map(({ status, body }) => [status, body?.name])).toEqual(names.map((name) => [201, name]));
      const single = (await api.as(acme).get('/domains/').expect(200)).body as { name: string }[];
      expect(domains.map(({ body }) => body)).toEqual(single.filter(({ name }) => names.includes(name)));

      const users = await bulk('/users/bulk', [mailbox('one'), { ...mailbox('two'), name: 'Two', quota_mb: 7 }]);
      for (const { body } of users) {
        const {
          storage_used_mb: _,
          messages: __,
          verdict: ___,
          incoming: ____,
          ...record
        } = (await api.as(acme).get(`/users/${String(body?.email)}`)).body;
        expect(body).toEqual(record);
      }
      const items = [
        { address: 'sales@many.example', destination: 'one@many.example' },
        { address: '@many.example', destination: 'two@many.example' },
      ];
      const aliases = await bulk('/aliases/bulk', items);
      expect(aliases).toMatchObject(items.map((item) => ({ status: 201, body: item })));
      const created = (await api.as(acme).get('/aliases/?domain=many.example').expect(200)).body;
      expect(aliases.map(({ body }) => body)).toEqual(created);
    });

    it('takes passwords of 20 items, whose mailboxes are as good as others, and refuses the 21st by its index', async () => {
      const withPasswords = (count: number) =>
        mailboxes('pw', count).map(({ email }) => ({ email, password: 'correct horse battery' }));
      const items = [mailbox('hashed'), ...withPasswords(21)];
      const { body } = await api.as(acme).post('/users/bulk', { items }).expect(422);
      expect(body.errors).toEqual([{ field: 'items[21].password', message: expect.stringContaining('password_hash') }]);
      expect(await stored('pw')).toEqual([]);
      expect(new Set(statuses(await bulk('/users/bulk', items.slice(0, -1))))).toEqual(new Set([201]));
      const rows = await api.database.read("SELECT DISTINCT password_hash FROM mailbox WHERE email LIKE 'pw%'");
      expect(rows).toHaveLength(20);
    });

    it.each([
      ['no items', {}, 422],
      ['an empty list', { items: [] }, 422],
      ['501 items', { items: Array.from({ length: 501 }, () => ({ name: 'shape.example' })) }, 422],
      ['an object', { items: { name: 'shape.example' } }, 422],
      ['an unknown field beside the items', { items: [{ name: 'shape.example' }], dry_run: true }, 422],
      ['more than 1 MiB', { items: [{ name: 'shape.example', x: 'x'.repeat(1_100_000) }] }, 413],
    ])('with %s is refused as a whole, without an effect', async (_, body, status) => {
      await api.as(acme).post('/domains/bulk', body).expect(status);
      await api.as(acme).get('/domains/shape.example').expect(404);
    });

    it('does not let a wrong item touch the others, whatever is wrong with it', async () => {
      await bulk('/users/bulk', [mailbox('taken')]);
      const wrong: [unknown, number, string][] = [
        [{ email: 'w@many.example' }, 422, 'validation_failed'],
        [{ ...mailbox('w'), quota: 1 }, 422, 'validation_failed'],
        ['text', 422, 'validation_failed'],
        [null, 422, 'validation_failed'],
        [{ email: 'not an address', password_hash: HASH }, 422, 'validation_failed'],
        [{ email: 'w@many.example', password_hash: 'plain' }, 422, 'validation_failed'],
        [{ email: 'w@many.example', password: 'password' }, 422, 'password_too_common'],
        [mailbox('w', 'absent.example'), 404, 'domain_not_found'],
        [mailbox('taken'), 400, 'mailbox_exists'],
        [mailbox('sales'), 400, 'address_in_use'],
        [{ ...mailbox('w'), quota_mb: 10_000_000 }, 403, 'storage_quota_above_plan'],
        // An item that an item before has created.
        [mailbox('ok0'), 400, 'mailbox_exists'],
      ];
      const items = wrong.flatMap(([item], index) => [mailbox(`ok${index}`), item]);
      const outcomes = await bulk('/users/bulk', [...items, mailbox('okend')]);
      expect(outcomes.filter((_, index) => index % 2 === 0).every(({ status }) => status === 201)).toBe(true);
      const failures = outcomes.filter((_, index) => index % 2 === 1);
      expect(failures.map(({ status, problem }) => [status, problem?.code])).toEqual(
        wrong.map(([, status, code]) => [status, code]),
      );
      expect(failures.every(({ status, problem, body }) => problem?.status === status && body === undefined)).toBe(
        true,
      );
      expect(failures[0]?.problem?.errors).toMatchObject([{ field: 'password' }]);
      expect(await stored('ok')).toHaveLength(wrong.length + 1);
      expect(await stored('w@')).toEqual([]);
    });

    it('does not let a defect in one item touch the others, and logs it', async () => {
      const write = api.database.write.bind(api.database);
      api.database.write = (sql, parameters) =>
        parameters?.includes('odd@many.example') ? Promise.reject(new TypeError('odd')) : write(sql, parameters);
      const outcomes = await bulk('/users/bulk', [mailbox('near1'), mailbox('odd'), mailbox('near2')]);
      Object.assign(api.database, { write });
      expect(codes(outcomes)).toEqual([null, 'internal_error', null]);
      expect(await stored('near')).toHaveLength(2);
      expect(api.log.defects.splice(0)).toEqual([expect.objectContaining({ message: 'odd' })]);
    });
  });

  describe('the callers of a bulk request', () => {
    it('are those of a single one: billing may create domains of a partner, a client only its own', async () => {
      const items = [{ name: 'billed1.example', partner_ref: 'acme' }, { name: 'billed2.example' }];
      expect(statuses(await bulk('/domains/bulk', items, { token: BILLING }))).toEqual([201, 201]);
      await api.as(acme).get('/domains/billed1.example').expect(200);
      await api.as(acme).get('/domains/billed2.example').expect(404);
      const foreign = await bulk('/domains/bulk', [{ name: 'x.example', partner_ref: 'acme' }], { token: acme });
      expect(codes(foreign)).toEqual(['master_token_required']);
      for (const token of [BILLING, POLICY]) {
        await api
          .as(token)
          .post('/users/bulk', { items: [mailbox('b')] })
          .expect(403);
      }
    });

    it('do not learn of things of other partners', async () => {
      const outcomes = await bulk('/users/bulk', [mailbox('spy'), mailbox('spy', 'absent.example')], { token: rival });
      expect(codes(outcomes)).toEqual(['domain_not_found', 'domain_not_found']);
    });
  });

  describe('the quotas', () => {
    it('are exact over the whole request', async () => {
      const token = await api.key('small', { domains_allowed: 30 });
      const items = Array.from({ length: 40 }, (_, index) => ({ name: `small${index}.example` }));
      const outcomes = await bulk('/domains/bulk', items, { token });
      expect(codes(outcomes)).toEqual(items.map((_, index) => (index < 30 ? null : 'domain_quota_exceeded')));
      expect(outcomes[39]?.problem).toMatchObject({ limit: 30, used: 30 });
    });
  });

  describe('an idempotency key of a bulk request', () => {
    it('repeats each created item, and creates those that failed the first time', async () => {
      const items = [mailbox('key0'), mailbox('key1', 'later.example'), mailbox('key2')];
      const first = await bulk('/users/bulk', items, { key: 'import' });
      expect(statuses(first)).toEqual([201, 404, 201]);
      await api.as(acme).post('/domains/', { name: 'later.example' }).expect(201);
      const second = await bulk('/users/bulk', items, { key: 'import' });
      expect(second).toEqual([
        { ...first[0], replayed: true },
        { status: 201, body: expect.objectContaining({ email: 'key1@later.example' }) },
        { ...first[2], replayed: true },
      ]);
      const third = await bulk('/users/bulk', items, { key: 'import' });
      expect(third.every(({ replayed }) => replayed === true)).toBe(true);
    });

    it('refuses an item that differs, alone, and one that the former request did not have is new', async () => {
      await bulk('/users/bulk', [mailbox('differ0'), mailbox('differ1')], { key: 'differ' });
      const items = [mailbox('differ0'), mailbox('other1'), mailbox('differ2')];
      const outcomes = await bulk('/users/bulk', items, { key: 'differ' });
      expect(outcomes.map(({ status, replayed, problem }) => [status, replayed, problem?.code])).toEqual([
        [201, true, undefined],
        [422, undefined, 'idempotency_key_reused'],
        [201, undefined, undefined],
      ]);
      expect(await stored('other1')).toEqual([]);
    });

    it('belongs to its caller, and creates again what was deleted', async () => {
      const items = [mailbox('own0'), mailbox('own1')];
      await bulk('/users/bulk', items, { key: 'own' });
      expect(codes(await bulk('/users/bulk', items, { key: 'own', token: MASTER }))).toEqual([
        'mailbox_exists',
        'mailbox_exists',
      ]);
      await api.as(acme).delete('/users/own1@many.example').expect(204);
      const outcomes = await bulk('/users/bulk', items, { key: 'own' });
      expect(outcomes.map(({ status, replayed }) => [status, replayed])).toEqual([
        [201, true],
        [201, undefined],
      ]);
    });

    it('that has no valid form refuses the request as a whole', async () => {
      const request = api.as(acme).post('/users/bulk', { items: [mailbox('form')] });
      await request.set('Idempotency-Key', 'x'.repeat(256)).expect(422);
      expect(await stored('form')).toEqual([]);
    });
  });

  describe('while the database goes away', () => {
    const awayAfter = (sessions: number) => {
      const openSession = api.database.openSession.bind(api.database);
      let left = sessions;
      api.database.openSession = () => {
        left -= 1;
        return left >= 0 ? openSession() : Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
      };
      return () => Object.assign(api.database, { openSession });
    };

    it('the outcomes say which items were created, and a repeat with the same key creates the others', async () => {
      const items = mailboxes('away', 60);
      const comeBack = awayAfter(1);
      const outcomes = await bulk('/users/bulk', items, { key: 'away' });
      comeBack();
      expect(codes(outcomes)).toEqual(items.map((_, index) => (index < 25 ? null : 'database_unavailable')));
      const again = await bulk('/users/bulk', items, { key: 'away' });
      expect(again.map(({ status, replayed }) => [status, replayed === true])).toEqual(
        items.map((_, index) => [201, index < 25]),
      );
    });

    it('the whole request is 503 when nothing was created', async () => {
      const comeBack = awayAfter(0);
      await api
        .as(acme)
        .post('/users/bulk', { items: mailboxes('none', 3) })
        .expect(503);
      comeBack();
      expect(await stored('none')).toEqual([]);
    });
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});

describe('the rate of a bulk request', () => {
  it('is charged for each item, and a permitted size passes', async () => {
    const api = await startTestApi('sqlite', { RATE_LIMIT: '10' });
    const token = await api.key('rated');
    const items = Array.from({ length: 100 }, (_, index) => ({ name: `rated${index}.example` }));
    const { body } = await api.as(token).post('/domains/bulk', { items }).expect(200);
    expect((body as Item[]).every(({ status }) => status === 201)).toBe(true);
    // A key has half of the rate: 5 a second. It spent 101 of its 15.
    await api.as(token).get('/me').expect(429);
    api.clock.advance(17_000);
    await api.as(token).get('/me').expect(429);
    api.clock.advance(1_000);
    await api.as(token).get('/me').expect(200);
    await api.close();
  });
});
