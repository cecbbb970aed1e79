import { connect } from 'node:net';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import supertest from 'supertest';
import { methodsByPath } from '../app.js';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  let acme: string;

  beforeAll(async () => {
    acme = await api.key('acme');
  });

  describe('every response', () => {
    it('has the request id, which the caller may choose', async () => {
      expect(
        (await supertest(api.url).get('/health').set('X-Request-Id', 'my.id-1').expect(200)).headers['x-request-id'],
      ).toBe('my.id-1');
      const own = (await supertest(api.url).get('/health').set('X-Request-Id', 'not sane!').expect(200)).headers[
        'x-request-id'
      ];
      expect(own).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('has the version and the security headers, and does not name the framework', async () => {
      const { headers } = await supertest(api.url).get('/health').expect(200);
      expect(headers).toMatchObject({
        'x-api-version': '5.0.0',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(headers).not.toHaveProperty('x-powered-by');
    });

    it('with an error is problem details with the same request id', async () => {
      const { body, headers } = await supertest(api.url).get('/nowhere').set('X-Request-Id', 'abc').expect(404);
      expect(headers['content-type']).toBe('application/problem+json');
      expect(body).toEqual({
        type: '/docs/error-codes#route_not_found',
        title: 'Not Found',
        status: 404,
        detail: 'No such path',
        code: 'route_not_found',
        request_id: 'abc',
      });
    });
  });

  describe('a request', () => {
    it('has the same response however its path is written', async () => {
      const written = [
        '/outbound/tiers',
        '/outbound/tiers/',
        '/Outbound/Tiers',
        '/outbound%2Ftiers',
        '/outbound/tiers?',
      ];
      const responses = await Promise.all(
        written.map((path) => supertest(api.url).get(path).set('Authorization', `Bearer ${acme}`)),
      );
      const [first] = responses;
      for (const { status, body, headers } of responses.filter(({ status }) => status !== 404)) {
        expect([status, body, Object.keys(headers)]).toEqual([200, first?.body, Object.keys(first?.headers ?? {})]);
      }
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 404, 200]);
    });

    it('with a wrong method is 405 with the allowed methods, on every path', async () => {
      for (const [path, methods] of methodsByPath(api.routes)) {
        const { status, headers } = await supertest(api.url).patch(path.replaceAll(/:\w+/g, 'x'));
        expect([path, status, headers.allow]).toEqual([path, 405, methods.join(', ')]);
      }
    });

    it('with a wrong token is refused before its body is read', async () => {
      await supertest(api.url).post('/domains/').set('Content-Type', 'application/json').send('{broken').expect(401);
    });

    it.each([
      ['application/json', '{broken', 400, 'malformed_json'],
      ['application/json', '[]', 422, 'validation_failed'],
      ['application/json', 'null', 422, 'validation_failed'],
      ['application/json', '"text"', 422, 'validation_failed'],
      ['application/json', '{"__proto__": {"name": "x.example"}}', 422, 'validation_failed'],
      ['application/json', '{"constructor": 1, "name": "x.example"}', 422, 'validation_failed'],
      ['text/plain', '{"name":"x.example"}', 415, 'unsupported_media_type'],
      ['application/x-www-form-urlencoded', 'name=x.example', 415, 'unsupported_media_type'],
      ['application/json; charset=latin1', '{"name":"x.example"}', 400, 'malformed_request'],
      ['application/json', JSON.stringify({ name: 'x'.repeat(256 * 1_024) }), 413, 'body_too_large'],
    ])('of type %s with body %.30j is %i %s', async (type, payload, status, code) => {
      const { body } = await supertest(api.url)
        .post('/domains/')
        .set('Authorization', `Bearer ${acme}`)
        .set('Content-Type', type)
        .send(payload);
      expect([body.status, body.code]).toEqual([status, code]);
    });

    it('may have no body when every field is optional; otherwise the response names the required fields', async () => {
      const { body } = await api.as(acme).post('/domains/').expect(422);
      expect(body.errors).toEqual([{ field: 'name', message: 'is required' }]);
    });

    it.each(['/domains/%', '/domains/%zz', '/users/%E0%A4%A'])(
      'with the unreadable path %s is 404, not a crash',
      async (path) => {
        const status = await new Promise((resolve) => {
          const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
            socket.write(
              `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme}\r\nConnection: close\r\n\r\n`,
            );
          });
          socket.once('data', (data) => resolve(Number(data.toString().split(' ')[1])));
        });
        expect(status).toBe(404);
      },
    );

    it('to a collection is the same with and without the trailing slash', async () => {
      for (const path of ['/domains', '/users', '/aliases']) {
        expect((await api.as(acme).get(path).expect(200)).body).toEqual(
          (await api.as(acme).get(`${path}/`).expect(200)).body,
        );
      }
    });
  });

  describe('an Idempotency-Key', () => {
    const send = (token: string, key: string, path: string, body: object) =>
      api.as(token).post(path, body).set('Idempotency-Key', key);

    it('returns the first response to a repeated request, with one effect', async () => {
      const first = await send(acme, 'key 1', '/domains/', { name: 'once.example' }).expect(201);
      const second = await send(acme, 'key 1', '/domains/', { name: 'once.example' }).expect(201);
      expect(second.body).toEqual(first.body);
      expect(first.headers).not.toHaveProperty('idempotent-replayed');
      expect(second.headers['idempotent-replayed']).toBe('true');
    });

    it('is refused with another body, and is a different key for another caller', async () => {
      const { body } = await send(acme, 'key 1', '/domains/', { name: 'twice.example' }).expect(422);
      expect(body.detail).toBe('Idempotency key reused');
      const rival = await api.key('rival');
      await send(rival, 'key 1', '/domains/', { name: 'rival-once.example' }).expect(201);
    });

    it('can be used again after a refused request', async () => {
      await send(acme, 'key 2', '/users/', { email: 'a@later.example', password_hash: HASH }).expect(404);
      await api.as(acme).post('/domains/', { name: 'later.example' }).expect(201);
      await send(acme, 'key 2', '/users/', { email: 'a@later.example', password_hash: HASH }).expect(201);
    });

    it('is deleted with the resource that it created, and after a day', async () => {
      await api.as(acme).delete('/users/a@later.example').expect(204);
      const again = await send(acme, 'key 2', '/users/', { email: 'a@later.example', password_hash: HASH }).expect(201);
      expect(again.headers).not.toHaveProperty('idempotent-replayed');
      api.clock.advance(24 * 3_600_000 + 1);
      await send(acme, 'key 2', '/users/', { email: 'b@later.example', password_hash: HASH }).expect(201);
    });

    it('stores no token; the replayed response has the token of the repeated request', async () => {
      const body = { token: 'an-idempotent-token-0123', partner_ref: 'idem' };
      const first = await send(MASTER, 'key 4', '/api-keys/', body).expect(201);
      const second = await send(MASTER, 'key 4', '/api-keys/', body).expect(201);
      expect(second.body).toEqual(first.body);
      expect(JSON.stringify(await api.database.read('SELECT * FROM idempotency'))).not.toContain(body.token);
    });

    it('of more than 255 characters is 422', async () => {
      const { body } = await send(acme, 'x'.repeat(256), '/domains/', { name: 'long-key.example' }).expect(422);
      expect(body.errors).toEqual([{ field: 'Idempotency-Key', message: expect.any(String) }]);
    });
  });

  describe('a complete list', () => {
    it('streams in chunks and parses as one array', async () => {
      const rows = 2_500;
      const partner =
        (await api.database.read<{ id: number }>("SELECT id FROM partner WHERE ref = 'acme'"))[0]?.id ?? 0;
      for (let start = 0; start < rows; start += 500) {
        const values = Array.from(
          { length: 500 },
          (_, index) => `('bulk-${start + index}.example', ${partner}, ${start + index})`,
        );
        await api.database.write(
          `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
           VALUES ${values.map((value) => `${value.slice(0, -1)}, 0, 0, 0, '', 'active', 'none', 'open', 0, 0)`).join(', ')}`,
          [],
          [],
        );
      }
      const { body } = await api.as(MASTER).get('/domains/').expect(200);
      expect(body.length).toBeGreaterThan(rows);
      const ids: number[] = body.map(({ id }: { id: number }) => id);
      expect([...new Set(ids)].sort((left, right) => left - right)).toEqual(ids);
    });

    it('that fails after its first chunk closes the connection, so that the incomplete list does not parse', async () => {
      const read = api.database.read.bind(api.database);
      let pages = 0;
      api.database.read = (sql: string, parameters: never) => {
        pages += sql.includes('AS part,') ? 1 : 0;
        return pages > 2 ? Promise.reject(new Error('the database went away')) : read(sql, parameters);
      };
      await expect(api.as(MASTER).get('/domains/')).rejects.toThrow(/aborted|hang up|ECONNRESET|terminated/);
      api.database.read = read;
    });
  });

  describe('the OpenAPI document', () => {
    it('contains exactly the served routes', async () => {
      const { body } = await supertest(api.url).get('/openapi.json').expect(200);
      expect(body.openapi).toBe('3.1.0');
      const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      );
      const served = api.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
      expect(documented.sort()).toEqual(served.sort());
    });

    it('refers only to schemas that it contains', async () => {
      const { body } = await supertest(api.url).get('/openapi.json').expect(200);
      const referred = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
        ([, name]) => name ?? '',
      );
      expect(referred.filter((name) => body.components.schemas[name] === undefined)).toEqual([]);
    });

    it('is shown by the docs page, which loads only files of this service', async () => {
      const { text, headers } = await supertest(api.url).get('/docs').expect(200);
      expect(text).not.toMatch(/https?:\/\//);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      await supertest(api.url).get('/docs/swagger-ui-bundle.js').expect(200);
      await supertest(api.url).get('/docs/package.json').expect(404);
    });
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects.map(String)).toEqual(['Error: the database went away'].slice(0, api.log.defects.length));
  });

  describe('a repeated request with an Idempotency-Key', () => {
    let key: string;

    beforeAll(async () => {
      key = await api.key('repeats');
      for (const name of ['kept.example', 'lost.example']) {
        await api.as(MASTER).post('/domains/', { name, partner_ref: 'repeats' }).expect(201);
      }
    });

    const requestsFor = (domain: string): [path: string, body: object][] => [
      ['/users/', { email: `a@${domain}`, password_hash: HASH }],
      ['/aliases/', { address: `b@${domain}`, destination: `a@${domain}` }],
      ['/users/bulk', { items: [{ email: `c@${domain}`, password_hash: HASH }] }],
    ];
    /** Sends each request with a key of its own. @returns the status of each, of a bulk request that of its item */
    const statuses = async (domain: string): Promise<number[]> => {
      const found: number[] = [];
      for (const [path, body] of requestsFor(domain)) {
        const response = await api.as(key).post(path, body).set('Idempotency-Key', `${domain} ${path}`);
        const [item] = Array.isArray(response.body) ? (response.body as { status: number; replayed?: boolean }[]) : [];
        found.push(item?.status ?? response.status);
      }
      return found;
    };

    it('does not answer about what its caller does not have any more', async () => {
      expect([await statuses('kept.example'), await statuses('lost.example')]).toEqual([
        [201, 201, 201],
        [201, 201, 201],
      ]);
      await api
        .as(MASTER)
        .put(`/api-keys/${key}`, { domains: ['kept.example'] })
        .expect(200);
      expect(await statuses('lost.example')).toEqual([404, 404, 404]);
      expect(await statuses('kept.example')).toEqual([201, 201, 201]);
      await api.as(MASTER).put(`/api-keys/${key}`, { domains: null }).expect(200);
      await api.as(MASTER).put('/domains/lost.example/partner', { partner_ref: 'other' }).expect(200);
      expect(await statuses('lost.example')).toEqual([404, 404, 404]);
      expect(await statuses('kept.example')).toEqual([201, 201, 201]);
    });

    it('is a creation for the partner that had the domain when it moved away', async () => {
      const create = () => api.as(key).post('/domains/', { name: 'moves.example' }).set('Idempotency-Key', 'moves');
      await create().expect(201);
      expect((await create().expect(201)).headers['idempotent-replayed']).toBe('true');
      await api.as(MASTER).put('/domains/moves.example/partner', { partner_ref: 'other' }).expect(200);
      expect((await create().expect(400)).body.code).toBe('domain_exists');
    });
  });
});
