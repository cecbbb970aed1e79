import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { jest } from '@jest/globals';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { until } from '@mailstead/core/testing/until';
import bcrypt from 'bcrypt';
import type supertest from 'supertest';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const RUNNING = Math.max(1, Math.min(3, availableParallelism() - 1));
const WAITING_PER_PARTNER = 40 * RUNNING;
/** Requests of one partner whose hashes run or wait. */
const ACCEPTED = RUNNING + WAITING_PER_PARTNER;
const TOO_MANY = 20;

/** Lets no hash begin until the returned function is called. */
function holdHashes(): () => void {
  const hasher: { hash(password: string, cost: number): Promise<string> } = bcrypt;
  const hash = hasher.hash.bind(hasher);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const spy = jest.spyOn(hasher, 'hash').mockImplementation(async (...given) => {
    await opened;
    return hash(...given);
  });
  return () => {
    spy.mockRestore();
    open();
  };
}

type Answer = Awaited<supertest.Test>;

onEachDatabase((kind) => {
  describe('the hashing of passwords', () => {
    let api: TestApi;
    let flooder: string;
    let other: string;
    let release: () => void;

    beforeAll(async () => {
      api = await startTestApi(kind);
      flooder = await api.key('flooder', { domains_allowed: 0 });
      other = await api.key('other', { domains_allowed: 0 });
      await api.as(flooder).post('/domains/', { name: 'flood.example' }).expect(201);
      await api.as(other).post('/domains/', { name: 'other.example' }).expect(201);
      await api.as(flooder).post('/users/', { email: 'a@flood.example', password: 'correct horse' }).expect(201);
    });
    beforeEach(() => {
      release = holdHashes();
    });
    afterEach(() => release());
    afterAll(() => api.close());

    const change = (token: string, index: number) =>
      api.as(token).put('/users/a@flood.example', { password: `another horse ${index}` });

    /** Sends more changes than are accepted, and waits until the others are refused. */
    async function flood(token: string, accepted = ACCEPTED): Promise<{ all: Promise<Answer[]> }> {
      const answers: Answer[] = [];
      const all = Array.from({ length: accepted + TOO_MANY }, async (_, index) => {
        const answer = await change(token, index);
        answers.push(answer);
        return answer;
      });
      await until('those to be refused that are too many', () => answers.length >= TOO_MANY);
      return { all: Promise.all(all) };
    }

    function expectRefused(answers: readonly Answer[]): void {
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.map(({ status, body, headers }) => [status, body.code, headers['retry-after']])).toEqual(
        Array.from({ length: TOO_MANY }, () => [429, 'hashing_busy', '5']),
      );
    }

    it('refuses with 429 what one partner has too much, and fails for no other partner meanwhile', async () => {
      const { all } = await flood(flooder);
      const created = Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          api
            .as(other)
            .post('/users/', { email: `u${index}@other.example`, password: 'correct horse' })
            .expect(201),
        ),
      );
      await api.as(flooder).put('/users/a@flood.example', { name: 'A' }).expect(200);
      release();
      await created;
      expectRefused(await all);
    });

    it('counts operators separately from the partners whose mailboxes they change', async () => {
      const { all } = await flood(MASTER);
      // The operator's hashes take all turns, so that those of the partner only wait.
      const { all: ofPartner } = await flood(flooder, WAITING_PER_PARTNER);
      release();
      expectRefused(await all);
      expectRefused(await ofPartner);
    });

    it('is cancelled for callers that closed the connection', async () => {
      api.log.lines.length = 0;
      const body = JSON.stringify({ password: 'nobody waits for this' });
      let requests = 0;
      api.server.on('request', () => {
        requests += 1;
      });
      const sockets = Array.from({ length: WAITING_PER_PARTNER }, () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `PUT /users/a@flood.example HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${flooder}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      await until('every request to arrive', () => requests === sockets.length);
      for (const socket of sockets) socket.destroy();
      const cancelled = () => api.log.lines.filter(({ errorCode }) => errorCode === 'request_cancelled').length;
      await until('those that wait to be cancelled', () => cancelled() >= sockets.length - RUNNING);
      release();
      await until('every line in the log', () => api.log.lines.length === sockets.length);
      await change(flooder, 0).expect(200);
    });

    it('is skipped for a mailbox that the quota refuses', async () => {
      release();
      const full = await api.key('full', { mailboxes_per_domain: 1 });
      await api.as(full).post('/domains/', { name: 'full.example' }).expect(201);
      await api.as(full).post('/users/', { email: 'a@full.example', password: 'correct horse' }).expect(201);
      release = holdHashes();
      const answers = await Promise.all(
        Array.from({ length: ACCEPTED + TOO_MANY }, (_, index) =>
          api.as(full).post('/users/', { email: `b${index}@full.example`, password: 'correct horse' }),
        ),
      );
      expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(['mailbox_quota_exceeded']));
    });
  });
});
