import { connect, type Socket } from 'node:net';
import type { Parameter } from '@mailstead/adapters/database/driver/database';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { until } from '@mailstead/core/testing/until';
import { createConnection } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';

const REQUESTS = 60;
/** A quarter of the pool of the tests. */
const MOST_OF_A_PARTNER = 5;

describe('60 requests of one key that closes its connections at once', () => {
  let api: TestApi;
  let impatient: string;
  let patient: string;

  beforeAll(async () => {
    scaleDeadlines(1);
    api = await startTestApi('mariadb');
    impatient = await api.key('impatient', { domains_allowed: 0 });
    patient = await api.key('patient', { domains_allowed: 0 });
  });
  afterAll(() => api.close());

  it('hold a quarter of the connections at most, and those that waited are not begun', async () => {
    const [info] = await api.database.read('SELECT DATABASE() AS name');
    const url = new URL(String(process.env.MAILSTEAD_TEST_MARIADB_URL));
    url.pathname = `/${String(info?.name)}`;
    const admin = await createConnection({ uri: url.toString(), connectTimeout: PATIENCE_MS });
    const reads: Promise<unknown>[] = [];
    const read = api.database.read.bind(api.database);
    api.database.read = (sql: string, parameters: Parameter[] = []) => {
      const rows = read(sql, parameters);
      if (sql.includes('FROM audit_log')) reads.push(rows);
      return rows as Promise<never>;
    };
    const closed: unknown[] = [];
    api.server.on('request', (request, response) => {
      if (request.url === '/events?limit=1') response.on('close', () => closed.push(request.url));
    });
    try {
      await admin.query('LOCK TABLES audit_log WRITE');
      const sockets = Array.from({ length: REQUESTS }, () => ask(impatient));
      // On a busy machine some requests end before their read, with 503.
      await until('every request to read or end', () => reads.length + closed.length >= REQUESTS);
      expect(reads.length).toBeGreaterThan(MOST_OF_A_PARTNER);
      expect(await running()).toBeLessThanOrEqual(MOST_OF_A_PARTNER);
      await api.as(patient).get('/me').expect(200);
      for (const socket of sockets) socket.destroy();
      await until('every connection to be closed', () => closed.length >= REQUESTS);
      await admin.query('UNLOCK TABLES');
      const outcomes = await Promise.allSettled(reads);
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(MOST_OF_A_PARTNER);
      // Those whose turn did not come before the time limit are busy: this depends on the machine.
      const codes = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
      expect(codes.filter((code) => !['request_cancelled', 'busy', 'database_unavailable'].includes(code))).toEqual([]);
      expect(codes.length).toBeGreaterThanOrEqual(reads.length - MOST_OF_A_PARTNER);
    } finally {
      Object.assign(api.database, { read });
      await admin.end();
    }
  });

  function ask(token: string): Socket {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET /events?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    return socket;
  }

  async function running(): Promise<number> {
    const [row] = await api.database.read(
      "SELECT COUNT(*) AS running FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE '%audit_log%' AND info NOT LIKE '%processlist%'",
    );
    return Number(row?.running);
  }
});

onHttpDatabase((kind) => {
  it('a list whose caller has gone reads no further rows', async () => {
    const api = await startTestApi(kind);
    const token = await api.key('acme', { domains_allowed: 0 });
    const read = api.database.read.bind(api.database);
    let afterwards = 0;
    let isClosed = false;
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const response = new Promise<void>((resolve) => {
      api.server.once('request', (_request, answer) =>
        answer.once('close', () => {
          isClosed = true;
          resolve();
        }),
      );
    });
    api.database.read = async (sql: string, parameters: Parameter[] = []) => {
      if (sql.includes('FROM mailbox')) {
        // The caller goes while its first statement runs.
        socket.destroy();
        await response;
        if (afterwards > 0) throw new Error('A statement was begun');
        afterwards += 1;
        return read(sql, parameters);
      }
      return read(sql, parameters);
    };
    socket.write(`GET /users/?limit=50 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    await response;
    await until('the line in the log', () => api.log.lines.some(({ path }) => path === '/users/'));
    expect(isClosed).toBe(true);
    expect(api.log.lines.find(({ path }) => path === '/users/')?.errorCode).toBe('request_cancelled');
    expect(api.log.defects).toEqual([]);
    Object.assign(api.database, { read });
    await api.close();
  });
});
