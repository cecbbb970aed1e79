import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { until } from '@mailstead/core/testing/until';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

/**
 * A hash with this cost takes about 8 ms, so that many of them take longer than the requests that arrive after them.
 */
const COST = '7';
const FLOOD = 60;
const WORKERS = Math.max(1, Math.min(3, availableParallelism() - 1));
const WAITING_PER_PARTNER = 40 * WORKERS;

onEachDatabase((kind) => {
  describe('the hashing of passwords', () => {
    let api: TestApi;
    let flooder: string;
    let other: string;
    let requests = 0;

    beforeAll(async () => {
      api = await startTestApi(kind, { BCRYPT_COST: COST });
      flooder = await api.key('flooder', { domains_allowed: 0 });
      other = await api.key('other', { domains_allowed: 0 });
      await api.as(flooder).post('/domains/', { name: 'flood.example' }).expect(201);
      await api.as(other).post('/domains/', { name: 'other.example' }).expect(201);
      await api.as(flooder).post('/users/', { email: 'a@flood.example', password: 'correct horse' }).expect(201);
      api.server.on('request', () => {
        requests += 1;
      });
    });
    afterAll(() => api.close());

    const change = (token: string, index: number) =>
      api.as(token).put('/users/a@flood.example', { password: `another horse ${index}` });

    it('does not fail for one partner while another changes 60 passwords at once', async () => {
      requests = 0;
      const flood = Promise.all(Array.from({ length: FLOOD }, (_, index) => change(flooder, index)));
      await until('every request to arrive', () => requests === FLOOD);
      const created = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          api.as(other).post('/users/', { email: `u${index}@other.example`, password: 'correct horse' }),
        ),
      );
      expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 201));
      for (const { status, body, headers } of await flood) {
        if (status === 200) continue;
        expect([status, body.code, headers['retry-after']]).toEqual([429, 'hashing_busy', '5']);
      }
    });

    it('refuses with 429 when one partner has too many requests; a request without a password succeeds', async () => {
      const answers = await Promise.all(
        Array.from({ length: WAITING_PER_PARTNER + 20 }, (_, index) => change(flooder, index)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      await api.as(flooder).put('/users/a@flood.example', { name: 'A' }).expect(200);
    });

    it('counts operators separately from the partners whose mailboxes they change', async () => {
      requests = 0;
      const flood = Promise.all(Array.from({ length: WAITING_PER_PARTNER + 20 }, (_, index) => change(MASTER, index)));
      await until('every request to arrive', () => requests === WAITING_PER_PARTNER + 20);
      await change(flooder, 0).expect(200);
      expect((await flood).some(({ status }) => status === 200)).toBe(true);
    });

    it('is cancelled for callers that closed the connection', async () => {
      api.log.lines.length = 0;
      const body = JSON.stringify({ password: 'nobody waits for this' });
      const before = requests;
      const sockets = Array.from({ length: WAITING_PER_PARTNER }, () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `PUT /users/a@flood.example HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${flooder}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      await until('every request to arrive', () => requests === before + sockets.length);
      for (const socket of sockets) socket.destroy();
      await until('every line in the log', () => api.log.lines.length === sockets.length);
      expect(api.log.lines.filter(({ errorCode }) => errorCode === 'request_cancelled').length).toBeGreaterThan(0);
      await change(flooder, 0).expect(200);
    });

    it('is skipped for a mailbox that the quota refuses', async () => {
      const full = await api.key('full', { mailboxes_per_domain: 1 });
      await api.as(full).post('/domains/', { name: 'full.example' }).expect(201);
      await api.as(full).post('/users/', { email: 'a@full.example', password: 'correct horse' }).expect(201);
      const answers = await Promise.all(
        Array.from({ length: WAITING_PER_PARTNER + 20 }, (_, index) =>
          api.as(full).post('/users/', { email: `b${index}@full.example`, password: 'correct horse' }),
        ),
      );
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['mailbox_quota_exceeded']));
    });
  });
});
