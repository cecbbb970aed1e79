import { once } from 'node:events';
import { connect } from 'node:net';
import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const MAILBOXES = 1_050;
const LONG_WAIT_MS = 600_000;

onEachDatabase((kind) => {
  describe('a list', () => {
    let api: TestApi;
    let acme: string;
    let rival: string;
    let events: string[];

    beforeAll(async () => {
      api = await startTestApi(kind, {}, { listMaxWaitMs: LONG_WAIT_MS });
      acme = await api.key('acme', { domains_allowed: 0 });
      rival = await api.key('rival');
      await api.as(acme).post('/domains/', { name: 'many.example' }).expect(201);
      await fill(api);
      noteEvents();
    });
    afterAll(() => api.close());

    /**
     * Records the order in which the server reads further chunks of lists, and receives and answers requests to `/me`.
     */
    function noteEvents() {
      const read = api.database.read.bind(api.database);
      api.database.read = (sql: string, parameters: Parameter[] = []) => {
        // The first chunk comes after the id 0.
        if (/FROM mailbox .*LIMIT/s.test(sql) && !parameters.includes(0)) events.push('chunk');
        return read(sql, parameters);
      };
      api.server.on('request', (request, response) => {
        if (request.url !== '/me') return;
        const name = String(request.headers['x-request-id']);
        events.push(`${name} arrived`);
        // Not 'finish', which is emitted in a later turn of the event loop, after another chunk may have been read.
        response.on('prefinish', () => events.push(`${name} answered`));
      });
    }

    /** Requests `/me` repeatedly until the lists are written. @returns the number of requests. */
    async function requestMeanwhile(written: Promise<unknown>): Promise<number> {
      const lists = { ended: false };
      const watched = written.finally(() => {
        lists.ended = true;
      });
      let requests = 0;
      while (!lists.ended) {
        await api.as(rival).get('/me').set('X-Request-Id', `me-${requests}`).expect(200);
        requests += 1;
      }
      await watched;
      return requests;
    }

    it.each([1, 5, 40])('with %i readers, a request waits for at most one chunk', async (readers) => {
      events = [];
      const lists = Promise.all(
        Array.from({ length: readers }, async () => (await api.as(acme).get('/users/').expect(200)).body as object[]),
      );
      const requests = await requestMeanwhile(lists);
      for (const list of await lists) expect(list).toHaveLength(MAILBOXES);
      const chunks = Math.ceil(MAILBOXES / api.database.dialect.listChunkRows);
      expect(events.filter((event) => event === 'chunk')).toHaveLength(readers * (chunks - 1));
      expect(requests).toBeGreaterThan(1);
      for (let index = 0; index < requests; index += 1) {
        const from = events.indexOf(`me-${index} arrived`);
        const to = events.indexOf(`me-${index} answered`);
        expect(events.slice(from, to).filter((event) => event === 'chunk').length).toBeLessThanOrEqual(1);
      }
    });

    it.each(['/users/?limit=1000', '/api-keys/KEY/usage'])(
      'and other responses that are read in chunks, %s, also let a request wait for at most one chunk',
      async (path) => {
        events = [];
        const keys = (await api.as(MASTER).get('/api-keys/?partner_ref=acme').expect(200)).body as { id: number }[];
        const whole = api.as(MASTER).get(path.replace('KEY', String(keys[0]?.id)));
        const requests = await requestMeanwhile(whole.expect(200).then());
        expect(events.filter((event) => event === 'chunk').length).toBeGreaterThan(0);
        for (let index = 0; index < requests; index += 1) {
          const between = events.slice(events.indexOf(`me-${index} arrived`), events.indexOf(`me-${index} answered`));
          expect(between.filter((event) => event === 'chunk').length).toBeLessThanOrEqual(1);
        }
      },
    );

    it('in pages has all rows and a link to each next page', async () => {
      events = [];
      const seen: number[] = [];
      let path: string | undefined = '/users/?limit=400';
      const sizes: number[] = [];
      while (path !== undefined) {
        const answer: { body: { id: number }[]; headers: { link?: string } } = await api.as(acme).get(path).expect(200);
        sizes.push(answer.body.length);
        seen.push(...answer.body.map(({ id }) => id));
        path = /<(.+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
      }
      expect(sizes).toEqual([400, 400, 250]);
      expect(new Set(seen).size).toBe(MAILBOXES);
      expect([...seen].sort((left, right) => left - right)).toEqual(seen);
    });

    it('does not delay other lists when forty readers close their connections', async () => {
      events = [];
      const sockets = Array.from({ length: 40 }, () => {
        const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(`GET /users/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${acme}\r\n\r\n`);
        return socket;
      });
      await Promise.all(sockets.map((socket) => once(socket, 'data')));
      for (const socket of sockets) socket.destroy();
      expect((await api.as(acme).get('/users/').expect(200)).body).toHaveLength(MAILBOXES);
    });
  });
});

async function fill({ database }: TestApi): Promise<void> {
  const [domain] = await database.read("SELECT id FROM domain WHERE name = 'many.example'");
  for (let start = 0; start < MAILBOXES; start += 50) {
    const rows = Array.from({ length: Math.min(50, MAILBOXES - start) }, (_, index) => start + index);
    await database.write(
      `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       VALUES ${rows.map(() => "(?, ?, ?, 'x', 1, 0, 1, ?, 1)").join(', ')}`,
      rows.flatMap((row) => [Number(domain?.id), `m${row}@many.example`, `m${row}`, `h${row}`]),
    );
  }
  await database.write(
    'UPDATE mailbox SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = mailbox.domain_id)',
  );
}
