import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import type { Report } from '../report.js';
import { CLIENT, call, type DatabaseKind, residentMb, type Served, startService } from '../service.js';

const MAILBOXES = 100_000;
const OTHER = 'other-client-token-of-the-benchmarks';
const MEASURED_MS = 4_000;
/** The interval at which a slow reader reads from its socket. */
const SLOW_READ_EVERY_MS = 20;

/** The time of another partner's `GET /me` while readers read one long list, on the embedded database. */
export async function readers(kind: DatabaseKind, report: Report): Promise<void> {
  const empty = await startService(kind);
  await call(empty, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'many', mailboxes_per_domain: 0 });
  await call(empty, 'POST', '/api-keys/', { token: OTHER, partner_ref: 'other' });
  await call(empty, 'POST', '/domains/', { name: 'many.example' }, CLIENT);
  await empty.stop();
  await seed(empty.dataDir);
  const service = await startService(kind, empty);
  await p99OfMe(service);
  const idle = await p99OfMe(service);
  for (const [count, slow] of [
    [1, false],
    [1, true],
    [5, true],
    [40, true],
  ] as const) {
    const sockets = Array.from({ length: count }, () => read(service, slow));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    const beside = await p99OfMe(service);
    for (const socket of sockets) socket.destroy();
    report.note(
      `GET /me beside ${count} ${slow ? 'slow' : 'quick'} readers of ${MAILBOXES.toLocaleString('en')} mailboxes`,
      `p99 ${beside.toFixed(1)} ms, idle ${idle.toFixed(1)} ms; ${Math.round(residentMb(service))} MB`,
      'p99 ≤ × 3 of idle',
      beside <= 3 * idle,
    );
  }
  await service.stop();
}

async function seed(dataDir: string): Promise<void> {
  const database = await openDatabase({ url: null, dataDir, poolSize: 1 });
  await database.write(
    `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
     WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${MAILBOXES})
     SELECT d.id, d.partner_id, 'm' || i || '@' || d.name, 'm' || i, 'x', 1024, 0, 1, printf('%032x', i), d.created_at + i FROM s JOIN domain d ON d.name = 'many.example'`,
  );
  await database.close();
}

/** Reads the list repeatedly until the socket is destroyed. */
function read({ url }: Served, slow: boolean): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const ask = () => socket.write(`GET /users/ HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${CLIENT}\r\n\r\n`);
  socket.on('error', () => undefined);
  socket.on('data', (data: Buffer) => {
    if (data.subarray(-5).toString() === '0\r\n\r\n') ask();
    if (!slow) return;
    socket.pause();
    setTimeout(() => socket.resume(), SLOW_READ_EVERY_MS);
  });
  ask();
  return socket;
}

async function p99OfMe(service: Served): Promise<number> {
  const taken: number[] = [];
  for (const end = performance.now() + MEASURED_MS; performance.now() < end; ) {
    const started = performance.now();
    await call(service, 'GET', '/me', undefined, OTHER);
    taken.push(performance.now() - started);
  }
  taken.sort((left, right) => left - right);
  return taken[Math.floor(taken.length * 0.99)] ?? Number.NaN;
}
