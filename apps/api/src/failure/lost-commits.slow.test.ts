import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { openTestDatabase, type TestDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
/** More than a request needs that finds the outcome of the one before. */
const ATTEMPTS = 20;

type Loss = 'its answer' | 'the COMMIT';

/** The way to MariaDB, on which the next COMMIT of a change, or its answer, is lost without a word. */
class LossyWay {
  /** A connection that sends this text loses the next COMMIT, or its answer. */
  armed: { text: string; loss: Loss } | null = null;
  losses = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly port: number) {
    this.server = createServer((client) => this.join(client));
  }

  async start(): Promise<number> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await once(this.server.close(), 'close');
  }

  private join(client: Socket): void {
    const server = connect(this.port, '127.0.0.1');
    const state = { isChange: false, isSilent: false };
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => undefined).on('close', () => (state.isSilent ? undefined : to.destroy()));
      from.on('data', (bytes: Buffer) => {
        const hasCommit = from === client && !state.isSilent && this.hasCommit(bytes, state);
        if (state.isSilent) return;
        if (!hasCommit) return void to.write(bytes);
        const { loss } = this.armed ?? { loss: 'the COMMIT' };
        this.armed = null;
        this.losses += 1;
        state.isSilent = true;
        if (loss === 'its answer') to.write(bytes);
      });
    }
  }

  private hasCommit(bytes: Buffer, state: { isChange: boolean }): boolean {
    if (this.armed === null) return false;
    state.isChange ||= bytes.includes(this.armed.text);
    return state.isChange && bytes.includes('COMMIT');
  }
}

describe.each<Loss>(['its answer', 'the COMMIT'])('a change of which %s is lost', (loss) => {
  let direct: TestDatabase;
  let way: LossyWay;
  let api: TestApi;
  const name = 'lost.example';

  beforeAll(async () => {
    scaleDeadlines(1);
    direct = await openTestDatabase('mariadb');
    const url = new URL(direct.url ?? '');
    way = new LossyWay(Number(url.port));
    url.port = String(await way.start());
    const database = await openDatabase({ url: url.href, dataDir: direct.dataDir, poolSize: 8 });
    const close = async () => {
      await way.stop();
      await database.close();
      await direct.close();
    };
    api = await startTestApi('mariadb', {}, {}, null, { ...direct, database, close });
    await api.as(MASTER).post('/domains/', { name }).expect(201);
  });
  afterAll(() => api.close());

  /** Sends it again, as a client does, until it is answered. @returns the statuses, and the last response */
  async function repeat(send: () => Promise<{ status: number; headers: Record<string, string>; body: unknown }>) {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const response = await send();
      statuses.push(response.status);
      if (response.status < 300) return { statuses, response };
    }
    throw new Error(`It was answered ${statuses.join(', ')}`);
  }
  const isReplayed = loss === 'its answer';

  it('is found by its Idempotency-Key, and made once', async () => {
    const body = { email: `one@${name}`, password_hash: PASSWORD_HASH };
    way.armed = { text: body.email, loss };
    const before = way.losses;
    const send = async () => api.as(MASTER).post('/users/', body).set('Idempotency-Key', 'one');
    const { statuses, response } = await repeat(send);
    expect([way.losses - before, statuses[0], response.status]).toEqual([1, 503, 201]);
    expect(response.headers['idempotent-replayed'] === 'true').toBe(isReplayed);
    expect((await api.as(MASTER).get(`/users/?domain=${name}`).expect(200)).body).toHaveLength(1);
  });

  it('of many items is found by its Idempotency-Key, and made once', async () => {
    const items = ['a', 'b', 'c'].map((each) => ({ email: `${each}@${name}`, password_hash: PASSWORD_HASH }));
    way.armed = { text: items[0]?.email ?? '', loss };
    const before = way.losses;
    const send = async () => api.as(MASTER).post('/users/bulk', { items }).set('Idempotency-Key', 'many');
    const { statuses, response } = await repeat(send);
    expect([way.losses - before, statuses[0]]).toEqual([1, 503]);
    const outcomes = items.map(() =>
      expect.objectContaining({ status: 201, ...(isReplayed ? { replayed: true } : {}) }),
    );
    expect(response.body).toEqual(outcomes);
    expect((await api.as(MASTER).get(`/users/?domain=${name}`).expect(200)).body).toHaveLength(4);
  });

  it('of an increment is found by its id, and counted once', async () => {
    const path = `/domains/${name}/outbound`;
    const sent = async () => ((await api.as(MASTER).get(path).expect(200)).body as { sent_today: number }).sent_today;
    // The id is stored as a digest.
    way.armed = { text: 'outbound_counter', loss };
    const before = way.losses;
    const send = async () =>
      api.as(POLICY).post(`${path}/increment`, { record: true, count: 3, id: 'increment-of-the-test' });
    const { statuses } = await repeat(send);
    expect([way.losses - before, statuses[0]]).toEqual([1, 503]);
    expect(await sent()).toBe(3);
  });
});
